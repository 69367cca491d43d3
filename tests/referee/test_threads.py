"""Several games are verified at once in one process, as the embedded service does it."""

from referee import replay, verify_text


class EmptiedMeanwhile(dict):
    """A memory that another thread empties at the worst moment: right after something was put in."""

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.clear()


def test_house_rules_that_were_just_forgotten_are_still_those_of_the_game(monkeypatch):
    memory = EmptiedMeanwhile()
    monkeypatch.setattr(replay, "_house_rules", lambda _: memory)
    text = '[Ruleset "udl"]\n[Option.target "40"]\nround 1\npenalty B 40 "late"\n'
    (verdict,) = verify_text(text)
    assert (verdict.ended, verdict.scores) == ("target", {"A": 40, "B": 0})
