from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompetitionsConfig(AppConfig):
    name = "league.competitions"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        from league.competitions import receivers  # noqa: F401
        from league.competitions.advancing import take_back
        from league.competitions.amending import FURTHER, RESTS_ON
        from league.competitions.checking_in import both_here
        from league.competitions.moving import play_amended
        from league.competitions.promotions import mark_moves, next_season_of, refuse_to_take_back
        from league.competitions.queries import entrants_of_published, is_of_knock_out
        from league.competitions.queueing import rate_after_commit
        from league.competitions.withdrawals import refuse_to_open
        from league.matches.doors import BOTH_HERE
        from league.matches.locking import BUILT_ON, STAND_AGAINST
        from league.matches.second_side import KNOCK_OUT
        from league.matches.visible import SHOWN_ELSEWHERE

        BOTH_HERE.append(both_here)
        KNOCK_OUT.append(is_of_knock_out)
        SHOWN_ELSEWHERE.append(entrants_of_published)
        FURTHER.append(next_season_of)
        RESTS_ON.append(mark_moves)
        RESTS_ON.append(play_amended)
        BUILT_ON.append(refuse_to_take_back)
        BUILT_ON.append(take_back)
        BUILT_ON.append(rate_after_commit)
        STAND_AGAINST.append(refuse_to_open)
