"""The groups behind the roles, so that a user can be given one from the first day."""

from django.db import migrations

ROLES = ["agent", "rule_author", "operator"]


def create_groups(apps, schema_editor):
    group = apps.get_model("auth", "Group")
    for name in ROLES:
        group.objects.get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_failed_logins"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(create_groups, migrations.RunPython.noop)]
