"""Photo of a case, for its judge, second official and appeal body; each look is logged."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.disputes.models import DisputePhoto
from league.disputes.protests.photos import look_at_photo
from league.disputes.queries import visible_disputes
from league.errors import NotAllowed, Refused


@require_safe
@never_cache
def show(request: HttpRequest, code: str, number: int) -> HttpResponse:
    dispute = visible_disputes(request.user).filter(code=code[:20].upper()).first()
    if dispute is None:
        raise Http404
    try:
        image = look_at_photo(dispute, number, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except (Refused, DisputePhoto.DoesNotExist) as gone:
        raise Http404 from gone
    headers = {"X-Robots-Tag": "noindex, nofollow", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(image, content_type="image/jpeg", headers=headers)
