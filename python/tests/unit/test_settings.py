from pathlib import Path

import pytest

from signalbox import SettingsError
from signalbox._settings import connection_settings


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "TEMPORAL_API_KEY", "TEMPORAL_TLS"):
        monkeypatch.delenv(name, raising=False)


def test_defaults_are_those_of_the_command_line() -> None:
    found = connection_settings(None, None, None, None)
    assert (found.address, found.namespace, found.tls) == ("localhost:7233", "default", False)


def test_arguments_win_over_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", "there:1")
    assert connection_settings(None, None, None, None).address == "there:1"
    assert connection_settings("argument:3", None, None, None).address == "argument:3"


def test_an_api_key_switches_tls_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_API_KEY", "secret")
    assert connection_settings(None, None, None, None).tls is True


def test_certificates_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CLIENT_CERT", "CLIENT_KEY"):
        (tmp_path / name).write_text(name)
        monkeypatch.setenv(f"TEMPORAL_TLS_{name}_PATH", str(tmp_path / name))
    tls = connection_settings(None, None, None, None).tls
    assert not isinstance(tls, bool)
    assert (tls.client_cert, tls.client_private_key) == (b"CLIENT_CERT", b"CLIENT_KEY")


def test_the_name_in_the_certificate_may_differ_from_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_TLS_SERVER_NAME", "ml.temporal.example")
    tls = connection_settings(None, None, None, None).tls
    assert not isinstance(tls, bool)
    assert tls.domain == "ml.temporal.example"


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("TEMPORAL_ADDRESS", "no port", "TEMPORAL_ADDRESS: expected host:port, got 'no port'"),
        ("TEMPORAL_TLS", "maybe", "TEMPORAL_TLS: expected true or false, got 'maybe'"),
        ("TEMPORAL_TLS_CLIENT_KEY_PATH", "/key", "expected both or none, got one"),
        ("TEMPORAL_TLS_SERVER_CA_CERT_PATH", "/nothing/here", "/nothing/here: expected a file that can be read"),
    ],
)
def test_wrong_settings_are_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, part: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        connection_settings(None, None, None, None)
    assert part in str(caught.value)
