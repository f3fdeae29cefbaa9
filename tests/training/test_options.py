"""Options: one table for the page and the command line, and what is refused."""

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("sb3_contrib")

from catan_env.training import command_line, config, ranges, self_play
from catan_env.training.expert_iteration import iterate
from catan_env.training.imitation import clone
from catan_env.training.imitation.demonstrations import Source
from catan_env.training.networks.kinds import KINDS as KINDS_OF_NETWORKS
from catan_env.training.sb3 import train
from catan_env.training.self_play import Args
from catan_env.training.value_function import tune
from docs.generate.training_options import page

ROOT = Path(__file__).resolve().parents[2]
KINDS = [self_play.Args, iterate.Args, clone.Args, train.Args]


def test_the_page_is_made_from_the_options():
    """`python -m docs.generate.training_options docs` writes it."""
    assert (ROOT / "docs" / "training_options.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__module__.rpartition(".")[2])
def test_every_option_says_what_it_is(kind):
    assert [name for name, _, _, text in command_line.options_of(kind) if not text] == []


def test_the_command_line_overrides_the_file(tmp_path):
    path = tmp_path / "new.toml"
    path.write_text("num_envs = 10\n[env_options]\nseats = 2\nrules = 'base'\n")
    given = [str(path), str(tmp_path), "--num-steps", "7", "--env-options", "rules=duel"]
    given += ["--opponents", "greedy", "random", "--checkpoint-every=3"]
    args = self_play.args_of(command_line.parsed(self_play.parser(), given))
    assert (args.batch_size, args.checkpoint_every) == (70, 3)
    assert args.env_options == {"seats": 2, "rules": "duel"}
    assert args.opponents == ["greedy", "random"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("clip", "clip, which is not an option; similar: clip_coef"),
        ("learning_rat", "learning_rat, which is not an option; similar: learning_rate, "),
        ("luck", "luck, which is not an option; allowed are seed, env, env_options, "),
    ],
)
def test_an_unknown_option_of_a_file_is_refused_with_options_of_similar_names(
    name, reason, tmp_path, capsys
):
    path = tmp_path / "old.toml"
    path.write_text(f"seed = 1\n{name} = 0.1\n")
    with pytest.raises(SystemExit):
        self_play.main([str(path), str(tmp_path / "run")])
    (line,) = capsys.readouterr().err.splitlines()
    assert f"self_play: {str(path)!r} sets {reason}" in line


def test_an_unknown_option_of_the_command_line_is_refused(tmp_path, capsys):
    path = tmp_path / "new.toml"
    path.touch()
    with pytest.raises(SystemExit):
        self_play.main([str(path), str(tmp_path / "run"), "--keep-every=3"])
    assert capsys.readouterr().err.endswith("unrecognized arguments: --keep-every=3\n")


def test_help_gives_each_option_with_its_default(capsys):
    with pytest.raises(SystemExit):
        self_play.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "--clip-coef FLOAT clipping of the probability ratio (default: 0.2)" in text


def test_help_names_every_kind_of_network(capsys):
    with pytest.raises(SystemExit):
        self_play.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    kinds = ", ".join(KINDS_OF_NETWORKS)
    assert f"--network STR {kinds}, your own module:Class, or a game's module" in text


@pytest.mark.parametrize("path", sorted((ROOT / "training" / "configs").glob("*.toml")))
def test_the_configurations_are_read(path):
    kinds = {"expert": (iterate.Args, {}), "imitate": (clone.Args, {"sources": Source}),
             "ppo": (train.Args, {})}  # fmt: skip
    if path.stem == "value_by_hand":
        return
    kind, tables = kinds.get(path.stem.partition("_")[0], (Args, {}))
    config.read(kind, path, **tables)


WRONG = [
    ("checkpoint_every", "0", "1 or more"),
    ("minibatch_size", "0", "1 or more"),
    ("update_epochs", "0", "1 or more"),
    ("teacher_steps", "0", "1 or more"),
    ("total_timesteps", "-5", "1 or more"),
    ("opponent_fraction", "1.5", "0..1"),
    ("gamma", "5.0", "0..1"),
    ("past_selves", "-1", "0 or more"),
    ("learning_rate", "0.0", "numbers above 0"),
    ("seed", "-1", "0..2147483647"),
    ("seed", str(2**64), "0..2147483647"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG)
def test_a_number_outside_its_range_is_refused_with_one_line(
    name, value, allowed, tmp_path, capsys
):
    path, folder = tmp_path / "a.toml", tmp_path / "run"
    path.write_text(f"{name} = {value}\n")
    option = f"--{name.replace('_', '-')}"
    for given in ([str(path)], [str(tmp_path / "empty.toml"), option, value]):
        (tmp_path / "empty.toml").touch()
        with pytest.raises(SystemExit):
            self_play.main([*given, str(folder)])
        (line,) = capsys.readouterr().err.splitlines()
        assert line == f"python -m catan_env.training.self_play: {name} is {value}; " + (
            f"allowed are {allowed}"
        )
    assert not folder.exists()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("num_envs = 1.5", "num_envs is 1.5; allowed are whole numbers"),
        ('gamma = "x"', "gamma is 'x'; allowed are 0..1"),
        ("num_steps = true", "num_steps is True; allowed are 1 or more"),
    ],
)
def test_something_else_than_a_number_is_refused(line, reason, tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(line)
    with pytest.raises(ValueError, match=reason):
        config.read(Args, path)


@pytest.mark.parametrize(
    ("option", "reason"),
    [("--threads=0", "--threads is 0; allowed are 1 or more"), ("--device=nope", "'nope': ")],
)
def test_threads_and_devices_that_are_not_there_are_refused(option, reason, tmp_path, capsys):
    path = tmp_path / "a.toml"
    path.touch()
    with pytest.raises(SystemExit):
        self_play.main([str(path), str(tmp_path / "run"), option])
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line


@pytest.mark.parametrize("kind", [*KINDS, Source, tune.Args])
def test_each_number_has_a_range_and_each_default_is_in_it(kind):
    numbers = {
        name: default
        for name, _, default, _ in command_line.options_of(kind)
        if isinstance(default, int | float) and not isinstance(default, bool)
    }
    assert kind is Source or kind.RANGES["seed"] is ranges.SEED
    assert {*kind.RANGES} | {"reward_scale"} == {*numbers} | {"reward_scale"}
    assert [name for name in kind.RANGES if numbers[name] not in kind.RANGES[name]] == []


def test_a_module_that_exits_when_it_is_imported_is_refused(tmp_path, monkeypatch):
    (tmp_path / "leaves.py").write_text("exit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="'leaves:reward': its module exits when it is imported"):
        config.named("leaves:reward")
