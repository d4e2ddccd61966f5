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
