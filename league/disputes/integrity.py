"""Check of the rows of disputes: chain, words, photos and ruling texts by their SHA-256, copies by the entries."""

from collections.abc import Iterator

from league.disputes.chain import broken_at
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.stage import stage_of
from league.matches.hash_chain import sha256
from league.matches.integrity.differences import RowDifference
from referee.rulings.reading import read_ruling
from referee.rulings.text import RulingError

Kind = DisputeEntry.Kind


def case_differences() -> Iterator[RowDifference]:
    """Find the differences of every dispute. Nothing is written."""
    entries = DisputeEntry.objects.select_related("words", "photo", "sealed").order_by("number")
    disputes = Dispute.objects.select_related("game", "match").order_by("pk")
    for dispute in disputes.iterator():
        own = list(entries.filter(dispute=dispute))
        yield from _of_chain(dispute, own)
        for entry in own:
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
        for name, says, should in (
            ("state", dispute.state, stage.state),
            ("instance", dispute.instance, stage.instance),
            ("outcome", dispute.outcome, outcome),
        ):
            if says != should:
                yield _difference(dispute, name, says, str(should))


def _of_entry(dispute: Dispute, entry: DisputeEntry) -> Iterator[RowDifference]:
    where = f"entry {entry.number}"
    words, photo, sealed = (getattr(entry, name, None) for name in ("words", "photo", "sealed"))
    if words is not None and not words.erased_at and sha256(words.text.encode()) != entry.data.get("sha256"):
        yield _difference(dispute, f"{where}, SHA-256 of its words", sha256(words.text.encode()), "as the chain has it")
    if photo is not None and not photo.removed_at and sha256(bytes(photo.image)) != entry.data.get("sha256"):
        yield _difference(dispute, f"{where}, SHA-256 of its photo", sha256(bytes(photo.image)), "as the chain has it")
    should = entry.data.get("ruling") if entry.kind == Kind.RULED else None
    if (sealed and sha256(sealed.text.encode())) != should:
        yield _difference(dispute, f"{where}, ruling text", sealed and sealed.sha256, should)
    elif sealed is not None and (sealed.sha256, sealed.amends) != (should, _amends(sealed.text)):
        yield _difference(dispute, f"{where}, SHA-256 of the amended text", sealed.amends, _amends(sealed.text))


def _amends(text: str) -> str:
    try:
        return read_ruling(text).amends
    except RulingError:
        return ""


def _difference(dispute: Dispute, what: str, says: object, should: object) -> RowDifference:
    return RowDifference(
        f"dispute {dispute.code}", what, says, should, league=dispute.match.league_id, match=dispute.match_id
    )
