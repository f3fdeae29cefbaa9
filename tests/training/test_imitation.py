"""A clone comes to choose as its teacher does, and what it learns from is what was played."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from catan_env.batch import Batch  # noqa: E402  # noqa: E402
from catan_env.game.observation import named_observation  # noqa: E402  # noqa: E402
from catan_env.notation.whole_files import unfinished_of  # noqa: E402
from catan_env.policies.greedy import rank  # noqa: E402
from catan_env.policies.network import Network  # noqa: E402
from catan_env.training import datasets  # noqa: E402
from catan_env.training.config import read  # noqa: E402
from catan_env.training.datasets import write  # noqa: E402
from catan_env.training.evaluate import Bout  # noqa: E402
from catan_env.training.imitation import clone  # noqa: E402
from catan_env.training.imitation.arrays import load_demonstrations  # noqa: E402
from catan_env.training.imitation.clone import (  # noqa: E402
    Args,
    Student,
    _demonstrations,
    imitate,
    main,
    planned_steps,
    ranking_called,
)
from catan_env.training.imitation.demonstrations import (  # noqa: E402
    Demonstrations,
    Recorder,
    Samples,
    Source,
)
from catan_env.training.sb3.export import export  # noqa: E402
from catan_env.training.sb3.model import fresh_model, load_model  # noqa: E402


def first_legal(batch: Batch) -> np.ndarray:
    """A teacher whose choice is easily learned."""
    return batch.action_masks.argmax(axis=1)


def first_of_all(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    return ranking_called(f"{__name__}:first_legal")(batch)


def at_random(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    return batch.sample_legal()[:, None].copy(), np.zeros((batch.num_games, 1))


def small(**changed) -> Args:
    given = {
        "teacher": f"{__name__}:first_legal",
        "steps_per_round": 1000,
        "rounds": 2,
        "validation_size": 500,
        "buffer_size": 2000,
        "minibatch_size": 128,
        "update_epochs": 4.0,
        "hidden": 32,
        "local": 4,
        "sources": [Source(seats=2, rules="duel", num_envs=16, max_turns=30)],
    }
    return Args(**{**given, **changed})


DUEL = Source(seats=2, rules="duel", num_envs=2, max_turns=30)


@pytest.mark.parametrize("name", ["validation_size", "steps_per_round"])
def test_fewer_decisions_than_sources_are_refused(name):
    with pytest.raises(ValueError, match=rf"{name} is 2; allowed are 3 or more, one from each"):
        small(sources=[DUEL] * 3, **{name: 2})


def test_games_without_a_source_are_refused():
    with pytest.raises(ValueError, match=r"sources is \[\]; allowed are one"):
        small(sources=[])


def test_one_decision_from_each_source_is_enough_to_validate_by():
    args = small(sources=[DUEL] * 49, validation_size=49, minibatch_size=1, rounds=1)
    (point,) = imitate(args, say=str)[1]
    assert np.isfinite(point["policy"])


def test_validation_averages_results_over_the_decisions_whose_result_is_known():
    args = small(validation_size=5000, sources=[replace(DUEL, num_envs=64)])
    student = Student(fresh_model(hidden=32, local=4, seed=1), args, 1)
    unseen = Demonstrations(9000)
    Recorder(args.sources[0], first_of_all, unseen, 7, 1.0).record(9000)
    unseen.results[:] = np.nan
    assert np.isnan(student.validate(unseen)["value"])
    unseen.results[:10] = 1.0
    unseen.results[5000:9000] = -1.0
    known = unseen.samples(np.r_[:10, 5000:9000])
    assert student.validate(unseen)["value"] == pytest.approx(student.losses(known)["value"].item())


@pytest.mark.parametrize(("minutes", "passed", "progress"), [(0.0, 999, 0.25), (8.0, 4, 0.5)])
def test_minutes_limit_a_clone_unless_they_are_0(minutes, passed, progress, monkeypatch):
    student = Student(fresh_model(hidden=32, local=4, seed=1), small(minutes=minutes), 4)
    student.steps, begun = 1, student._begun
    monkeypatch.setattr(clone.time, "monotonic", lambda: begun + 60 * passed)
    assert student.progress == progress


def test_a_clone_has_no_limit_of_minutes_by_default():
    assert small().minutes == 0


def test_demonstrations_keep_the_latest_and_give_back_what_they_took():
    kept = Demonstrations(6)
    batch = Batch(4, seats=3, seed=1)
    shares = np.ones((4, 1))

    def add() -> np.ndarray:
        actions = batch.sample_legal()[:, None]
        return kept.add(batch.observations, batch.action_masks, actions, shares)

    numbers = add()
    assert (kept.size, numbers.tolist()) == (4, [0, 1, 2, 3])
    samples = kept.samples(np.arange(4))
    assert (samples.observations == batch.observations).all()
    masks = np.unpackbits(samples.masks, axis=1)
    assert (masks == batch.action_masks).all()
    assert masks[np.arange(4), samples.actions[:, 0]].all()
    assert np.isnan(samples.results).all()
    later = add()
    assert (kept.size, later.tolist()) == (6, [4, 5, 6, 7])
    kept.conclude(np.array([1, 5]), np.ones(2), np.full((2, 4), 0.5))  # 1 has given way to 7
    assert np.flatnonzero(~np.isnan(kept.results)).tolist() == [5]


def test_demonstrations_written_down_go_on_where_they_were():
    kept, again = Demonstrations(6, choices=2), Demonstrations(6, choices=2)
    batch = Batch(4, seats=3, seed=1)

    def add(into: Demonstrations) -> np.ndarray:
        actions = np.tile(np.arange(2), (4, 1)) + into.added
        shares = np.full((4, 2), 0.5)
        return into.add(batch.observations, batch.action_masks, actions, shares)

    add(kept)
    again.from_bytes(kept.to_bytes())  # not yet full
    assert (again.added, again.size) == (4, 4)
    for into in (kept, again):
        numbers = add(into)
        into.conclude(numbers, np.arange(4.0), np.full((4, 4), 0.5))
    full = Demonstrations(6, choices=2)
    full.from_bytes(kept.to_bytes())
    for one in (again, full):
        assert one.added == kept.added == 8
        for now, then in zip(one.samples(np.arange(6)), kept.samples(np.arange(6)), strict=True):
            np.testing.assert_array_equal(now, then)


def test_every_decision_of_a_finished_game_is_told_its_seats_result():
    kept = Demonstrations(20_000)
    table = Source(seats=3, rules="base", num_envs=4, random_fraction=0.0, max_turns=2000)
    Recorder(table, at_random, kept, seed=3).record(15_000)
    known = kept.samples(np.flatnonzero(~np.isnan(kept.results)))
    assert len(known.results) > 2500
    assert set(known.results.tolist()) == {1.0, -0.5}
    own, others = known.points[:, 0], known.points[:, 1:3].max(axis=1)
    assert (own[known.results == 1] >= 1).all()
    assert (others[known.results < 0] >= 1).all()
    assert (known.points[:, 3] == 0).all()


def test_the_teacher_is_asked_where_the_student_came_to():
    kept = Demonstrations(3000)
    table = Source(
        seats=2,
        rules="duel",
        num_envs=8,
        random_fraction=0.0,
        epsilon=0.0,
        forced_fraction=0.0,
        max_turns=8,
    )
    recorder = Recorder(table, first_of_all, kept, seed=3)

    def last_legal(batch: Batch) -> np.ndarray:
        return 847 - batch.action_masks[:, ::-1].argmax(axis=1)

    recorder.record(2000, last_legal, 1.0)
    samples = kept.samples(np.arange(2000))
    assert (samples.actions[:, 0] == np.unpackbits(samples.masks, axis=1).argmax(axis=1)).all()
    buildings = named_observation(samples.observations)["buildings"]
    assert buildings[:, :, -1].any()  # where the student builds, and the teacher would not


def test_a_teacher_shares_a_choice_among_its_best_by_what_they_are_worth():
    kept = Demonstrations(3000, choices=3)
    table = Source(seats=2, rules="duel", num_envs=8, random_fraction=0.0, max_turns=40)
    Recorder(table, rank, kept, seed=3, temperature=0.5).record(2000)
    samples = kept.samples(np.arange(2000))
    assert np.allclose(samples.probs.sum(axis=1), 1, atol=2e-3)
    assert (samples.probs[:, :-1] >= samples.probs[:, 1:]).all()
    assert (samples.probs[:, 1] > 0.3).mean() > 0.05  # nearly as good, and no less learned from
    row, place = np.nonzero(samples.probs)
    assert np.unpackbits(samples.masks, axis=1)[row, samples.actions[row, place]].all()


def test_a_clone_chooses_as_its_teacher_does(tmp_path):
    model, curve = imitate(small(), say=lambda line: None)
    assert curve[-1]["agreement"] > 0.9
    assert curve[-1]["policy"] < curve[0]["policy"]
    batch = Batch(32, seats=2, rules="duel", seed=9)
    export(model, tmp_path / "net.npz", np.float32)
    chosen = Network(tmp_path / "net.npz").act_batch(batch.observations, batch.action_masks)
    assert (chosen == Student(model, small(), 1)(batch)).all()


def student_and_samples(args: Args, steps: int) -> tuple[Student, Samples]:
    """A student with that many planned steps, and decisions whose games were won."""
    kept, batch = Demonstrations(4), Batch(4, seats=2, rules="duel", seed=1)
    actions = batch.sample_legal()[:, None]
    kept.add(batch.observations, batch.action_masks, actions, np.ones((4, 1)))
    kept.conclude(np.arange(4), np.ones(4), np.ones((4, 4)))
    model = fresh_model(hidden=args.hidden, local=args.local)
    return Student(model, args, steps), kept.samples(np.arange(4))


def test_a_huge_error_moves_a_student_by_at_most_the_norm_of_five():
    student, samples = student_and_samples(small(learning_rate=1.0, vf_coef=1e6), 10)
    weights = [one for one in student.policy.parameters() if one.requires_grad]
    student.optimizer = torch.optim.SGD(weights, lr=1.0)
    before = [one.detach().clone() for one in weights]
    student.learn(samples)
    moved = [now.detach() - then for now, then in zip(weights, before, strict=True)]
    assert torch.cat([one.ravel() for one in moved]).norm() == pytest.approx(5, rel=1e-3)


def test_a_step_weighs_the_losses_of_policy_result_and_points():
    """The policy's has the weight 1, the result's 1/2, and the points' a quarter of that."""
    args = small(learning_rate=1.0, vf_coef=0.5, points_coef=0.25)
    student, samples = student_and_samples(args, 10)
    weights = [one for one in student.policy.parameters() if one.requires_grad]
    student.optimizer = torch.optim.SGD(weights, lr=1.0)
    losses = student.losses(samples)
    loss = losses["policy"] + 0.5 * losses["value"] + 0.125 * losses["points"]
    slopes = torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)
    assert torch.cat([one.ravel() for one in slopes]).norm() < 5  # no step is shortened
    before = [one.detach().clone() for one in weights]
    student.learn(samples)
    for now, then, slope in zip(weights, before, slopes, strict=True):
        assert torch.allclose(now, then - slope, atol=1e-6)


