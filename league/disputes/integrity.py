"""Check of the rows of disputes: chain, words, photos and ruling texts by their SHA-256, copies by the entries."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from league.disputes.chain import broken_at
from league.disputes.entries import CLOSED
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.stage import stage_of
from league.matches.hash_chain import sha256
from league.matches.integrity.differences import RowDifference
from league.matches.integrity.running import NOT_READ
from referee.rulings.reading import read_ruling
from referee.rulings.text import RulingError

Kind = DisputeEntry.Kind
FILED = ("kind", "line", "filed_line", "hand", "column", "number", "against", "miswritten", "via")
ENDING = frozenset({Kind.AGREED, Kind.WITHDRAWN, Kind.RULED, Kind.CONFIRMED})


def case_differences() -> Iterator[RowDifference]:
    """Find the differences of every dispute. Nothing is written."""
    for key, code in list(Dispute.objects.order_by("pk").values_list("pk", "code")):
        try:
            yield from _of_dispute(key)
        except NOT_READ as error:
            yield RowDifference(f"dispute {code}", "rows", repr(error), "readable")


def _of_dispute(key: int) -> Iterator[RowDifference]:
    dispute = Dispute.objects.select_related("game", "match").get(pk=key)
    entries = list(dispute.entries.select_related("words", "photo", "sealed").order_by("number"))
    yield from _of_chain(dispute, entries)
    for entry in entries:
        yield from _of_entry(dispute, entry)


def _of_chain(dispute: Dispute, entries: list[DisputeEntry]) -> Iterator[RowDifference]:
    first = broken_at(entries, dispute.code, dispute.game.code)
    if not entries or entries[0].kind != Kind.FILED:
        yield _difference(dispute, "first entry", entries and entries[0].kind, Kind.FILED.value)
    elif first is not None:
        yield _difference(dispute, "chain", f"broken at entry {first}", "whole")
    else:
        try:
            stage = stage_of(entries)
        except (KeyError, ValueError) as error:
            yield _difference(dispute, "entries", repr(error), "such that a stage follows")
            return
        outcome = stage.ruling.data["outcome"] if stage.ruling else ""
        copies = {"state": stage.state, "instance": stage.instance, "outcome": outcome}
        for name, should in {**copies, **_filed(entries[0]), **_times(entries)}.items():
            says = getattr(dispute, name)
            if says != should:
                yield _difference(dispute, name, says, str(should))
        if dispute.match_id != dispute.game.match_id:
            yield _difference(dispute, "match", dispute.match_id, dispute.game.match_id)


def _filed(first: DisputeEntry) -> dict[str, Any]:
    """Return the columns that the first entry tells."""
    said = {name: first.data[name] for name in FILED if name in first.data}
    who = {"for_side": first.for_side, "raised_by_id": first.by_id, "raised_at": first.at}
    return {**said, "record_id": first.data.get("record"), **who}


def _times(entries: list[DisputeEntry]) -> dict[str, Any]:
    """Return the columns of effect and times, as the entries lead to them."""
    effect, until, deadline, closed = Dispute.Effect.HOLD.value, None, None, None
    for number, entry in enumerate(entries, 1):
        if entry.kind in (Kind.FILED, Kind.EFFECT):
            effect, until = entry.data.get("effect", effect), entry.data["until"]
        elif entry.kind in ENDING and not entry.data.get("waits"):
            effect, until = Dispute.Effect.PLAY_ON.value, None
        deadline = entry.data.get("deadline", deadline)
        ended = stage_of(entries[:number]).state in CLOSED
        closed = (closed or entry.at) if ended else None
    return {"effect": effect, "hold_until": _hour(until), "deadline": _hour(deadline), "closed_at": closed}


def _hour(said: str | None) -> datetime | None:
    return datetime.fromisoformat(said) if said else None


def _of_entry(dispute: Dispute, entry: DisputeEntry) -> Iterator[RowDifference]:
    where = f"entry {entry.number}"
    words, photo, sealed = (getattr(entry, name, None) for name in ("words", "photo", "sealed"))
    chained = entry.data.get("sha256")
    kept = words and ("" if words.erased_at else chained, words.text.encode())
    yield from _of_bytes(dispute, f"{where}, SHA-256 of its words", kept, chained if entry.kind != Kind.PHOTO else None)
    kept = photo and ("" if photo.removed_at else chained, bytes(photo.image))
    yield from _of_bytes(dispute, f"{where}, SHA-256 of its photo", kept, chained if entry.kind == Kind.PHOTO else None)
    should = entry.data.get("ruling") if entry.kind == Kind.RULED else None
    if (sealed and sha256(sealed.text.encode())) != should:
        yield _difference(dispute, f"{where}, ruling text", sealed and sealed.sha256, should)
    elif sealed is not None and (sealed.sha256, sealed.amends) != (should, _amends(sealed.text)):
        yield _difference(dispute, f"{where}, SHA-256 of the amended text", sealed.amends, _amends(sealed.text))
    elif sealed is not None and sealed.results_in != entry.data.get("results_in"):
        says, should = sealed.results_in, entry.data.get("results_in")
        yield _difference(dispute, f"{where}, SHA-256 of the text after it", says, should)


def _of_bytes(
    dispute: Dispute, what: str, kept: tuple[str | None, bytes] | None, chained: str | None
) -> Iterator[RowDifference]:
    """Compare words or a photo with the chain. `kept`: SHA-256 that it should have, "" once it is erased; the bytes."""
    if kept is None:
        if chained is not None:
            yield _difference(dispute, what, None, "as the chain has it")
    elif kept[1] if kept[0] == "" else sha256(kept[1]) != kept[0]:
        yield _difference(dispute, what, sha256(kept[1]), "empty" if kept[0] == "" else "as the chain has it")


def _amends(text: str) -> str:
    try:
        return read_ruling(text).amends
    except RulingError:
        return ""


def _difference(dispute: Dispute, what: str, says: object, should: object) -> RowDifference:
    return RowDifference(
        f"dispute {dispute.code}", what, says, should, league=dispute.match.league_id, match=dispute.match_id
    )
