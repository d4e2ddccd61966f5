import time

from manifests import pytorch
from signalbox import SyncClient


def test_every_call_blocks(name: str) -> None:
    with SyncClient.connect(submitted_by="a test") as client:
        job = client.submit(pytorch(name, ends=None), labels={"run": name})
        for status in job.watch():
            if status.phase == "Running":
                break
        assert job.status().phase == "Running"
        job.hold(0, by="ana")
        assert job.stop() == "requested"
        assert job.wait().phase == "Stopped"
        assert client.find(name).summary().has_ended
        assert job.history()[-1].phase == "Stopped"
        assert client.submit_and_wait(pytorch(name)).phase == "Completed"
        [attempt] = client.submit_many([pytorch(name)])
        assert (attempt.index, attempt.error, attempt.job.submission) == (0, None, "already-completed")


def test_archived_jobs_block_too(name: str) -> None:
    with SyncClient.connect() as client:
        manifest = pytorch(name)
        job = client.submit(manifest, workflow_id=f"custom-{name}")
        assert job.wait().phase == "Completed"
        while not (found := [one for one in client.archive.list(name=name) if one.summary.name == name]):
            time.sleep(0.2)
        assert found[0].outcome().phase == "Completed"
        assert client.archive.find(workflow_id=job.workflow_id).history() == job.history()
        plan = client.plan_rerun(archived=found[0])
        assert plan.parent.workflow_id == job.workflow_id
