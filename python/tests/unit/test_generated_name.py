import re

from signalbox._manifest import with_generated_name


def test_a_name_follows_from_the_key_as_in_typescript() -> None:
    # test/client/generated-name.test.ts has the same names.
    sweep = {"generateName": "sweep-", "labels": {"a": "b"}}
    assert with_generated_name(sweep, "nightly-2026-11-23") == {"labels": {"a": "b"}, "name": "sweep-pckx4wdz"}
    assert with_generated_name(sweep, "schlüssel 训练")["name"] == "sweep-fl56pnzn"


def test_without_a_key_each_name_is_another() -> None:
    first, second = (with_generated_name({"generateName": "sweep-"}, None)["name"] for _ in range(2))
    assert re.fullmatch(r"sweep-[b-z2-9]{8}", first)
    assert first != second


def test_a_name_that_is_there_stays() -> None:
    given = {"name": "mine", "generateName": "sweep-"}
    assert with_generated_name(given, "k") == given
