"""The optimizers of trainings are PyTorch's, without its compiler."""

from copy import deepcopy

import pytest

torch = pytest.importorskip("torch")

from catan_env.training import optimizers  # noqa: E402


def stepped(kind, before=None, steps=3, **options):
    """A layer's weights after some steps, and the optimizer."""
    torch.manual_seed(1)
    layer = torch.nn.Linear(5, 3)
    optimizer = kind(layer.parameters(), lr=0.1, **options)
    if before is not None:
        optimizer.load_state_dict(deepcopy(before.state_dict()))
    for step in range(steps):
        optimizer.zero_grad()
        (layer(torch.full((4, 5), float(step))) - 1).square().sum().backward()
        optimizer.step()
    return layer.weight, optimizer


@pytest.mark.parametrize("options", [{}, {"fused": True, "eps": 1e-5}])
@pytest.mark.parametrize("name", ["Adam", "AdamW"])
def test_weights_and_state_are_those_of_pytorch(name, options):
    ours, theirs = getattr(optimizers, name), getattr(torch.optim, name)
    (weights, mine), (expected, original) = stepped(ours, **options), stepped(theirs, **options)
    assert torch.equal(weights, expected)
    assert weights.requires_grad and weights.grad_fn is None
    for kind, before in ((ours, original), (theirs, mine)):
        then, _ = stepped(kind, before, **options)
        assert torch.equal(then, stepped(theirs, original, **options)[0])
        assert not torch.equal(then, weights)
