"""Users, teams and the audit log in the admin, for operators.

Who is in a team reads the team's matters: each change of a membership or role is put on record.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import Model, QuerySet
from django.forms import BaseModelForm, ModelForm, ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from console.accounts import audit
from console.accounts.models import AuditEntry, Membership, Role, Team, User

admin.site.unregister(Group)


class ForOperators:
    """Permission by role instead of by the table of single permissions."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_operator(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_operator(request)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_operator(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_operator(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_operator(request)


class RoleFilter(admin.RelatedFieldListFilter):
    """Roles by the name that people read, not by the group's."""

    def field_choices(
        self, field: Any, request: HttpRequest, model_admin: Any
    ) -> list[tuple[str, Any]]:
        return [(str(group.pk), _role_name(group)) for group in Group.objects.order_by("pk")]


class RoleField(ModelMultipleChoiceField):
    def label_from_instance(self, obj: Group) -> str:
        return _role_name(obj)


class ActionFilter(admin.SimpleListFilter):
    """The actions that the log has, by name."""

    title = _("操作")
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        found = AuditEntry.objects.order_by("action").values_list("action", flat=True).distinct()
        return [(action, audit.action_name(action)) for action in found]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(action=self.value()) if self.value() else queryset


class MembershipInline(ForOperators, TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(User)
class UserAdmin(ForOperators, DjangoUserAdmin, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "display_name", "roles", "is_active", "last_login"]
    list_filter = ["is_active", ("groups", RoleFilter)]
    search_fields = ["username", "display_name"]
    filter_horizontal = []  # three roles are ticked, not moved between two lists
    # Without is_superuser and single permissions: what an operator may give away is a role.
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (_("个人信息"), {"fields": ["display_name", "email"]}),
        (_("角色"), {"fields": ["is_active", "groups"]}),
    ]

    @admin.display(description=_("角色"))
    def roles(self, user: User) -> str:
        return "、".join(_role_name(group) for group in user.groups.all())

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest, **kwargs: Any
    ) -> ModelMultipleChoiceField | None:
        if db_field.name == "groups":
            kwargs |= {
                "form_class": RoleField,
                "widget": UnfoldAdminCheckboxSelectMultipleWidget,
                "label": _("角色"),
                "help_text": "",
            }
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """A superuser's account is closed to others, who could otherwise take it over."""
        if isinstance(obj, User) and obj.is_superuser and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Accounts are closed (is_active), not deleted: versions and audit entries name them."""
        return False

    def save_related(
        self, request: HttpRequest, form: BaseModelForm, formsets: Any, change: bool
    ) -> None:
        before = _groups(form.instance) if change else []
        super().save_related(request, form, formsets, change)
        audit.record(
            actor=_actor(request),
            action="user.change" if change else "user.create",
            target=f"user:{form.instance.pk}",
            fields=sorted(form.changed_data),
            roles_before=before,
            roles_after=_groups(form.instance),
        )


@admin.register(Team)
class TeamAdmin(ForOperators, ModelAdmin):
    list_display = ["name", "size"]
    search_fields = ["name"]
    inlines = [MembershipInline]

    @admin.display(description=_("人数"))
    def size(self, team: Team) -> int:
        return team.members.count()

    def save_related(
        self, request: HttpRequest, form: ModelForm, formsets: Any, change: bool
    ) -> None:
        before = _members(form.instance) if change else []
        super().save_related(request, form, formsets, change)
        audit.record(
            actor=_actor(request),
            action="team.change" if change else "team.create",
            target=f"team:{form.instance.pk}",
            members_before=before,
            members_after=_members(form.instance),
        )

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Team]) -> None:
        """Several at once are deleted and recorded like one."""
        for team in queryset:
            self.delete_model(request, team)

    def delete_model(self, request: HttpRequest, obj: Team) -> None:
        target, members = f"team:{obj.pk}", _members(obj)
        super().delete_model(request, obj)
        audit.record(
            actor=_actor(request), action="team.delete", target=target, members_before=members
        )


@admin.register(AuditEntry)
class AuditEntryAdmin(ForOperators, ModelAdmin):
    """To be read only."""

    list_display = ["at", "actor", "action_name", "target_name"]
    list_filter = [ActionFilter]
    list_select_related = ["actor"]
    search_fields = ["target"]
    date_hierarchy = "at"
    fields = ["at", "actor", "action_name", "target_name", "detail"]

    @admin.display(description=_("操作"), ordering="action")
    def action_name(self, entry: AuditEntry) -> str:
        return audit.action_name(entry.action)

    @admin.display(description=_("对象"), ordering="target")
    def target_name(self, entry: AuditEntry) -> SafeString:
        kind, target_id = audit.target_name(entry.target)
        return format_html('{} <span class="text-subtle text-xs">{}</span>', kind, target_id)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def _is_operator(request: HttpRequest) -> bool:
    user = _actor(request)
    return user is not None and (user.is_superuser or user.has_role(Role.OPERATOR))


def _actor(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _role_name(group: Group) -> str:
    return str(dict(Role.choices).get(group.name, group.name))


def _groups(user: User) -> list[str]:
    return sorted(user.groups.values_list("name", flat=True))


def _members(team: Team) -> list[int]:
    return sorted(team.members.values_list("pk", flat=True))
