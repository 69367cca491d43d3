"""Many cases in one test, for cases that take a millisecond: a test of its own costs more than it checks."""

from collections.abc import Callable, Iterable


def for_each(names: str | tuple[str, ...], cases: Iterable[object]) -> Callable[[Callable], Callable]:
    """Call a test with every case, as `parametrize` names them; a failure names its case."""
    named = [_named(names, case) for case in cases]
    assert named, f"no case of {names}"

    def together(test: Callable) -> Callable:
        def run(**given: object) -> None:
            for case in named:
                try:
                    test(**given, **case)
                except Exception as problem:
                    problem.add_note(f"case: {case}")
                    raise

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return together


def _named(names: str | tuple[str, ...], case: object) -> dict[str, object]:
    if isinstance(names, str):
        return {names: case}
    return dict(zip(names, getattr(case, "values", case), strict=True))
