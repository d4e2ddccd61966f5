import pytest

from signalbox import EvidenceAwayError
from signalbox._evidence import key_at_end_of


def test_a_key_is_the_end_of_a_reference() -> None:
    assert key_at_end_of("/var/evidence/ml/job/uid/1/pod-uid.json") == "ml/job/uid/1/pod-uid.json"


@pytest.mark.parametrize("path", ["/a/b", "x/../../../etc/passwd.json", "a/b/c/1/pod.txt", "a/b/c/..d/e.json"])
def test_nothing_outside_the_store_has_a_key(path: str) -> None:
    with pytest.raises(EvidenceAwayError):
        key_at_end_of(path)
