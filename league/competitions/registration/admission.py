"""Admission: the organizer's answers to sign-ups."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.locks import locked, locked_draft
from league.competitions.models import Applicant, Competition, Registration, Withdrawal
from league.competitions.registration.enrolment import FiledEntrant, FiledPartner, rows_of, store_people
from league.competitions.registration.entries import enter, take_out
from league.competitions.registration.opening import PlacesLeft, places_of
from league.errors import Refused
from league.players.enrolling import add_player, join
from league.players.models import PEOPLE, Entrant, Player
from league.players.naming import same
from league.players.pairs import Fields, Partners
from league.players.pasting import PastedLine, PasteNote, preview_rows

NEW = "new"
"""Choice of a new player of that name, in place of a player's code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """A waiting sign-up on the organizer's page.

    `number`: its place in the order of arrival. `queue`: its place on the waiting list, 0 if a place is free. `pasted`:
    the player found by the rules for pasted names. `twin`: the number of an earlier sign-up for the same person.
    `registered`: the player is registered already. For a pair, `partner` is the other half, and `registered` means both
    together; `elsewhere`: the pair in which either plays already.
    """

    applicant: Applicant
    number: int
    queue: int
    pasted: PastedLine
    twin: int | None = None
    registered: bool = False
    partner: PastedLine | None = None
    elsewhere: Entrant | None = None

    @property
    def people(self) -> list[PastedLine]:
        """The one player, or the two of a pair."""
        return [self.pasted, self.partner] if self.partner else [self.pasted]

    def candidates(self, one: PastedLine) -> Sequence[Player]:
        """List other players that may be meant by a line."""
        return () if one.note == PasteNote.NUMBER_TAKEN else one.candidates

    def may_be_new(self, one: PastedLine) -> bool:
        """Tell whether the line may mean a new player of the same name."""
        by_account = self.applicant.player_id is not None and one is self.pasted
        return not by_account and one.note in _KNOWN_ALREADY

    @property
    def fits(self) -> bool:
        """Whether the sign-up's number of players still fits the competition."""
        return bool(self.applicant.partner_name) == self.applicant.competition.pairs

    @property
    def undecided(self) -> bool:
        return any(one.undecided for one in self.people) or self.elsewhere is not None or not self.fits


_KNOWN_ALREADY = {PasteNote.KNOWN, PasteNote.RENEWED, PasteNote.UNCLEAR, PasteNote.REPEATED, PasteNote.ONE_PERSON}


@dataclass(frozen=True, slots=True)
class Applications:
    """Waiting sign-ups in order of arrival; `left`: still in the draw, but the sign-up is withdrawn."""

    waiting: Sequence[Application]
    left: Sequence[Registration]
    places: PlacesLeft


def applications(competition: Competition, *, user: User) -> Applications:
    """List waiting sign-ups. A constant number of statements. Raises NotAllowed."""
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    rows = list(_waiting(competition))
    known = _previewed(competition, rows, user)
    found = places_of(competition)
    there = {
        player.pk: row.entrant
        for row in competition.registrations.select_related(*PEOPLE)
        for player in row.entrant.players
    }
    listed = [
        _application(row, people, number, found.behind(number), there)
        for number, (row, people) in enumerate(zip(rows, known, strict=True), start=1)
    ]
    gone = still_drawn().filter(competition=competition).values("entrant")
    left = competition.registrations.filter(entrant__in=gone).select_related(*PEOPLE)
    return Applications(listed, list(left.order_by("seed")), found)


def still_drawn() -> QuerySet[Applicant]:
    """Select sign-ups withdrawn since the draw whose entrants are still in it."""
    here = {"competition": OuterRef("competition"), "entrant": OuterRef("entrant")}
    registered = Exists(Registration.objects.filter(**here))
    withdrawn = Exists(Withdrawal.objects.filter(**here, undone_at=None))
    return Applicant.objects.filter(registered, ~withdrawn, leaves_since__isnull=False)


def _application(
    row: Applicant, people: Sequence[PastedLine], number: int, queue: int, there: Mapping[int, Entrant]
) -> Application:
    """Build one line. `there`: registered entrant by player."""
    play = [there.get(one.player.pk) if one.player else None for one in people]
    together = play[0] is not None and len(set(play)) == 1
    return Application(
        applicant=row,
        number=number,
        queue=queue,
        pasted=people[0],
        partner=people[1] if len(people) == 2 else None,
        twin=next((one.first for one in people if one.first and one.first != number), None),
        registered=together,
        elsewhere=None if together else next(filter(None, play), None),
    )


def _waiting(competition: Competition) -> Iterable[Applicant]:
    rows = competition.applicants.filter(state=Applicant.State.WAITING)
    return rows.select_related("player", "user", "invitation").order_by("made_at", "pk")