@pytest.mark.parametrize(("steps", "rate"), [(0, 0.1), (5, 0.06), (10, 0.02)])
def test_a_students_learning_rate_falls_on_half_a_cosine_wave(steps, rate):
    args = small(learning_rate=0.1, final_learning_rate=0.02)
    student, samples = student_and_samples(args, 10)
    student.steps = steps
    student.learn(samples)
    assert [group["lr"] for group in student.optimizer.param_groups] == pytest.approx([rate])


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> Path:
    """Arrays of games, of which `greedy` decided everything."""
    folder = tmp_path_factory.mktemp("data")
    bout = Bout(("greedy", "greedy"), 20, seed=4, rules="duel")
    write(
        iter([datasets.record(bout, numbers) for numbers in (np.arange(8), np.arange(8, 20))]),
        {},
        folder,
    )
    return folder


def test_saved_games_are_cloned_without_playing_any(saved):
    args = small(teacher="no:teacher", rounds=3, choices=2, update_epochs=1.0)
    data = load_demonstrations(saved, args.choices)
    _, curve = imitate(args, say=lambda line: None, data=data)
    assert len({point["decisions"] for point in curve}) == 1
    assert curve[-1]["agreement"] > curve[0]["agreement"] > 0
    assert curve[-1]["policy"] < curve[0]["policy"] and np.isfinite(curve[-1]["value"])
    assert np.isnan(curve[-1]["points"]), "arrays of games have no points"


