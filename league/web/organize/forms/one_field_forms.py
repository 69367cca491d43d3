"""Forms of one field. Their services check the values."""

from django import forms


class TypedForm(forms.Form):
    """The word of `organize/type_it.html`, which confirms an act."""

    word = forms.CharField(required=False, strip=False)


class PlayersForm(forms.Form):
    """Names, one on each line."""

    players = forms.CharField(required=False, strip=False)


class OptionalReasonForm(forms.Form):
    reason = forms.CharField(required=False)
