"""The message unions that a server and a client decode."""

from typing import Any

import msgspec

from catan_env.guests.renaissance.messages.commands import COMMANDS
from catan_env.guests.renaissance.messages.errors import ERRORS
from catan_env.guests.renaissance.messages.events import EVENTS
from catan_env.guests.renaissance.messages.network import NETWORK


def union(*structs: type[msgspec.Struct]) -> Any:
    """A union of tagged structs, in a decoder's form."""
    made: Any = structs[0]
    for struct in structs[1:]:
        made = made | struct
    return made


TO_SERVER = union(*NETWORK, *COMMANDS)
TO_CLIENT = union(*NETWORK, *EVENTS, *ERRORS)
