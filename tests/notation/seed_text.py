"""The examples of the SGN 0.03 text as printed, and their corrections.

The text is David Farrell's, version 0.03 of 2015-12-17 (FreeBSD licence). Its defects:

- The map leaves out the hex (0, -2), which is forest 11, and the key of the desert's rNumber.
- Three examples have a comma too many, the bank's one too few, the tile's has keys unquoted.
- The figure of a hex gives its north corner the place of the north-west one.
- The offer to player 2, which player 2 accepts, is fulfilled by player 3.
"""

import json
from typing import Any

PLAYER_ADD = """\
  {
    "uuid": "1C68D574-937F-11E5-AF19-C9E87C9D2E84",
    "player": "A",
    "event": "PA",
    "value": {"player": "2"},
  }
"""

END_OF_DEPLOYMENT = """\
  {
    "uuid": "1C68D574-937F-11E5-AF19-C9E87C9D2E84",
    "player": "A",
    "event": "RE",
    "value": {"round":2},
    "batch": [1,2]
  }
  {
    "uuid": "1C68D574-937F-11E5-AF19-C9E87C9D2E84",
    "player": "A",
    "event": "PE",
    "value": {"phase": "Deployment"},
    "batch": [2,2]
  }
"""

TILE = """\
  {
    tile: [0,0],
    tCode: "D",
    "rNumber": null
  }
"""

CORNERS = {
    "N": "[[0,-1],[0,0],[-1,0]]",
    "NE": "[[1,-1],[1,0],[0,0]]",
    "SE": "[[1,0],[0,1],[0,0]]",
    "S": "[[0,1],[-1,1],[0,0]]",
    "SW": "[[0,0],[-1,1],[-1,0]]",
    "NW": "[[0,-1],[0,0],[-1,0]]",
}
"""The six intersections of the centre hex, as the figure labels them."""

PATH = "[ [[0,0],[-1,1],[-1,0]], [[0,1],[-1,1],[0,0]] ]"

BANK_TRADE = '[{"player":"2",    "G":-4,"B": 1},{"player":"B", "G": 4,"B":-1}]'

BANK_TRADE_MESSAGE = """\
  {
    "event": "TB",
    "value":{
      "resources":[{"player":"B","B":"-1","O":"4"},{"player":"2","B":"1","O":"-4"}]
    }
    "uuid":"#",
    "player":"2"
  }
"""

OFFER = """\
  {
    "event":"TO",
    "player":"1",
    "value": {"resources":[{"player":"1","B":-2,"W":1},{"player":"2","B":2,"W":-1}]},
    "uuid":"1234-56789-01234"
  },
  {
    "event":"TA",
    "player":"2",
    "value": {"uuid":"1234-56789-01234"},
    "uuid": "#"
  },
  {
    "event":"TR",
    "player":"A",
    "value":{"resources":[{"player":"1","B":-2,"W":1},{"player":"3","B":2,"W":-1}]},
    "uuid": "#"
  }
"""

CHAT = """\
  {
    "event": "CH",
    "player": "1",
    "uuid": "#",
    "value":{"msg":"Let's do this!"},
  },
  {
    "event": "CH",
    "player": "2",
    "uuid": "#",
    "value":{"msg":"I'm gonna get you!"},
  }
"""

