"""Short log for examples; it is read and judged like any other."""

SAMPLE_LOG = """[Ruleset "udl"]
[Seat.A "Ana Ruiz"]
[Seat.B "Bo Chen"]

round 1
A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3
B hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1
A 6-6
B 6-3 on 6-6 call 10
A 6-5 on 6-6
A muggins
A concedes
"""
