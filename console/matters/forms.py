"""The form of a new matter."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from console.accounts.models import Team, User
from console.matters import selectors
from console.matters.characters import clean_line
from console.matters.models import DocumentKind, Jurisdiction, Language, Matter

# Guidelines P1C1§4.1.1: normally at most 25 characters, never more than 60.
TITLE_USUAL = 25
TITLE_LIMIT = 60


class MatterForm(forms.ModelForm):  # type: ignore[type-arg]
    """`team` offers the user's own teams only; with a single one it need not be sent."""

    kinds = forms.MultipleChoiceField(
        label=_("文件"),
        choices=DocumentKind,
        initial=[DocumentKind.CLAIMS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    class Meta:
        model = Matter
        fields = ["title", "reference", "jurisdiction", "language", "team"]

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        teams = selectors.teams_of(user)
        field = cast("forms.ModelChoiceField[Team]", self.fields["team"])
        field.queryset = teams
        field.empty_label = None
        self._only_team: Team | None = teams.first() if len(teams[:2]) == 1 else None
        if self._only_team:
            field.required = False
            field.initial = self._only_team
        for name, initial in (("jurisdiction", Jurisdiction.CN), ("language", Language.ZH)):
            self.fields[name].initial = initial
            self.fields[name].required = False

    def clean_title(self) -> str:
        title = clean_line(self.cleaned_data["title"])
        if not title:
            raise forms.ValidationError(_("请填写发明名称。"), code="required")
        if len(title) > TITLE_LIMIT:
            raise forms.ValidationError(
                _("发明名称有%(count)d个字，不得超过%(limit)d个字。"),
                code="title_too_long",
                params={"count": len(title), "limit": TITLE_LIMIT},
            )
        return title

    def clean_reference(self) -> str:
        return clean_line(self.cleaned_data["reference"])

    def clean_jurisdiction(self) -> str:
        return self.cleaned_data["jurisdiction"] or Jurisdiction.CN

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or Language.ZH

    def clean_team(self) -> Team | None:
        return self.cleaned_data["team"] or self._only_team

    def clean_kinds(self) -> list[str]:
        """Claims are what every matter is about."""
        return list(dict.fromkeys([DocumentKind.CLAIMS.value, *self.cleaned_data["kinds"]]))
