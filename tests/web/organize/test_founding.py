"""The form that founds a league, and its desk once everything is played."""

from django.utils import timezone

from league.accounts.models import League, Role
from league.competitions.models import Competition, Registration, Stage

NEW = "/leagues/new/"
FACTS = {"name": "Quayside", "time_zone": "UTC"}


def options(html: str) -> list[str]:
    """What stands in the list "Part of"."""
    listed = html.split('name="parent"')[1].partition("</select>")[0]
    return [one.split(">")[1].split("<")[0].strip() for one in listed.split("<option")[1:]]


def test_an_owner_of_one_league_founds_within_it_and_is_asked_nothing(world, browse):
    client = browse(world.owner)
    assert options(client.get(NEW).content.decode()) == ["Harbour"]
    client.post(NEW, FACTS | {"parent": world.league.pk})
    assert League.objects.get(name="Quayside").parent == world.league


def test_an_owner_of_two_leagues_chooses_and_is_offered_none_of_no_other_league(world, browse):
    other = League.objects.create(name="Summit", slug="summit")
    Role.objects.create(league=other, user=world.owner, kind=Role.Kind.OWNER)
    assert "of no other league" not in options(browse(world.owner).get(NEW).content.decode())


def test_whoever_runs_the_site_may_found_a_league_of_no_other(world, browse):
    """The control: there it is a choice that can be sent."""
    world.owner.is_superuser = True
    world.owner.save()
    client = browse(world.owner)
    assert options(client.get(NEW).content.decode())[0] == "of no other league"
    client.post(NEW, FACTS)
    assert League.objects.get(name="Quayside").parent is None


def test_a_finished_table_that_ends_with_a_lot_says_on_the_desk_that_it_is_to_be_drawn(world, browse):
    """A place that nobody has yet is nobody's title: the list of what is finished does not hide it."""
    Stage.objects.update(finished_at=timezone.now())
    desk = browse(world.owner)
    assert "Lots to draw" not in desk.get("/organize/harbour/").content.decode()
    Competition.objects.update(tie_breaks=["wins", "lot"])
    assert "Lots to draw" in desk.get("/organize/harbour/").content.decode()
    for number, row in enumerate(Registration.objects.all(), start=1):
        row.lot = number
        row.save()
    assert "Lots to draw" not in desk.get("/organize/harbour/").content.decode()
