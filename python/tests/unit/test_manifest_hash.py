import json
from typing import Any

import pytest

from signalbox._manifest_hash import canonical_json, manifest_hash_of

# What JavaScript's JSON.stringify writes.
NUMBERS = [
    (1.0, "1"),
    (-0.0, "0"),
    (0.1, "0.1"),
    (1.5e-7, "1.5e-7"),
    (1e-6, "0.000001"),
    (123456.789, "123456.789"),
    (1e16, "10000000000000000"),
    (1e20, "100000000000000000000"),
    (1e21, "1e+21"),
    (1.25e30, "1.25e+30"),
    (-5e-324, "-5e-324"),
    (2**53, "9007199254740992"),
    (2**60, "1152921504606847000"),
    (10**25, "1e+25"),
    (float("inf"), "null"),
]


@pytest.mark.parametrize(("number", "text"), NUMBERS)
def test_numbers_are_written_as_javascript_does(number: float, text: str) -> None:
    assert canonical_json(number) == text


def test_keys_are_sorted_by_utf16_code_units_also_if_they_are_integers() -> None:
    value = {"b": 1, "a": 2, "10": 3, "9": 4, "B": 5, "é": 6, "\U0001f600": 7, "ﬁ": 8}
    assert canonical_json(value) == '{"10":3,"9":4,"B":5,"a":2,"b":1,"é":6,"\U0001f600":7,"ﬁ":8}'


def test_the_order_of_keys_does_not_count_and_that_of_lists_does() -> None:
    assert manifest_hash_of({"a": 1, "b": {"c": 2, "d": 3}}) == manifest_hash_of({"b": {"d": 3, "c": 2}, "a": 1})
    assert manifest_hash_of({"a": [1, 2]}) != manifest_hash_of({"a": [2, 1]})


def test_canonical_json_is_json() -> None:
    value = {"b": [{"z": None, "y": 'ü"\u2028\n', "x": True}], "lone": "\ud800"}
    assert json.loads(canonical_json(value)) == value


def test_the_hash_is_the_one_that_typescript_clients_record() -> None:
    recorded = "6872c2475275a3573f901e68cabdae676b60f295f3003099fb9bacc97c051ade"
    assert manifest_hash_of({"kind": "PyTorchJob", "metadata": {"name": "a"}}) == recorded


def test_what_an_api_server_and_programs_add_does_not_count() -> None:
    metadata: dict[str, Any] = {"name": "a", "namespace": "ml", "labels": {"team": "nlp"}}
    written = {"kind": "PyTorchJob", "metadata": {**metadata, "annotations": {"example.com/data": "1"}}}
    annotations = {
        "example.com/data": "1",
        "kubectl.kubernetes.io/last-applied-configuration": "{}",
        "signalbox.dev/requested-by": "ana",
    }
    added = {"uid": "1-2-3", "resourceVersion": "42", "managedFields": [{}], "generateName": "a"}
    read = {**written, "metadata": {**metadata, **added, "annotations": annotations}, "status": {"conditions": []}}
    assert manifest_hash_of(read) == manifest_hash_of(written)
