"""Generation of the OpenAPI description from the views."""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.idempotency import HEADER, REPLAY
from league.api.base.problems import CONTENT_TYPE, KINDS
from league.api.base.views import ApiView


class Description(AutoSchema):
    """Description of our lists, of acts on a list that answer with one row, and of open reading."""

    def _is_list_view(self, serializer: object = None) -> bool:
        if self.method not in SAFE_METHODS:
            return False
        return hasattr(self.view, "entries") or super()._is_list_view(serializer)

    def get_description(self) -> str:
        """Publish no docstring of a view: they are for programmers and not translated."""
        return ""

    def get_auth(self) -> list[dict[str, list[str]]]:
        is_open = self.method in SAFE_METHODS or getattr(self.view, "act_scope", None) is None
        return [*super().get_auth(), *([{}] if is_open else [])]


CHANGES_NOTHING = ("verify", "muggins")
"""Operations that only ask, though they are POST: nothing of theirs is done once."""


# Addresses that answer 410 once the competition is cancelled.
OF_COMPETITION = "/api/v1/competitions/{league}/{slug}"
# Error statuses of every reading request, and below of every act; `statuses` adds 404, 409 and 410.
READING = (400, 401, 403, 406, 429)


ACTING = (*READING, 411, 413, 415, 422)


SAMPLE = {
    "type": "https://dominoes.example.org/api/#not-found",
    "title": "There is nothing here that you can see.",
    "status": 404,
    "detail": "There is nothing here that you can see.",
    "instance": "/api/v1/games/7KQ2M0ZX",
    "code": "not-found",
}


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "league.api.base.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": str(_("A token of your account page."))}


class BrowserScheme(OpenApiAuthenticationExtension):
    target_class = "league.api.base.authentication.BrowserAuthentication"
    name = "browser"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": str(_("The session of a signed-in browser; acts need the header X-CSRFToken too.")),
        }


def problem_schema() -> dict[str, Any]:
    """Return the schema of RFC 9457 with our codes, and optional `errors`, `line` and `column`."""
    place = {"field": {"type": "string"}, "parameter": {"type": "string"}, "detail": {"type": "string"}}
    members = {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "object", "properties": place, "required": ["detail"]}},
        "line": {"type": "integer"},
        "column": {"type": "integer"},
    }
    required = ["type", "title", "status", "detail", "instance", "code"]
    return {"type": "object", "properties": members, "required": required, "example": SAMPLE}


def add_problems(result: dict[str, Any], **_more: object) -> dict[str, Any]:
    """Add to every operation its problems, and to acts the headers of idempotency."""
    result["components"].setdefault("schemas", {})["Problem"] = problem_schema()
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            _bounded(operation)
            for status in statuses(path, method, operation):
                operation["responses"].setdefault(str(status), problem_response(status))
            if method == "post" and operation["operationId"] not in CHANGES_NOTHING:
                _idempotent(operation)
    return result


def _bounded(operation: dict[str, Any]) -> None:
    """Exclude U+0000 and the slash from names in an address."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path" and parameter["schema"]["type"] == "string":
            parameter["schema"]["pattern"] = r"^[^\u0000/]+$"


def statuses(path: str, method: str, operation: dict[str, Any]) -> list[int]:
    found = set(READING if method == "get" else ACTING)
    paged = any(parameter["name"] == "page" for parameter in operation.get("parameters", ()))
    if "{" in path or paged:
        found.add(404)
    if path.startswith(OF_COMPETITION):
        found.add(410)
    if method == "post" and operation["operationId"] not in CHANGES_NOTHING:
        found.add(409)
    return sorted(found)


def problem_response(status: int) -> dict[str, Any]:
    codes = ", ".join(f"`{code}`" for code, kind in KINDS.items() if kind.status == status)
    return {
        "description": codes,
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def _idempotent(operation: dict[str, Any]) -> None:
    operation.setdefault("parameters", []).append(
        {
            "name": HEADER,
            "in": "header",
            "required": False,
            "description": str(_("One effect for one key: send the same key with every retry of a request.")),
            "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[\\x21-\\x7e]{1,128}$"},
            "example": "0192e7a0-5d0c-7a3e-b1f5-6c8d9e0f1a2b",
        }
    )
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            response["headers"] = {
                REPLAY: {
                    "description": str(_("“true” if this is the stored answer to an earlier request with this key.")),
                    "schema": {"type": "string"},
                }
            }


@cache
def description(language: str) -> dict[str, Any]:
    """Return the whole document in a language, as plain data."""
    with override(language):
        raw = JSONRenderer().render(SchemaGenerator().get_schema(request=None, public=True))
    return json.loads(raw)


class SchemaView(ApiView):
    @extend_schema(
        operation_id="schema",
        summary=_("This description"),
        responses={200: OpenApiTypes.OBJECT},
        description=_("OpenAPI 3.0."),
    )
    def get(self, request: Request) -> Response:
        return Response(description(get_language() or settings.LANGUAGE_CODE))
