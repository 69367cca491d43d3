"""A Swiss round as the worker makes it: `python -m tests.benchmarks.bench_swiss_round [entrants] [rounds]`.

Seconds of the processor, and by the clock, from the asked-for job to the stored draft: official results read,
contenders made, the round paired and explained, its slots, berths, matches and games written. On a database of its own
that is dropped afterwards: SQLite, or what DATABASE_URL names. Target: 1,000 entrants in under 3 s.
"""

import argparse
import sys
import time

from tests.benchmarks.bench_pages import club, database, play

TARGET = 3.0


def main(entrants: int, rounds: int) -> int:
    with database():
        return measure(entrants, rounds)


def measure(entrants: int, rounds: int) -> int:
    from django.db import connection

    from league.competitions import jobs
    from league.competitions.draw.plans import Plan, found
    from league.competitions.draw.publishing import publish, publish_matchday
    from league.competitions.models import DrawJob
    from league.competitions.registration.entries import register

    league, owner, people = club(entrants)
    made = found(
        league,
        Plan(name="Bench", ruleset="udl", format="swiss", rounds=rounds, release="round_by_round"),
        user=owner,
    )
    register(made, people)
    print(f"{entrants} entrants on {connection.vendor}")
    worst = 0.0
    for number in range(1, rounds + 1):
        what = DrawJob.What.FIRST if number == 1 else DrawJob.What.NEXT
        job = jobs._asked(made, what, owner)
        begun, busy = time.perf_counter(), time.process_time()
        jobs.carry_out(job.pk)
        seconds, busy = time.perf_counter() - begun, time.process_time() - busy
        job.refresh_from_db()
        assert job.made == number, job.refused
        worst = max(worst, busy)
        print(f"  round {number:2} {busy:6.2f} s CPU, {seconds:6.2f} s")
        day = made.stages.get().matchdays.get(number=number)
        if number == 1:
            publish(made, user=owner)
        else:
            publish_matchday(day, user=owner)
        play(owner, made, number)
    print(f"  slowest {worst:.2f} s CPU, target under {TARGET} s")
    return 0 if worst < TARGET else 1


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("entrants", nargs="?", type=int, default=1000)
    asked.add_argument("rounds", nargs="?", type=int, default=9)
    given = asked.parse_args()
    sys.exit(main(given.entrants, given.rounds))