def test_every_tenth_saved_game_is_not_learned_from(saved):
    learned, unseen = load_demonstrations(saved, 1)
    parts = [np.load(file) for file in sorted(saved.glob("games_*.npz"))]
    games, actions = (
        np.concatenate([part[name] for part in parts]) for name in ("games", "actions")
    )
    is_unseen = (games == 9) | (games == 19)
    assert (unseen.actions[:, 0] == actions[is_unseen]).all()
    assert (learned.actions[:, 0] == actions[~is_unseen]).all() and (learned.probs == 1).all()
    assert set(np.unique(learned.results)) == {-1, 1}


@pytest.mark.parametrize(
    ("facts", "group"),
    [
        ({"names": ["greedy", "random"]}, 2),
        ({"names": ["greedy", "greedy"], "games_per_board": 1}, 1),
        ({"names": ["records"]}, 1),
    ],
)
def test_no_board_that_validates_is_learned_from(facts, group, tmp_path):
    columns = datasets.record(Bout(("random",) * 2, 40, rules="duel", max_turns=9), np.arange(40))
    write(iter([columns]), facts, tmp_path)
    learned, unseen = load_demonstrations(tmp_path, 1)
    is_unseen = columns["games"] // group % 10 == 9
    assert (unseen.actions[:, 0] == columns["actions"][is_unseen]).all()
    assert (learned.actions[:, 0] == columns["actions"][~is_unseen]).all()


