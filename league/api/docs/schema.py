"""How the OpenAPI description reads our views."""

from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import SAFE_METHODS


class Description(AutoSchema):
    """Knows our lists, of which an act answers with one row, and that reading is open to everybody."""

    def _is_list_view(self, serializer: object = None) -> bool:
        if self.method not in SAFE_METHODS:
            return False
        return hasattr(self.view, "entries") or super()._is_list_view(serializer)

    def get_description(self) -> str:
        """What a docstring says is for those who read the code, and not translated."""
        return ""

    def get_auth(self) -> list[dict[str, list[str]]]:
        is_open = self.method in SAFE_METHODS or getattr(self.view, "act_scope", None) is None
        return [*super().get_auth(), *([{}] if is_open else [])]
