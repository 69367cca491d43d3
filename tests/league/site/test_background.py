"""How background work is set up: a message is a hint, and the sweep is always on."""

from league.celery import app


def test_every_task_of_the_schedule_exists_and_the_sweep_is_one_of_them():
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert "matches.sweep" in scheduled
    assert scheduled <= set(app.tasks)
    assert "matches.verify_record" in app.tasks


def test_a_message_is_acknowledged_after_its_work_and_a_dead_broker_is_not_waited_for():
    settings = {
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "task_publish_retry": False,
        "task_ignore_result": True,
    }
    assert {key: app.conf[key] for key in settings} == settings
    # A task may not outlive the time after which Redis hands it to somebody else.
    assert app.conf.task_time_limit < 600
