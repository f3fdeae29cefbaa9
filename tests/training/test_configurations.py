"""Configurations of self-play that are refused, and functions of one's own that do not fit."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.policies.greedy import rank  # noqa: E402
from catan_env.training.games import lead  # noqa: E402
from catan_env.training.self_play import main  # noqa: E402


def pays_alike(states, actions, batch):
    """A reward of one number per game."""
    return np.ones((len(actions), 1), np.float32)


def pays_three(states, actions, batch):
    """A reward of three seats."""
    return np.zeros((len(actions), 3), np.float32)


def pays_no_number(states, actions, batch):
    """A reward that is not a number."""
    return np.full(batch.rewards.shape, np.nan)


def one_action(batch, k):
    """A teacher with one action however many are asked for."""
    actions, values = rank(batch, k)
    return actions[:, :1], values[:, :1]


def values_nothing(batch, k):
    """A teacher whose values are not numbers."""
    actions, values = rank(batch, k)
    return actions, np.full(values.shape, np.nan)


def no_number(batch):
    """A potential that is not a number for the last seat."""
    return np.where(np.arange(4) == 3, np.nan, lead(batch))


def of_three(batch):
    """A potential of three seats."""
    return lead(batch)[:, :3]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("stepps = 5", "sets stepps, which is not an option; similar: num_steps"),
        ('initial_weights = "nowhere.npz"', "nowhere.npz"),
        ('network = "pointr"', "'pointr'; allowed are .*pointer"),
        ('control_variate = "no:Dice"', "'no:Dice' is not a module:name"),
        (
            'control_variate = "catan_env.training.control_variate:Dice"\nnetwork = "flat"',
            "'flat' does not learn",
        ),
        ("network = 3", "network is 3; allowed are names in quotes"),
        ("env_options = 3", "env_options is 3; allowed are tables"),
        ('opponents = "greedy"', "opponents is 'greedy'; allowed are lists of names"),
        ("opponents = [1]", r"opponents is \[1\]; allowed are lists of names"),
        ("learning_rate = nan", "learning_rate is nan; allowed are numbers above 0"),
        ("learning_rate = inf", "learning_rate is inf; allowed are numbers above 0"),
        ("reward_scale = inf", "reward_scale is inf; allowed are finite numbers"),
        ("reward_scale = true", "reward_scale is True; allowed are finite numbers"),
        ("network_options.hiden = 12", "network_options: .* unexpected keyword argument 'hiden'"),
        ("network_options.hidden = 0", "network_options: hidden is 0; allowed are 1 or more"),
        ("network_options.hidden = 12.5", "hidden is 12.5; allowed are whole numbers"),
        ('network_options.hidden = "x"', "hidden is 'x'; allowed are 1 or more"),
        ("env_options.seat = 2", "env_options: .* unexpected keyword argument 'seat'"),
        ("env_options.num_games = 2", "env_options: .* multiple values for argument 'num_games'"),
        ("env_options.seed = 4", "env_options has seed, which training sets itself"),
        ("env_options.autoreset = false", "env_options has autoreset, which training sets itself"),
        ("env_options.observations = false", "env_options: training reads observations"),
        ('env_options.max_turns = "x"', "env_options: max_turns is 'x'"),
        ('shaping = "math:sqrt"', "shaping: must be real number, not Batch"),
        ('shaping = "os:sep"', "shaping: 'str' object is not callable"),
        ('shaping = "copy:copy"', r"shaping: its numbers have the shape \(\), not \(games, seats"),
        (
            'env = "examples.fourth_game:batch"',
            "network = 'pointer' reads Catan's observations; another game takes 'flat', your own",
        ),
        (
            'env = "examples.fourth_game:batch"\nnetwork = "flat"',
            "shaping = 'catan_env.training.games:lead' is Catan's; another game takes ''",
        ),
        (
            'env = "catan_env.guests.hanabi.batch:Batch"\nnetwork = "flat"',
            "shaping = .*:lead' is Catan's",
        ),
        (
            'env = "examples.fourth_game:batch"\nnetwork = "flat"\nshaping = ""\n'
            'reward_function = "math:sqrt"',
            "reward_function needs a batch with states, autoreset, reset_finished; "
            "catan_env.adapters.learning:LearningBatch has no states, autoreset, reset_finished: ",
        ),
        (
            'env = "catan_env.guests.renaissance.batch:Batch"\nenv_options.observations = false',
            "env_options: training reads observations",
        ),
        ('teacher = "math:sqrt"', "teacher: .*takes exactly one argument"),
        ('teacher = "catan_env.policies.greedy:choose"', "teacher: .* positional argument"),
        ('teacher = "math:hypot"', "teacher: must be real number, not Batch"),
        (
            f'teacher = "{__name__}:one_action"',
            r"teacher: its arrays have the shape \(2, 1\), not \(2, 6\), the games and the best",
        ),
        (
            f'teacher = "{__name__}:values_nothing"',
            "teacher: a value of the teacher is not a finite number",
        ),
        ('reward_function = "math:sqrt"', "reward_function: .*takes exactly one argument"),
        (
            f'reward_function = "{__name__}:pays_alike"',
            r"reward_function: its numbers have the shape \(2, 1\), not \(2, 4\)",
        ),
        (
            f'reward_function = "{__name__}:pays_three"',
            r"reward_function: its numbers have the shape \(2, 3\), not \(2, 4\)",
        ),
        (
            f'reward_function = "{__name__}:pays_no_number"',
            "reward_function: its number is nan for seat 0 of game 0",
        ),
        (
            f'shaping = "{__name__}:no_number"',
            "shaping: its number is nan for seat 3 of game 0",
        ),
        (
            f'shaping = "{__name__}:of_three"',
            r"shaping: its numbers have the shape \(2, 3\), not \(games, seats\), 2 games of 4",
        ),
        ('opponents = ["random", "nosuch"]', "opponents: unknown policy 'nosuch'"),
        ('opponents = ["no.npz"]', "opponents: cannot read the weights in 'no.npz'"),
        ('opponents = ["nowhere#me"]', "opponents: .*nowhere"),
        (
            'env = "examples.fourth_game:batch"\nnetwork = "flat"\nshaping = ""\n'
            'opponents = ["greedy"]\nopponent_fraction = 1e-9',
            "opponents: unknown policy 'greedy'; allowed are random",
        ),
    ],
)
def test_what_is_wrong_with_a_configuration_is_said_in_one_line(line, said, tmp_path):
    config = tmp_path / "small.toml"
    config.write_text(line)
    with pytest.raises(SystemExit, match=f"self_play: .*{said}") as refused:
        main([str(config), str(tmp_path / "run")])
    assert refused.value.code == 2
    with pytest.raises(SystemExit, match=r"self_play: .*there\.toml"):
        main([str(tmp_path / "not_there.toml"), str(tmp_path / "run")])


def fails(num_games, **options):
    """A maker of batches with a fault of its own."""
    return num_games + "games"


def test_a_fault_of_your_own_code_keeps_its_traceback(tmp_path):
    config = tmp_path / "own.toml"
    config.write_text(f'env = "{__name__}:fails"\n')
    with pytest.raises(TypeError, match="unsupported operand"):
        main([str(config), str(tmp_path / "run")])
