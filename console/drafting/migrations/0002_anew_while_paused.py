from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('drafting', '0001_initial'),
        ('matters', '0002_counts_and_applied_operations'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='draftjob',
            name='one_active_job_a_document',
        ),
        migrations.AddConstraint(
            model_name='draftjob',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['queued', 'running'])), fields=('document',), name='one_working_job_a_document'),
        ),
    ]