def _previewed(competition: Competition, rows: Sequence[Applicant], user: User) -> list[list[PastedLine]]:
    """Preview each sign-up as a pasted line, or as two lines for a pair.

    The line number is the place in the order of arrival, the same for both of a pair. Pasting finds only the league's
    own players; a player of another league is found through the account.
    """
    read = [(count, _fields(row, pairs=competition.pairs)) for count, row in enumerate(rows, start=1)]
    found: list[list[PastedLine]] = [[] for _row in rows]
    for one in preview_rows(competition.league, read, user=user, since=timezone.localdate()).lines:
        found[one.line - 1].append(one)
    for row, people in zip(rows, found, strict=True):
        first = people[0]
        if row.player and first.player is None and not first.undecided:
            people[0] = replace(first, name=row.player.name, note=PasteNote.RENEWED, player=row.player, candidates=())
    return found


def _fields(row: Applicant, *, pairs: bool) -> Fields:
    first = [row.player.code] if row.player else [row.name, row.club]
    if not pairs and not row.partner_name:
        return first
    return Partners([first, [row.partner_name, row.club]] if row.partner_name else [first])


# --- Answers ---


@dataclass(frozen=True, slots=True)
class Admitted:
    """`entered`: new registrations; `before`: how many were registered already."""

    entered: Sequence[Registration]
    before: int


@transaction.atomic
def accept_sign_ups(
    competition: Competition,
    ids: Iterable[int],
    *,
    user: User,
    who: Mapping[int, str] | None = None,
    partners: Mapping[int, str] | None = None,
) -> Admitted:
    """Register sign-ups in the order of arrival.

    `who`, by sign-up: the code of the player, or `NEW`; without an entry the line's own match is used. `partners`: the
    same for the other half of a pair. Decided sign-ups are skipped, so a second click changes nothing.

    Raises NotAllowed, and Refused `already-published`, `has-logs`, `no-places`, `sign-ups-unclear`, `wrong-choice`,
    `other-plan`, and those of `check_entrants`.
    """
    competition = locked_draft(competition.pk, user)
    rows = [row for row in _waiting(competition) if row.pk in set(ids)]
    if not rows:
        return Admitted([], 0)
    filed = _filed(competition, rows, user, (who or {}, partners or {}))
    _check_clear(competition, rows, filed, user)
    entrants = store_people(competition.league, filed, user)
    entered = enter(competition, entrants, user=user)
    _check_places(competition)
    now = timezone.now()
    for row, entrant in zip(rows, entrants, strict=True):
        row.state, row.decided_at, row.decided_by = Applicant.State.ACCEPTED, now, user
        row.entrant, row.born, row.partner_born = entrant, None, None  # the players hold the years of birth now
    # An entrant who withdrew and signed up again plays after all.
    competition.applicants.filter(entrant__in=entrants).update(leaves_since=None)
    changed = ["state", "decided_at", "decided_by", "entrant", "born", "partner_born"]
    Applicant.objects.bulk_update(rows, changed, batch_size=200)
    return Admitted(entered, len(rows) - len(entered))


def answer_late_entry(competition: Competition, entrant: Entrant, *, user: User) -> list[int]:
    """Accept the waiting sign-up of a late entry, by account or else the first of that name; return its key."""
    competition.applicants.filter(entrant=entrant).update(leaves_since=None)
    found = [row for row in _waiting(competition) if _is_of(row, entrant)]
    for row in sorted(found, key=lambda row: row.player_id is None)[:1]:
        row.state, row.decided_at, row.decided_by = Applicant.State.ACCEPTED, timezone.now(), user
        row.entrant = entrant
        row.save(update_fields=["state", "decided_at", "decided_by", "entrant"])
        return [row.pk]
    return []


def _is_of(row: Applicant, entrant: Entrant) -> bool:
    """Tell whether a sign-up names the entrant; of a pair both, in either order."""
    for first, *rest in permutations(entrant.players):
        mine = first.pk == row.player_id if row.player_id else same(first.name) == same(row.name)
        if mine and [same(one.name) for one in rest] == [same(row.partner_name)] * bool(row.partner_name):
            return True
    return False


def wait_again(ids: Iterable[int]) -> None:
    """Return sign-ups that a late entry answered to their place in the queue."""
    rows = Applicant.objects.filter(pk__in=list(ids), state=Applicant.State.ACCEPTED)
    rows.update(state=Applicant.State.WAITING, decided_at=None, decided_by=None, entrant=None)


def _filed(
    competition: Competition,
    rows: Sequence[Applicant],
    user: User,
    chosen: tuple[Mapping[int, str], Mapping[int, str]],
) -> list[FiledEntrant]:
    """Convert sign-ups to entrants as in a file, with the codes of known players.

    `chosen`: choices for the players, and for their partners.
    """
    seen = {one.applicant.pk: one for one in applications(competition, user=user).waiting}
    filed = []
    for row in rows:
        if not seen[row.pk].fits:  # the plan changed after the sign-up
            raise Refused("other-plan", _("%(name)s: refuse it, and ask them to sign up again."), name=row)
        both = [
            _meant(competition, seen[row.pk], person, of_half.get(row.pk, ""), user)
            for person, of_half in zip(seen[row.pk].people, chosen, strict=False)
        ]
        filed.append(
            FiledEntrant(
                key="",
                name=both[0][0],
                club=both[0][1],
                born=row.born,
                place=str(row),
                partner=FiledPartner(name=both[1][0], club=both[1][1], born=row.partner_born) if both[1:] else None,
            )
        )
    return filed


