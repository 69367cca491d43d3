"""Official notices: who writes them, what becomes of what was said, and about what nobody writes."""

import pytest

from league.accounts.models import Role
from league.competitions.draw.plans import Plan, found
from league.competitions.models import Competition, Notice, NoticeVersion
from league.competitions.notices import (
    Wording,
    amend_notice,
    clean_text,
    publish_notice,
    standing_about,
    standing_of,
    withdraw_notice,
)
from league.errors import Refused
from tests.league.world import NOON, World, person

MOVED = Wording(title="We meet at the pier", text="From March on.")


def refusal(act, *args, **kwargs) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **kwargs)
    assert str(refused.value)
    return refused.value.code


def cup(world: World, *, published: bool = True) -> Competition:
    made = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    Competition.objects.filter(pk=made.pk).update(published_at=NOON if published else None)
    return Competition.objects.get(pk=made.pk)


def test_owners_and_managers_write_and_nobody_else(world: World) -> None:
    manager = person("max")
    Role.objects.create(user=manager, league=world.league, kind=Role.Kind.MANAGER)
    notice = publish_notice(world.league, MOVED, user=manager)
    for other in (world.second_referee, world.alice, world.charlie):
        assert refusal(publish_notice, world.league, MOVED, user=other) == "no-permission"
        assert refusal(amend_notice, notice, MOVED, user=other, seen=1) == "no-permission"
        assert refusal(withdraw_notice, notice, user=other) == "no-permission"
    assert Notice.objects.count() == 1


def test_an_amended_notice_keeps_every_version_and_is_the_newest(world: World) -> None:
    first = publish_notice(world.league, MOVED, user=world.owner)
    publish_notice(world.league, Wording(title="Dues", text="Ten."), user=world.owner)
    amend_notice(first, Wording(title="We meet at the bar", text="From April on."), user=world.owner, seen=1)
    told = [(one.title, one.number) for one in standing_of(world.alice, world.league)]
    assert told == [("We meet at the bar", 2), ("Dues", 1)]
    kept = first.versions.order_by("number").values_list("number", "title", "text")
    assert list(kept) == [(1, MOVED.title, MOVED.text), (2, "We meet at the bar", "From April on.")]
    assert refusal(amend_notice, first, MOVED, user=world.owner, seen=1) == "changed-meanwhile"
    same = Wording(title="We meet at  the bar ", text="From April on.\n\n")
    assert refusal(amend_notice, first, same, user=world.owner, seen=2) == "nothing-changed"


def test_a_withdrawn_notice_is_gone_from_what_holds_and_stays_as_it_was(world: World) -> None:
    notice = publish_notice(world.league, MOVED, user=world.owner)
    withdraw_notice(notice, user=world.owner, reason=" It was\u202e a joke ")
    notice.refresh_from_db()
    assert (notice.withdrawn_by, notice.withdrawn_reason) == (world.owner, "It was a joke")
    assert not standing_of(world.alice, world.league).exists()
    assert NoticeVersion.objects.get().text == MOVED.text
    assert refusal(withdraw_notice, notice, user=world.owner) == "withdrawn-already"
    assert refusal(amend_notice, notice, MOVED, user=world.owner, seen=1) == "withdrawn-already"
    # What was withdrawn may be said again.
    assert publish_notice(world.league, MOVED, user=world.owner) != notice


def test_a_button_pressed_twice_makes_one_notice(world: World) -> None:
    first, again = (publish_notice(world.league, MOVED, user=world.owner) for _ in range(2))
    assert first == again
    about = cup(world)
    assert publish_notice(world.league, MOVED, user=world.owner, competition=about) != first


def test_a_notice_is_about_a_published_competition_of_its_league(world: World) -> None:
    about = cup(world)
    notice = publish_notice(world.league, MOVED, user=world.owner, competition=about)
    assert [one.notice for one in standing_about(about)] == [notice]
    draft = found(world.league, Plan(name="Draft", ruleset="udl"), user=world.owner)
    assert refusal(publish_notice, world.league, MOVED, user=world.owner, competition=draft) == "not-published"
    elsewhere = found(world.elsewhere, Plan(name="Other", ruleset="udl"), user=world.charlie)
    assert refusal(publish_notice, world.league, MOVED, user=world.owner, competition=elsewhere) == "not-of-league"


def test_who_sees_no_draft_sees_no_notice_about_it(world: World) -> None:
    """Were there ever one: nothing writes it."""
    about = cup(world)
    publish_notice(world.league, MOVED, user=world.owner, competition=about)
    assert standing_of(world.charlie, world.league).exists()
    Competition.objects.filter(pk=about.pk).update(published_at=None)
    assert not standing_of(world.charlie, world.league).exists()
    assert standing_of(world.owner, world.league).exists()


@pytest.mark.parametrize(
    ("wording", "code"),
    [
        (Wording(title=" \u202e ", text="words"), "bad-title"),
        (Wording(title="x" * 121, text="words"), "bad-title"),
        (Wording(title="x", text="\n \n"), "bad-text"),
        (Wording(title="x", text="x" * 4001), "bad-text"),
    ],
)
def test_a_notice_has_a_title_and_a_text(world: World, wording: Wording, code: str) -> None:
    assert refusal(publish_notice, world.league, wording, user=world.owner) == code


def test_a_text_keeps_its_paragraphs_and_nothing_that_deceives() -> None:
    assert clean_text("\r\n One \t two \r\nthree\r\n\r\n\r\n\r\nfo\u202eur\x00\n") == "One two\nthree\n\nfour"
    assert clean_text("क्\u200dष 👩\u200d👧") == "क्\u200dष 👩\u200d👧"
