"""Addresses of competitions within a league."""

from collections.abc import Sequence

from django.utils.text import slugify

from league.accounts.models import League

LONGEST_SLUG = 60


def free_slug(league: League, name: str) -> str:
    """Make an unused address in the league from a name."""
    return free_slugs(league, [name])[0]


def free_slugs(league: League, names: Sequence[str]) -> list[str]:
    """Make an unused address for each name, all different. One statement."""
    bases = [slugify(name)[:LONGEST_SLUG].strip("-") or "competition" for name in names]
    near = bases[0][: LONGEST_SLUG - 6] if len(bases) == 1 else ""
    taken = set(league.competitions.filter(slug__startswith=near).values_list("slug", flat=True))
    found = []
    for base in bases:
        number, slug = 1, base
        while slug in taken:
            number += 1
            slug = f"{base[: LONGEST_SLUG - 6]}-{number}"
        taken.add(slug)
        found.append(slug)
    return found
