from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MattersConfig(AppConfig):
    name = "console.matters"
    label = "matters"
    verbose_name = _("案件")
