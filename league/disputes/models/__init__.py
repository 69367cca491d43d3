"""Rows of disputes, one module a word."""

from league.disputes.models.court_rules import CourtRules  # noqa: F401
from league.disputes.models.dispute import Dispute  # noqa: F401
from league.disputes.models.entry import DisputeEntry  # noqa: F401
from league.disputes.models.private import DisputeLook, DisputePhoto, DisputeText  # noqa: F401
from league.disputes.models.referee_call import Caller, RefereeCall, ZoneTable  # noqa: F401
from league.disputes.models.sealed_ruling import SealedRuling  # noqa: F401