def test_a_saved_game_that_was_cut_off_has_no_result_to_learn(tmp_path):
    """Its results are 0 in the file, and 0 is not learned as a value between win and loss."""
    columns = datasets.record(Bout(("random",) * 2, 20, rules="duel", max_turns=9), np.arange(20))
    is_cut_off = columns["games"] % 3 == 0
    columns["results"] = np.where(is_cut_off, 0, 1).astype(np.float32)
    write(iter([columns]), {}, tmp_path)
    learned, unseen = load_demonstrations(tmp_path, 1)
    is_unseen = columns["games"] % 10 == 9
    assert np.isnan(learned.results).tolist() == is_cut_off[~is_unseen].tolist()
    assert np.isnan(unseen.results).tolist() == is_cut_off[is_unseen].tolist()


@pytest.mark.parametrize(
    ("name", "written", "said"),
    [
        ("games_1.npz", None, "it is damaged, or no archive of arrays"),
        ("games_1.npz", b"text", "it is damaged, or no archive of arrays"),
        ("facts.json", b"[]", "it is not a JSON object"),
        ("facts.json", b"{", "Expecting"),
    ],
)
def test_a_damaged_file_of_saved_games_is_named(saved, tmp_path, name, written, said):
    for file in saved.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    damaged = tmp_path / name
    damaged.write_bytes(damaged.read_bytes()[:-99] if written is None else written)
    with pytest.raises(ValueError, match=said) as refused:
        load_demonstrations(tmp_path, 1)
    assert str(refused.value).startswith(f"{damaged}: ")


