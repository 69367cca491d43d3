"""The examples in the documentation of `games` and `referee` are true."""

import doctest
import importlib
import pkgutil

import pytest

import games
import referee

MODULES = sorted(
    module.name
    for package in (games, referee)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    tried = sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES)
    assert tried > 20
