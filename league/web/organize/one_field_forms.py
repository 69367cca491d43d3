"""Forms of one field that several pages share. Their services check the values."""

from django import forms


class TypedForm(forms.Form):
    """The word of `organize/type_it.html`, which confirms an act."""

    word = forms.CharField(required=False, strip=False)


class OptionalReasonForm(forms.Form):
    reason = forms.CharField(required=False)