MAP = """\
  {
    "tiles": [
      {"tile":[0,-3],"tCode":"S","rNumber":null},
      {"tile":[1,-3],"tCode":"S","rNumber":null},
      {"tile":[2,-3],"tCode":"S","rNumber":null},
      {"tile":[3,-3],"tCode":"S","rNumber":null},
      {"tile":[3,-2],"tCode":"S","rNumber":null},
      {"tile":[3,-1],"tCode":"S","rNumber":null},
      {"tile":[3,0],"tCode":"S","rNumber":null},
      {"tile":[2,1],"tCode":"S","rNumber":null},
      {"tile":[1,2],"tCode":"S","rNumber":null},
      {"tile":[0,3],"tCode":"S","rNumber":null},
      {"tile":[-1,3],"tCode":"S","rNumber":null},
      {"tile":[-2,3],"tCode":"S","rNumber":null},
      {"tile":[-3,3],"tCode":"S","rNumber":null},
      {"tile":[-3,2],"tCode":"S","rNumber":null},
      {"tile":[-3,1],"tCode":"S","rNumber":null},
      {"tile":[-3,0],"tCode":"S","rNumber":null},
      {"tile":[-2,-1],"tCode":"S","rNumber":null},
      {"tile":[-1,-2],"tCode":"S","rNumber":null},
      {"tile":[1,-2],"tCode":"P","rNumber":12},
      {"tile":[2,-2],"tCode":"F","rNumber":9},
      {"tile":[2,-1],"tCode":"P","rNumber":10},
      {"tile":[2,0],"tCode":"F","rNumber":8},
      {"tile":[1,1],"tCode":"M","rNumber":3},
      {"tile":[0,2],"tCode":"FO","rNumber":6},
      {"tile":[-1,2],"tCode":"F","rNumber":2},
      {"tile":[-2,2],"tCode":"M","rNumber":5},
      {"tile":[-2,1],"tCode":"H","rNumber":8},
      {"tile":[-2,0],"tCode":"D",null},
      {"tile":[-1,-1],"tCode":"H","rNumber":4},
      {"tile":[0,-1],"tCode":"M","rNumber":6},
      {"tile":[1,-1],"tCode":"H","rNumber":5},
      {"tile":[1,0],"tCode":"FO","rNumber":4},
      {"tile":[0,1],"tCode":"P","rNumber":9},
      {"tile":[-1,1],"tCode":"P","rNumber":10},
      {"tile":[-1,0],"tCode":"FO","rNumber":3},
      {"tile":[0,0],"tCode":"F","rNumber":11}
    ],
    "harbors": [
      {"path":[[[0,-3],[0,-2],[-1,-2]],  [[1,-3],[0,-2],[0,-3]]],   "hCode": "HR"},
      {"path":[[[2,-3],[1,-2],[1,-3]],   [[2,-3],[2,-2],[1,-2]]],   "hCode": "HRW"},
      {"path":[[[3,-2],[2,-1],[2,-2]],   [[3,-2],[3,-1],[2,-1]]],   "hCode": "HR"},
      {"path":[[[3,-1],[3,0],[2,0]],     [[3,0],[2,1],[2,0]]],      "hCode": "HR"},
      {"path":[[[2,1],[1,2],[1,1]],      [[1,1],[1,2],[0,2]]],      "hCode": "HRB"},
      {"path":[[[0,2],[-1,3],[-1,2]],    [[-1,2],[-1,3],[-2,3]]],   "hCode": "HRL"},
      {"path":[[[-2,2],[-2,3],[-3,3]],   [[-2,2],[-3,3],[-3,2]]],   "hCode": "HR"},
      {"path":[[[-2,1],[-3,2],[-3,1]],   [[-2,0],[-2,1],[-3,1]]],   "hCode": "HRG"},
      {"path":[[[-1,-1],[-2,0],[-2,-1]], [[-1,-2],[-1,-1],[-2,-1]]],"hCode": "HRO"}
    ]
  }
"""

DESERT_WITH_KEY = MAP.replace('"tCode":"D",null', '"tCode":"D","rNumber":null')


def without_last_commas(text: str) -> str:
    return text.replace("},\n  }", "}\n  }")


def corrected_map() -> dict[str, Any]:
    """The map with the missing hex and the desert's key."""
    value: dict[str, Any] = json.loads(DESERT_WITH_KEY)
    value["tiles"].append({"tile": [0, -2], "tCode": "FO", "rNumber": 11})
    return value


def corrected_offer() -> list[dict[str, Any]]:
    """The three messages, the trade fulfilled by the player who accepted."""
    text = OFFER.replace('"player":"3"', '"player":"2"')
    messages: list[dict[str, Any]] = json.loads(f"[{text}]")
    return messages