def test_every_round_learns_from_all_saved_decisions_however_small_the_buffer(saved):
    data = load_demonstrations(saved, 1)
    args = small(rounds=3, buffer_size=300, update_epochs=1.0)
    _, curve = imitate(args, say=lambda line: None, data=data)
    assert [point["decisions"] for point in curve] == [data[0].size] * 3
    assert planned_steps(args, 1000) == 3 * (1000 // 128)


def test_a_folder_without_enough_data_is_one_line(saved, tmp_path, capsys):
    config = tmp_path / "clone.toml"
    few = tmp_path / "few"
    bout = Bout(("random", "random"), 2, rules="duel", max_turns=5)
    write(iter([datasets.record(bout, np.arange(2))]), {}, few)
    old = tmp_path / "old"
    write(iter([datasets.record(bout, np.arange(2))]), {"observation_version": 0}, old)
    for folder, said in (
        (tmp_path, "it has no games_*.npz"), (few, "games on 2 boards; 10 at least"),
        (old, "observations of version 0, not 1"),
    ):  # fmt: skip
        config.write_text(f'data = "{folder}"\n')
        with pytest.raises(SystemExit) as ended:
            main([str(config), str(tmp_path / "out.zip")])
        error = capsys.readouterr().err
        assert ended.value.code and said in error.splitlines()[-1]


def boards_in(kept: Demonstrations) -> set[bytes]:
    """The terrains and tokens that occur."""
    shown = named_observation(kept.observations[: kept.size])
    tiles = np.concatenate([shown["terrain"].reshape(kept.size, -1), shown["token"]], axis=1)
    return {row.tobytes() for row in tiles}


def test_no_game_is_both_learned_from_and_validated_by():
    sources = [replace(DUEL, num_envs=n, random_fraction=0.0) for n in (8, 32)]
    learned, unseen, recorders = _demonstrations(small(sources=sources))
    clone.record(recorders, 1000, None, 0.0)
    assert len(boards_in(learned)) >= 8 + 32 and len(boards_in(unseen)) >= 8 + 16
    assert not boards_in(learned) & boards_in(unseen)


@pytest.mark.parametrize("is_begun_from", [True, False])
def test_a_student_plays_in_the_first_round_if_it_has_initial_weights(is_begun_from, tmp_path):
    """Its part of the seats then changes the positions that are learned from."""
    fresh_model(hidden=32, local=4, seed=5).save(tmp_path / "begun.zip")
    begun = {"initial_weights": str(tmp_path / "begun.zip")} if is_begun_from else {}
    of_games = {"rounds": 1, "sources": [replace(DUEL, num_envs=16, max_turns=3)]}
    first, other = (
        imitate(small(student_fraction=part, **of_games, **begun), say=str)[1][0]["policy"]
        for part in (0.0, 1.0)
    )
    assert (first != other) == is_begun_from


def test_the_same_seed_gives_the_same_clone():
    first, again = (imitate(small(rounds=1), say=lambda line: None)[1] for _ in range(2))
    assert first[0]["policy"] == again[0]["policy"]


def test_the_command_writes_a_model_that_can_be_loaded_and_its_facts(tmp_path):
    config = tmp_path / "small.toml"
    config.write_text(
        f'teacher = "{__name__}:first_legal"\nsteps_per_round = 500\nrounds = 1\n'
        "validation_size = 100\nminibatch_size = 64\nbuffer_size = 1000\nhidden = 16\n"
        "[[sources]]\nseats = 3\nnum_envs = 8\n"
    )
    main([str(config), str(tmp_path / "out" / "clone.zip")])
    weights = load_model(tmp_path / "out" / "clone.zip").policy.mlp_extractor.network.weights
    assert weights["trunk_bias"].shape == (16,)
    card = json.loads((tmp_path / "out" / "clone.json").read_text())
    assert card["seed"] == 1 and len(card["curve"]) == 1
    before = (tmp_path / "out" / "clone.zip").read_bytes()
    begun = ["--initial-weights", str(tmp_path / "out" / "clone.zip")]
    with pytest.raises(SystemExit, match=r"clone\.zip is the file that is read: name another one"):
        main([str(config), str(tmp_path / "out" / "clone"), *begun])
    if Path("/dev/full").exists():  # a full disk leaves the model of the round before
        unfinished_of(tmp_path / "out" / "clone.zip").symlink_to("/dev/full")
        with pytest.raises(SystemExit, match=r"imitation: .*No space left on device"):
            main([str(config), str(tmp_path / "out" / "clone.zip")])
        assert (tmp_path / "out" / "clone.zip").read_bytes() == before


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ('initial_weights = "nope.zip"', "no model at 'nope.zip'"),
        ('initial_weights = "net.npz"', "'net.npz' is not a model, a .zip, or is damaged"),
        ("[sources]\nseats = 2", "allowed are [[tables]]"),
        ("sources = 3", "sources is 3; allowed are [[tables]]"),
        ("[[sources]]\ntrade = 3", "trade is 3; allowed are true and false"),
        ('[[sources]]\nrules = "nope"', "unknown rules 'nope'"),
        ("[[sources]]\nrandom_fraction = 1", "random_fraction is 1; allowed are numbers from 0"),
        ('teacher = "math:sqrt"', "teacher: must be real number, not Batch"),
        ('teacher = "copy:copy"', "teacher: int() argument must be"),
        ('teacher = "catan_env.training.games:lead"', "teacher: its actions and values have the"),
        ("steps_per_round = 500\nrounds = 1\nminibatch_size = 1001", "nothing would be learned"),
    ],
)
def test_a_wrong_configuration_ends_the_command_with_one_line(
    lines, reason, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    np.savez("net.npz", weights=np.zeros(3))
    Path("wrong.toml").write_text(f"hidden = 8\nlocal = 4\nvalidation_size = 10\n{lines}\n")
    with pytest.raises(SystemExit) as ended:
        main(["wrong.toml", "out.zip"])
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2
    assert line.startswith("python -m catan_env.training.imitation: ") and reason in line
    assert not Path("out.zip").exists()


def test_a_configuration_that_says_something_unknown_is_refused(tmp_path):
    (tmp_path / "odd.toml").write_text("decissions = 5\n")
    with pytest.raises(ValueError, match="sets decissions, which is not an option; allowed"):
        read(Args, tmp_path / "odd.toml")
    (tmp_path / "odd.toml").write_text("[[sources]]\nseat = 3\n")
    with pytest.raises(ValueError, match="sets seat, which is not an option; similar: seats"):
        read(Args, tmp_path / "odd.toml", sources=Source)
    for path in Path("training/configs").glob("imitate_*.toml"):
        assert read(Args, path, sources=Source).rounds > 1
