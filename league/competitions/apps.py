from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompetitionsConfig(AppConfig):
    name = "league.competitions"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        from league.competitions import receivers  # noqa: F401
        from league.competitions.advancing import take_back
        from league.competitions.amending import FURTHER, RESTS_ON
        from league.competitions.promotions import mark_moves, next_season_of, refuse_to_take_back
        from league.competitions.queries import entrants_of_published
        from league.competitions.queueing import rate_after_commit
        from league.matches.locking import BUILT_ON
        from league.matches.visible import SHOWN_ELSEWHERE

        SHOWN_ELSEWHERE.append(entrants_of_published)
        FURTHER.append(next_season_of)
        RESTS_ON.append(mark_moves)
        BUILT_ON.append(refuse_to_take_back)
        BUILT_ON.append(take_back)
        BUILT_ON.append(rate_after_commit)
