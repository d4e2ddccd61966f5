import sys
import traceback
from datetime import datetime, timezone

import pytest
from temporalio.service import RPCError, RPCStatusCode

from signalbox import errors
from signalbox._did_you_mean import nearest
from signalbox._temporal import to_client_error
from signalbox.errors import (
    Fault,
    InvalidManifestError,
    JobNotFoundError,
    KnownJob,
    NameTakenError,
    RefusedError,
    WaitTimeoutError,
    error_of,
)


def test_an_error_of_the_engine_has_its_class_words_and_fields() -> None:
    fields = {"remedy": "Stop that job.", "workflowId": "job/ml/a", "phase": "Running", "since": "2026-01-02T03:04:05Z"}
    error = error_of("NameTaken", "Another manifest runs.", [fields])
    assert isinstance(error, NameTakenError)
    assert (error.message, error.remedy, error.workflow_id, error.phase) == (
        "Another manifest runs.",
        "Stop that job.",
        "job/ml/a",
        "Running",
    )
    assert error.since == datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    assert str(error) == "Another manifest runs."


@pytest.mark.skipif(sys.version_info < (3, 11), reason="notes came with Python 3.11")
def test_a_traceback_says_message_and_remedy_once() -> None:
    error = error_of("NameTaken", "Another manifest runs.", [{"remedy": "Stop that job."}])
    shown = "".join(traceback.format_exception(error))
    assert [shown.count(text) for text in ("Another manifest runs.", "Stop that job.")] == [1, 1]


def test_faults_and_known_jobs_have_their_types() -> None:
    faults = [{"path": "spec", "expected": "an object", "got": "7"}]
    invalid = error_of("InvalidManifest", "It has an error.", [{"faults": faults}])
    assert isinstance(invalid, InvalidManifestError)
    assert invalid.faults == (Fault("spec", "an object", "7"),)
    jobs = [{"runIds": ["r1", "r0"], "phase": "Failed", "startTime": "2026-01-02T03:04:05Z"}]
    missing = error_of("JobNotFound", "There is no job a@r9.", [{"workflowId": "a", "known": jobs}])
    assert isinstance(missing, JobNotFoundError)
    assert missing.known == (KnownJob(("r1", "r0"), "Failed", datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)),)
    assert missing.remedy is None


def test_what_an_engine_of_another_version_does_not_say_is_empty() -> None:
    missing = error_of("JobNotFound", "There is no job a.")
    assert isinstance(missing, JobNotFoundError)
    assert (missing.known, missing.others) == ((), ())


def test_an_error_of_an_unknown_code_is_a_refusal() -> None:
    error = error_of("Novel", "Something new.", [{"remedy": "Update."}])
    assert isinstance(error, RefusedError)
    assert error.remedy == "Update."


def test_every_class_has_the_code_of_its_name() -> None:
    classes = {name: one for name, one in vars(errors).items() if name.endswith("Error") and name != "SignalboxError"}
    assert {name: one.code for name, one in classes.items()} == {name: name.removesuffix("Error") for name in classes}


def test_a_wait_that_takes_too_long_is_also_a_timeout_error() -> None:
    with pytest.raises(TimeoutError, match=r"a has not ended within 1\.5 s\."):
        raise WaitTimeoutError("a", 1.5)


def test_a_namespace_that_temporal_does_not_have_is_no_missing_job() -> None:
    error = to_client_error(RPCError("Namespace mll is not found.", RPCStatusCode.NOT_FOUND, b""), "", "a", "mll")
    assert isinstance(error, RefusedError)
    assert error.message == "Temporal has no namespace mll."
    assert "temporal operator namespace create --namespace mll --retention 30d" in str(error.remedy)


def test_a_missing_job_names_the_one_that_was_probably_meant() -> None:
    near = nearest("t11", ["eval", "t1"])
    assert str(JobNotFoundError("job/ml/t11", near=near)) == "There is no job job/ml/t11; did you mean t1?"
    assert str(JobNotFoundError("job/ml/t11")) == "There is no job job/ml/t11."


def test_two_neighbours_that_are_swapped_are_one_slip() -> None:
    assert [nearest(word, ["name", "train"]) for word in ("nmae", "trian", "amne")] == ["name", "train", None]
