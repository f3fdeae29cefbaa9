"""An MCP server with one game (`catan-env mcp`): a seat for a language model."""

from collections.abc import Callable
from functools import wraps

from catan_env.extras import missing
from catan_env.failure import PolicyError
from catan_env.text.service import TextGame

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError as error:
    raise missing("the MCP server", "mcp", error) from error

INSTRUCTIONS = """\
You play Catan. Begin with new_game. Each position ends with your numbered actions; act plays one,
by its number, and the other seats play until it is your turn again."""


def server(game: TextGame) -> MCPServer:
    """The server whose tools are the methods of `game`."""
    served = MCPServer("catan_env", instructions=INSTRUCTIONS)
    for method in (game.new_game, game.state, game.act, game.history, game.advice):
        served.tool()(refusing(method))
    return served


def refusing(method: Callable[..., str]) -> Callable[..., str]:
    """The method, with its reasons for a refusal as the tool's error."""

    @wraps(method)
    def call(*given: object, **named: object) -> str:
        try:
            return method(*given, **named)
        except (ValueError, TypeError, ImportError, OSError, PolicyError) as error:
            raise ToolError(str(error)) from None

    return call
