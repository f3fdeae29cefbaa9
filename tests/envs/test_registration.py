"""`import catan_env` registers the environments in both registries without slowing the import."""

import os
import subprocess
import sys

import pytest


def run(code):
    """The lines that the code prints in a new interpreter, which compiles and loads nothing."""
    environment = os.environ | {"CATAN_ENV_ENGINE": "python"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


MAKE = """
aec = pettingzoo.make("aec", "catan/Catan-v0", seats=3)
aec.reset(seed=1)
single = gymnasium.make("Catan-v0", seats=3)
print(aec.num_agents, single.reset(seed=1)[0]["observation"].shape)
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import catan_env, gymnasium, pettingzoo",
        "import pettingzoo, gymnasium, catan_env",
        "import gymnasium, catan_env, pettingzoo",
        "import catan_env; catan_env.env(); import pettingzoo, gymnasium",
        "import importlib.util as u, catan_env; u.find_spec('gymnasium');"
        "import gymnasium, pettingzoo",
    ],
)
def test_both_registries_have_it_in_whatever_order_they_come(imports):
    assert run(f"{imports}\n{MAKE}") == ["3 (913,)"]


def test_gymnasium_imports_it_by_the_name_of_its_module():
    code = "import gymnasium; print(gymnasium.make('catan_env:Catan-v0', opponents='builder').spec)"
    assert "Catan-v0" in run(code)[0]


def test_a_parallel_environment_is_refused_with_the_available_one():
    code = """
import catan_env, pettingzoo
try:
    pettingzoo.make("parallel", "catan/Catan-v0", seats=3)
except ValueError as error:
    print(error)
"""
    (said,) = run(code)
    assert said.startswith(
        "Catan has no parallel environment: its seats choose one after the other"
    )
    assert said.endswith('allowed is pettingzoo.make("aec", "catan/Catan-v0")')


def test_importing_the_package_loads_no_library():
    heavy = "numpy numba gymnasium pettingzoo torch matplotlib policies"
    code = f"import sys, catan_env; print([m for m in {heavy.split()!r} if m in sys.modules])"
    assert run(code) == ["[]"]


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_the_game_needs_neither_library_and_the_environments_name_the_missing_one(missing):
    code = f"""
import sys
sys.modules[{missing!r}] = None
import catan_env
print(catan_env.Game(seed=1).seat)
try:
    catan_env.env
except ImportError as error:
    print(error)
"""
    said = f"this environment needs {missing}: pip install . in a checkout of catan_env"
    assert run(code) == ["0", said]


def test_the_single_seat_needs_gymnasium_alone():
    code = """
import sys
sys.modules["pettingzoo"] = None
import gymnasium
print(gymnasium.make("catan_env:Catan-v0").reset(seed=1)[1])
"""
    assert run(code) == ["{}"]
