# _interface.py: the list of libgable's functions, from the file that an installation has or from the headers of a checkout.
# SPDX-License-Identifier: BSD-3-Clause
"""The list of libgable's functions: interface.json beside this file, else bindings/interface.py.

The installed file is what bindings/interface.py makes of the headers, with contracts stored once.
"""
from __future__ import annotations

import importlib.util
import json
import os
from typing import Any, Dict

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "interface.json")


def checkout() -> str:
    """The root of the checkout that this package lies in; "" where it is installed."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
    script = os.path.join(root, "bindings", "interface.py")
    inside = os.path.join(root, "bindings", "python", "gable_linalg") == HERE
    return root if inside and os.path.exists(script) else ""


def from_headers(root: str) -> Dict[str, Any]:
    """The list, read from the headers of a checkout."""
    path = os.path.join(root, "bindings", "interface.py")
    spec = importlib.util.spec_from_file_location("gable_interface", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    listed: Dict[str, Any] = module.load()
    return listed


def load() -> Dict[str, Any]:
    """The list as bindings/interface.py documents it."""
    root = checkout()
    if root:
        return from_headers(root)
    with open(FILE, encoding="utf-8") as file:
        listed: Dict[str, Any] = json.load(file)
    for function in listed["functions"]:
        function["contract"] = listed["contracts"][function["contract"]]
    return listed
