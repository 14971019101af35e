from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DraftingConfig(AppConfig):
    name = "console.drafting"
    label = "drafting"
    verbose_name = _("起草")
