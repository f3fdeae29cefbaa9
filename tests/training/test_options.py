"""Options: one table for the page and the command line, and the names of the previous version."""

from dataclasses import fields
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("sb3_contrib")

from catan_env.training import config, self_play
from catan_env.training.expert_iteration import iterate
from catan_env.training.imitation import clone
from catan_env.training.imitation.demonstrations import Source
from catan_env.training.sb3 import train
from catan_env.training.self_play import RENAMED, Args
from docs.generate.training_options import page

ROOT = Path(__file__).resolve().parents[2]
KINDS = [self_play.Args, iterate.Args, clone.Args, train.Args]


def test_the_page_is_made_from_the_options():
    """`python -m docs.generate.training_options docs` writes it."""
    assert (ROOT / "docs" / "training_options.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__module__.rpartition(".")[2])
def test_every_option_says_what_it_is(kind):
    assert [name for name, _, _, text in config.options_of(kind) if not text] == []


def test_new_names_are_options():
    for kind, renamed in zip(
        KINDS, (RENAMED, iterate.RENAMED, clone.RENAMED, train.RENAMED), strict=True
    ):
        assert set(renamed.values()) <= {field.name for field in fields(kind)}
        assert not renamed.keys() & {field.name for field in fields(kind)}
    assert set(clone.RENAMED_IN_SOURCES.values()) <= {field.name for field in fields(Source)}


def test_a_configuration_of_the_previous_version_is_read_with_a_line_for_each_name(
    tmp_path, capsys
):
    path = tmp_path / "old.toml"
    path.write_text(
        'num_games = 10\nrollout = 65\nluck = "catan_env.training.luck:Dice"\nentropy = 0.5\n'
        "[options]\nseats = 2\n"
    )
    args = config.read(Args, path, RENAMED)
    assert (args.num_envs, args.batch_size, args.ent_coef) == (10, 65, 0.5)
    assert args.control_variate == "catan_env.training.control_variate:Dice"
    assert args.env_options == {"seats": 2}
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 6
    assert f"{path}: rollout is called batch_size now" in lines


@pytest.mark.parametrize(
    ("lines", "batch_size"),
    [
        ("num_games = 512", 65_536),
        ("num_games = 512\nrollout = 4096", 4096),
        ("num_games = 512\nnum_steps = 2", 1024),
        ("num_envs = 512", 512 * 64),
    ],
)
def test_a_rollout_of_the_previous_version_has_the_same_length_for_any_number_of_games(
    lines, batch_size, tmp_path
):
    path = tmp_path / "old.toml"
    path.write_text(f"{lines}\n")
    wanted = config.parsed(self_play.parser(), [str(path), str(tmp_path)], RENAMED)
    assert self_play.args_of(wanted).batch_size == batch_size


def test_the_command_line_overrides_the_file(tmp_path, capsys):
    path = tmp_path / "new.toml"
    path.write_text("num_envs = 10\n[env_options]\nseats = 2\nrules = 'base'\n")
    given = [str(path), str(tmp_path), "--num-steps", "7", "--env-options", "rules=duel"]
    given += ["--opponents", "greedy", "random", "--keep-every=3"]
    wanted = config.parsed(self_play.parser(), given, RENAMED)
    args = config.read(Args, path, RENAMED, options=config.given_options(wanted, Args))
    assert (args.batch_size, args.checkpoint_every) == (70, 3)
    assert args.env_options == {"seats": 2, "rules": "duel"}
    assert args.opponents == ["greedy", "random"]
    assert "--keep-every is called --checkpoint-every now" in capsys.readouterr().err


def test_help_gives_each_option_with_its_default(capsys):
    with pytest.raises(SystemExit):
        self_play.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "--clip-coef FLOAT clipping of the probability ratio (default: 0.2)" in text


@pytest.mark.parametrize("path", sorted((ROOT / "training" / "configs").glob("*.toml")))
def test_the_configurations_use_the_new_names(path, capsys):
    kinds = {"expert": (iterate.Args, {}), "imitate": (clone.Args, {"sources": (Source, {})}),
             "ppo": (train.Args, {})}  # fmt: skip
    if path.stem == "value_by_hand":
        return
    kind, tables = kinds.get(path.stem.partition("_")[0], (Args, {}))
    config.read(kind, path, **tables)
    assert capsys.readouterr().err == ""
