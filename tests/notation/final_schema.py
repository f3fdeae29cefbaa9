"""The author's final schema of version 0.3, paraphrased as a JSON Schema.

It differs from the text: values may contain only their own keys, every entry of a resources list
names a resource, BD has its card, and VI has the version. Besides uuid, player, event, value and
batch a message may have any keys.
"""

from typing import Any


def exactly(**properties: Any) -> dict[str, Any]:
    """An object with these keys and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def array(items: dict[str, Any], least: int = 0, most: int | None = None) -> dict[str, Any]:
    made = {"type": "array", "items": items, "minItems": least}
    return made if most is None else {**made, "maxItems": most}


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
HEX = array(NUMBER, 2, 2)
CORNER = array(HEX, 3, 3)
PATH = array(CORNER, 2, 2)
SHARE = {
    "type": "object",
    "properties": {"player": TEXT, **dict.fromkeys("BGLOW", NUMBER)},
    "required": ["player"],
    "minProperties": 2,
    "additionalProperties": False,
}
RESOURCES = exactly(resources=array(SHARE))
CARD = exactly(cCode={"enum": ["KN", "MO", "RB", "VP", "YP"]})
PHASE = exactly(phase={"enum": ["Setup", "Deployment", "Play", "End"]})
TOKEN = {"type": ["integer", "null"], "minimum": 2, "maximum": 12}
TILE = exactly(tile=HEX, tCode={"enum": ["D", "F", "FO", "H", "M", "P", "S"]}, rNumber=TOKEN)
HARBOUR = exactly(path=PATH, hCode={"enum": ["HR", "HRB", "HRG", "HRL", "HRO", "HRW"]})
ROUND = exactly(round={"type": "integer", "minimum": 1})
VALUES = {
    **dict.fromkeys(("BC", "BS"), exactly(intersection=CORNER)),
    **dict.fromkeys(("BD", "PD"), CARD),
    "BR": exactly(path=PATH),
    "CH": exactly(msg=TEXT),
    **dict.fromkeys(("CR", "MO", "RP", "RR", "TB", "TO", "YP"), RESOURCES),
    "DR": exactly(result={"type": "integer", "minimum": 2, "maximum": 12}),
    "LA": exactly(strength=NUMBER),
    "LR": exactly(length=NUMBER),
    "MD": exactly(tiles=array(TILE, 37), harbors=array(HARBOUR, 8)),
    "PA": exactly(player=TEXT),
    **dict.fromkeys(("PE", "PS"), PHASE),
    **dict.fromkeys(("RE", "RS"), ROUND),
    "RM": exactly(tile=HEX),
    **dict.fromkeys(("TA", "TC", "TD"), exactly(uuid=TEXT)),
    "TR": {**exactly(resources=array(SHARE), uuid=TEXT), "required": ["resources"]},
    "VI": exactly(version={"type": "number"}, schema_uri=TEXT),
    **dict.fromkeys(("GO", "RA", "RD", "TE", "TS"), True),
}
SHAPE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "uuid": TEXT,
        "player": TEXT,
        "batch": array({"type": "integer", "minimum": 1}, 2, 2),
    },
    "required": ["uuid", "player", "event", "value"],
}
MESSAGES = {
    event: {**SHAPE, "properties": {**SHAPE["properties"], "value": value}}
    for event, value in VALUES.items()
}
"""By event: the same without looking for the event, which takes thirty times as long."""
MESSAGE = {
    **SHAPE,
    "oneOf": [
        {"properties": {"event": {"const": event}, "value": value}}
        for event, value in VALUES.items()
    ],
}
