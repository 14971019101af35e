from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OperationsConfig(AppConfig):
    name = "console.operations"
    label = "operations"
    verbose_name = _("运维")

    def ready(self) -> None:
        from console.operations import checks  # noqa: F401 - registers them
