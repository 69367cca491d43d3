from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompetitionsConfig(AppConfig):
    name = "league.competitions"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        from league.competitions import receivers  # noqa: F401
        from league.competitions.amendments.services import FURTHER, RESTS_ON
        from league.competitions.attendance.check_in import both_here
        from league.competitions.attendance.withdrawals import refuse_to_open
        from league.competitions.draw.advancing import take_back
        from league.competitions.draw.rescheduling import play_amended
        from league.competitions.queries.lists import entrants_of_published, is_of_knock_out
        from league.competitions.seasons.promotion import mark_moves, next_season_of, refuse_to_take_back
        from league.competitions.task_queue import rate_after_commit
        from league.matches.guests import BOTH_HERE
        from league.matches.locks import BUILT_ON, STAND_AGAINST
        from league.matches.results.second_side import KNOCK_OUT
        from league.matches.visibility import SHOWN_ELSEWHERE

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