def _meant(competition: Competition, one: Application, person: PastedLine, chosen: str, user: User) -> tuple[str, str]:
    """Give the code of a known player or the name of a new player, and the club."""
    row, today = one.applicant, timezone.localdate()
    if row.player and person is one.pasted:
        join(row.player, competition.league, today)
        return row.player.code, row.club
    name = row.partner_name if person is one.partner else row.name
    if chosen == NEW and one.may_be_new(person):
        made = add_player(competition.league, user=user, name=name, since=today, club=row.club)
        return made.player.code, ""
    if chosen:
        if chosen not in {player.code for player in one.candidates(person)}:
            raise Refused(
                "wrong-choice", _("%(name)s: choose one of the players who are offered, or look again."), name=row
            )
        return chosen, row.club
    # Use the code: the same act may add a namesake.
    return person.player.code if person.player else name, row.club


def _check_clear(
    competition: Competition, rows: Sequence[Applicant], filed: Sequence[FiledEntrant], user: User
) -> None:
    lines = preview_rows(competition.league, rows_of(filed), user=user, since=timezone.localdate()).lines
    unclear = [str(rows[one.line - 1]) for one in lines if one.undecided]
    if unclear:
        raise Refused(
            "sign-ups-unclear",
            _("Nobody was admitted yet. Choose the player meant by %(names)s, or refuse the duplicates."),
            names=", ".join(f"“{one}”" for one in dict.fromkeys(unclear)),
        )


def _check_places(competition: Competition) -> None:
    taken = competition.registrations.count()
    if competition.places and taken > competition.places:
        raise Refused(
            "no-places",
            _("That would make %(taken)d in %(places)d places. Choose fewer, or give more places."),
            places=competition.places,
            taken=taken,
        )


@dataclass(frozen=True, slots=True)
class AllAdmitted:
    """Result of `accept_all`.

    `unclear`: names without a clear player. `queue`: how many remain on the waiting list.
    """

    admitted: Admitted
    unclear: Sequence[str]
    queue: int


@transaction.atomic
def accept_all(competition: Competition, *, user: User) -> AllAdmitted:
    """Accept all clear sign-ups in the order of arrival, as far as there are places.

    An unclear sign-up keeps its place. Raises as `accept_sign_ups`.
    """
    competition = locked_draft(competition.pk, user)
    found = applications(competition, user=user)
    done = accept_sign_ups(competition, [one.applicant.pk for one in _clear(found)], user=user)
    unclear = [str(one.applicant) for one in found.waiting if one.undecided]
    return AllAdmitted(done, unclear, places_of(competition).queue)


def _clear(found: Applications) -> Iterable[Application]:
    left = found.places.free if found.places.limited else len(found.waiting)
    for one in found.waiting:
        if one.registered:  # needs no further place
            if not one.undecided:
                yield one
        elif left:
            left -= 1
            if not one.undecided:
                yield one


@transaction.atomic
def refuse_sign_ups(competition: Competition, ids: Iterable[int], *, user: User) -> int:
    """Refuse waiting sign-ups; return how many. Raises NotAllowed."""
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    rows = competition.applicants.filter(pk__in=list(ids), state=Applicant.State.WAITING)
    return rows.update(state=Applicant.State.REFUSED, decided_at=timezone.now(), decided_by=user)


@transaction.atomic
def reconsider_sign_up(competition: Competition, applicant_id: int, *, user: User) -> bool:
    """Return a refused sign-up to its place in the queue; True if this call did it.

    Raises NotAllowed.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    rows = competition.applicants.filter(pk=applicant_id, state=Applicant.State.REFUSED)
    return bool(rows.update(state=Applicant.State.WAITING, decided_at=None, decided_by=None))


@transaction.atomic
def take_out_who_left(competition: Competition, *, user: User) -> int:
    """Remove entrants who withdrew their sign-up after the draw; return how many.

    The draw is undone. Raises NotAllowed, and Refused `already-published`, `has-logs`.
    """
    competition = locked_draft(competition.pk, user)
    left = [row.entrant_id for row in applications(competition, user=user).left]
    if left:
        take_out(competition, left, user=user)
    # A later registration of the same entrant starts without this mark.
    competition.applicants.filter(leaves_since__isnull=False).update(leaves_since=None)
    return len(left)


def to_answer(competition: Competition) -> int:
    """Count waiting sign-ups. One statement."""
    return competition.applicants.filter(state=Applicant.State.WAITING).count()
