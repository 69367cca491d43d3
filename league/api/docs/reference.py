"""OpenAPI description in a form that a template can iterate over."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Member:
    """A parameter, or a member of a body: `path` as in `sides[].player.code`."""

    path: str
    kind: str
    text: str
    required: bool
    where: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    anchor: str
    method: str
    path: str
    summary: str
    text: str
    parameters: list[Member]
    bodies: list[str]
    example: str
    answers: list[tuple[str, str]]
    members: list[Member]


def operations(document: Mapping[str, Any]) -> list[Operation]:
    """Return the operations in the order of the document."""
    return [
        _operation(path, method, one, document)
        for path, methods in document["paths"].items()
        for method, one in methods.items()
    ]


def _operation(path: str, method: str, one: Mapping[str, Any], document: Mapping[str, Any]) -> Operation:
    content = one.get("requestBody", {}).get("content", {})
    success = next((answer for status, answer in one["responses"].items() if status.startswith("2")), {})
    schema = success.get("content", {}).get("application/json", {}).get("schema", {})
    return Operation(
        anchor=one["operationId"],
        method=method.upper(),
        path=path,
        summary=one.get("summary", ""),
        text=one.get("description", ""),
        parameters=[_parameter(parameter) for parameter in one.get("parameters", ())],
        bodies=list(content),
        example=_example(content),
        answers=[(status, _said(answer)) for status, answer in sorted(one["responses"].items())],
        members=_members(schema, document),
    )


def _said(answer: Mapping[str, Any]) -> str:
    return answer.get("description", "").replace("`", "")


def _example(content: Mapping[str, Any]) -> str:
    examples = next(iter(content.values()), {}).get("examples", {})
    value = next(iter(examples.values()), {}).get("value", "")
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _parameter(one: Mapping[str, Any]) -> Member:
    return Member(
        path=one["name"],
        kind=kind_of(one["schema"]),
        text=one.get("description", ""),
        required=one.get("required", False),
        where=one["in"],
    )


def kind_of(schema: Mapping[str, Any]) -> str:
    """Describe a schema in a few words: `integer`, `string (date-time)`, `scheduled | playing`."""
    if values := schema.get("enum"):
        return " | ".join("null" if value is None else str(value) or "“”" for value in values)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(kind_of(one) for one in schema[several])
    form = f" ({schema['format']})" if "format" in schema else ""
    return f"{schema.get('type', 'object')}{form}"


def _members(schema: Mapping[str, Any], document: Mapping[str, Any], before: str = "") -> list[Member]:
    """Return every member of a body, nested ones after their parent."""
    schema = _resolved(schema, document)
    if schema.get("type") == "array":
        return _members(schema["items"], document, f"{before}[]")
    found: list[Member] = []
    for name, given in schema.get("properties", {}).items():
        one = _resolved(given, document)
        path = f"{before}.{name}" if before else name
        null = " | null" if given.get("nullable") or one.get("nullable") else ""
        required = name in schema.get("required", ())
        found.append(Member(path, kind_of(one) + null, given.get("description", ""), required))
        found.extend(_members(one, document, path))
    return found


def _resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replace a reference, or the single schema of an `allOf`, by its target."""
    while True:
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            schema = document["components"]["schemas"][target]
        elif len(schema.get("allOf", ())) == 1:
            schema = schema["allOf"][0]
        else:
            return schema
