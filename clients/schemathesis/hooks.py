"""What Schemathesis is told of this server: who asks, and which games there are.

Loaded by `clients/schemathesis/run` (SCHEMATHESIS_HOOKS). With FERETA_TOKENS=1 requests carry a guest's token, of which a
new one is made when the old one has ended (an operation may have ended it); ids of games are then real ones for half of the cases.
"""

import json
import os
import urllib.request
import uuid
import zlib

import schemathesis

BASE = os.environ["FERETA_URL"]
WITH_TOKENS = os.environ.get("FERETA_TOKENS") == "1"
GAMES: list[str] = []


def call(path: str, body: object, token: str | None = None) -> dict:
    headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def guest() -> str:
    return call("/v1/accounts/guest", {"name": f"schemathesis {uuid.uuid4().hex[:16]}"})["access_token"]


def set_up(token: str) -> None:
    """Games of every kind that the token's account can find itself in: open, its own, running."""
    GAMES.clear()
    others = [guest(), guest()]
    for creator in (token, others[0]):
        for seated in (0, 1, 2):
            game = call("/v1/games", {"players": 3, "start": "creator" if seated == 2 else "full"}, creator)["game_id"]
            GAMES.append(game)
            for player in [p for p in (token, *others) if p != creator][:seated]:
                call(f"/v1/games/{game}/seats", {}, player)


if WITH_TOKENS:

    @schemathesis.auth(refresh_interval=5)
    class Guest:
        """A token of a guest with some games, made anew every few seconds."""

        def get(self, case, context):
            token = guest()
            set_up(token)
            return token

        def set(self, case, data, context):
            if case.operation.definition.raw.get("security"):
                case.headers["Authorization"] = f"Bearer {data}"

    @schemathesis.hook
    def map_path_parameters(context, path_parameters):
        if path_parameters and "id" in path_parameters and GAMES:
            # The same game for the same case, so that a case can be made again.
            chosen = zlib.crc32(str(path_parameters["id"]).encode()) % (2 * len(GAMES))
            if chosen < len(GAMES):
                path_parameters["id"] = GAMES[chosen]
        return path_parameters
