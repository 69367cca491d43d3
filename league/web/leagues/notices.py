"""Official notices of a league: public to read; owners and managers write them."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions import notices
from league.competitions.models import Competition, Notice
from league.competitions.models.notice import LONGEST_REASON, LONGEST_TEXT, LONGEST_TITLE
from league.competitions.notices import Wording, amend_notice, publish_notice, withdraw_notice
from league.errors import NotAllowed, Refused
from league.web.shared.access import Inside, door, inside, league_or_404
from league.web.shared.forms import DressedForm
from league.web.shared.pagination import page_of

NOTICES_A_PAGE = 12


class NoticeForm(DressedForm):
    """Wording of a notice; its subject is set only at publication."""

    title = forms.CharField(label=pgettext_lazy("form field", "Title"), max_length=LONGEST_TITLE)
    text = forms.CharField(
        label=pgettext_lazy("form field", "Text"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=pgettext_lazy("notice", "An empty line begins a new paragraph."),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    @property
    def wording(self) -> Wording:
        return Wording(title=self.cleaned_data["title"], text=self.cleaned_data["text"])


class NewNoticeForm(NoticeForm):
    about = forms.ModelChoiceField(
        label=pgettext_lazy("form field", "About"),
        queryset=Competition.objects.none(),
        required=False,
        empty_label=pgettext_lazy("notice", "the league as a whole"),
        to_field_name="slug",
    )
    field_order = ("about", "title", "text")

    def __init__(self, *args: Any, league: League, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["about"].queryset = notices.competitions_to_tell_of(league)


class ReasonForm(DressedForm):
    reason = forms.CharField(
        label=pgettext_lazy("form field", "Why (optional, everybody reads it)"),
        max_length=LONGEST_REASON,
        required=False,
    )


def index(request: HttpRequest, slug: str) -> HttpResponse:
    """List the notices, newest first, including withdrawn ones."""
    here = inside(request.user, league_or_404(slug))
    page = page_of(request, notices.notices_of(request.user, here.league), NOTICES_A_PAGE)
    context = {"here": here, "league": here.league, "page": page, "area": "leagues"}
    return render(request, "leagues/notices.html", context)


def detail(request: HttpRequest, slug: str, notice_id: int) -> HttpResponse:
    """Show a notice, its earlier versions, and its withdrawal."""
    here = inside(request.user, league_or_404(slug))
    notice = _notice(request, here.league, notice_id)
    now, *before = notices.versions_of(notice)
    context = {
        "here": here,
        "league": here.league,
        "notice": notice,
        "version": now,
        "before": before,
        "area": "leagues",
    }
    return render(request, "leagues/notice.html", context)


@never_cache
@door(Act.PUBLISH_NOTICES)
def new(request: HttpRequest, here: Inside) -> HttpResponse:
    """Publish a notice; `?about=` preselects a competition."""
    form = NewNoticeForm(request.POST or None, league=here.league, initial={"about": request.GET.get("about")})

    def act() -> Notice:
        about = form.cleaned_data["about"]
        return publish_notice(here.league, form.wording, user=request.user, competition=about)

    return _written(request, here, form, act, _("The notice is published."), "leagues/notice_new.html")


@never_cache
@door(Act.PUBLISH_NOTICES)
def amend(request: HttpRequest, here: Inside, notice_id: int) -> HttpResponse:
    notice = _notice(request, here.league, notice_id)
    last = notices.versions_of(notice)[0]
    initial = {"title": last.title, "text": last.text, "seen": last.number}
    form = NoticeForm(request.POST or None, initial=initial)

    def act() -> Notice:
        seen = form.cleaned_data["seen"] or 0
        return amend_notice(notice, form.wording, user=request.user, seen=seen)

    told = _("The notice is amended. Its earlier text can still be read.")
    return _written(request, here, form, act, told, "leagues/notice_amend.html", notice)


@never_cache
@door(Act.PUBLISH_NOTICES)
def withdraw(request: HttpRequest, here: Inside, notice_id: int) -> HttpResponse:
    notice = _notice(request, here.league, notice_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)

    def act() -> Notice:
        return withdraw_notice(notice, user=request.user, reason=form.cleaned_data["reason"])

    told = _("The notice is withdrawn. Everybody still reads what it said, and that it does not hold any more.")
    return _written(request, here, form, act, told, "leagues/notice_withdraw.html", notice)


def _written(
    request: HttpRequest,
    here: Inside,
    form: forms.Form,
    act: Callable[[], Notice],
    told: str,
    template: str,
    notice: Notice | None = None,
) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        try:
            done = act()
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, told)
            return redirect("notices:detail", here.league.slug, done.pk)
    version = notices.versions_of(notice)[0] if notice else None
    context = {
        "form": form,
        "here": here,
        "league": here.league,
        "notice": notice,
        "version": version,
        "area": "leagues",
    }
    return render(request, template, context, status=422 if form.errors else 200)


def _notice(request: HttpRequest, league: League, notice_id: int) -> Notice:
    try:
        return notices.notice_of(request.user, league, notice_id)
    except Notice.DoesNotExist as absent:
        raise Http404 from absent
