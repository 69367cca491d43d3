"""Disputes of the played world at each stage, and the acts on them by address."""

from datetime import date
from io import BytesIO

from PIL import Image

from league.disputes import deciders, facts, ruling
from league.disputes.models import Dispute
from league.disputes.protests import agreeing, protesting
from league.disputes.protests.protesting import Point
from league.disputes.ruling import WantedRuling
from league.matches.results.judges import name_judge
from league.players.services import enrol
from referee.rulings.court import FactFound
from tests.league.api.played import Played
from tests.league.world import NOON, person

Kind, Outcome = Dispute.Kind, Dispute.Outcome
# Bo plays 5-3 for 5 at line 12 and announces nothing; Ana calls muggins at line 14 (log of seed 7, 120-165).
POINT = Point(kind=Kind.MUGGINS, line=12, miswritten=True)
PROTEST = {"kind": "muggins", "line": 12, "miswritten": True, "sentence": "I announced five"}
RULING = {"outcome": "call", "reason": "The call was late"}
CALL = WantedRuling(outcome=Outcome.CALL, reason="The call was late")
DISMISSED = WantedRuling(outcome=Outcome.DISMISSED, reason="It was in time")

_png = BytesIO()
Image.new("RGB", (2, 2)).save(_png, "PNG")
PICTURE = _png.getvalue()

# Address of an act: the stage of the dispute, the body, and the askers that may do it.
SIDE, OFFICIALS = {"player", "browser", "submit token"}, {"referee", "owner"}
DISPUTES = {
    "games/{code}/disputes": ("open", PROTEST, SIDE | OFFICIALS),
    "games/{code}/disputes/preview": ("open", PROTEST, SIDE | OFFICIALS),
    "disputes/{code}/statements": ("open", {"text": "I called at once"}, SIDE),
    "disputes/{code}/offers": ("open", {"scores": []}, SIDE),
    "disputes/{code}/agreement": ("offered", {"offer": 2}, SIDE),
    "disputes/{code}/withdrawal": ("open", {}, set()),
    "disputes/{code}/effect": ("open", {"effect": "hold"}, OFFICIALS | {"helper"}),
    "disputes/{code}/judge": ("open", {}, OFFICIALS),
    "disputes/{code}/judge/refusal": ("taken", {}, SIDE),
    "disputes/{code}/judge/stepping-back": ("taken", {}, set()),
    "disputes/{code}/judge/naming": ("nobody is free", {"name": "Ella Diaz"}, OFFICIALS | {"helper"}),
    "disputes/{code}/judge/acceptance": ("judge named", {"name": "Ella Diaz"}, SIDE),
    "disputes/{code}/photos": ("open", PICTURE, SIDE),
    "disputes/{code}/facts": ("open", {"answer": "no"}, OFFICIALS),
    "disputes/{code}/rulings": ("found", RULING, OFFICIALS),
    "disputes/{code}/rulings/preview": ("found", RULING, OFFICIALS),
    "disputes/{code}/confirmation": ("waiting", {}, OFFICIALS),
    "disputes/{code}/rejection": ("waiting", {}, OFFICIALS),
    "disputes/{code}/appeal": ("ruled", {"sentence": "Nobody asked Cy"}, SIDE),
}


def disputed(played: Played, stage: str = "open") -> Dispute:
    """Bo protests; the second referee goes on with it up to the stage."""
    world = played.world
    dispute = Dispute.objects.filter(game=played.game).first()
    dispute = dispute or protesting.protest(played.game, world.bob, POINT, "I announced five")
    if stage == "offered":
        agreeing.offer(dispute, world.bob)
    if stage == "taken":
        deciders.take_case(dispute, world.second_referee)
    if stage in ("nobody is free", "judge named"):
        for one in (world.second_referee, world.referee, world.owner):
            deciders.take_case(dispute, one)
            deciders.step_back(dispute, one)
        enrol(league=world.league, name="Ella Diaz", since=date(2026, 1, 1), user=person("ella"))
    if stage == "judge named":
        name_judge(world.match, "Ella Diaz", by=world.referee)
    if stage in ("found", "waiting", "ruled"):
        facts.find_facts(dispute, world.second_referee, FactFound.YES if stage == "ruled" else FactFound.NO)
    if stage in ("waiting", "ruled"):
        ruling.rule(dispute, world.second_referee, DISMISSED if stage == "ruled" else CALL)
    return dispute


def hidden_dispute(played: Played) -> Dispute:
    """Of a match that the staff alone sees; nobody protests about a draft, so it is written into the table."""
    game = played.hidden_match.games.get()
    facts = {"kind": Kind.RESULT, "via": "official", "raised_by": played.world.referee, "raised_at": NOON}
    found = Dispute.objects.filter(game=game).first()
    return found or Dispute.objects.create(match=played.hidden_match, game=game, **facts)


def ruling_text(played: Played) -> dict[str, object]:
    """The call is corrected, with a ruling text; given and confirmed once."""
    dispute = disputed(played)
    if dispute.state == "open":
        disputed(played, "waiting")
        ruling.confirm_ruling(dispute, played.world.referee)
    (given,) = dispute.entries.filter(kind="ruled")
    return {"code": dispute.code, "number": given.number}
