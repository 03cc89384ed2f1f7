"""Plays a whole game of three over HTTP with the client that openapi-generator makes of the document.

usage: play.py <base URL> (with the generated client on the path)
"""

import random
import sys
import uuid
from collections import Counter

import fereta_client as fereta
from fereta_client.models.seat_cause import SeatCause


class Player:
    def __init__(self, base: str, name: str) -> None:
        configuration = fereta.Configuration(host=base)
        client = fereta.ApiClient(configuration)
        guest = fereta.CreateGuestAccount(name=name)
        session = fereta.AccountsApi(client).create_guest_account(guest)
        configuration.access_token = session.access_token
        self.games, self.seats, self.moves = fereta.GamesApi(client), fereta.SeatsApi(client), fereta.MovesApi(client)


def key() -> str:
    return str(uuid.uuid4())


def main(base: str) -> None:
    tag = uuid.uuid4().hex[:8]
    players = [Player(base, f"{name} {tag}") for name in ("Hanako", "Taro", "Jiro")]
    creator = players[0]
    options = fereta.GameOptions(mercenary=True)
    game = creator.games.create_game(key(), fereta.CreateGame(players=3, options=options)).game_id
    for player in players[1:]:
        player.seats.take_seat(game, key(), fereta.TakeSeat())

    moves: Counter[str] = Counter()
    while (view := creator.games.read_game(game).view).status != fereta.Status.ENDED:
        decider = players[view.decision.seat]
        choice = random.choice(decider.moves.list_moves(game).items)
        # The union's variant, as the class of its own that it is.
        move = choice.move.actual_instance
        assert type(move) in (
            fereta.PlaceEstate, fereta.ChooseBattlefield, fereta.TakeActionCard, fereta.PlaySupplies,
            fereta.Build, fereta.FlipBase, fereta.PassBuild, fereta.DiscardSupplies,
        ), move
        accepted = decider.moves.submit_move(game, key(), choice)
        assert accepted.version > choice.expected_version
        moves[move.type] += 1

    events, cursor = [], None
    while True:
        page = creator.games.read_history(game, cursor=cursor)
        events += [event.actual_instance for event in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    end = events[-1]
    assert isinstance(end, fereta.GameEndedEvent), end
    # One that was made by a player, and its time as a time.
    first = next(event for event in events if isinstance(event, fereta.EstatePlacedEvent))
    assert isinstance(first.cause.actual_instance, SeatCause) and first.at <= end.at
    print(f"{len(events)} events; moves:", ", ".join(f"{n} {kind}" for kind, n in moves.items()))
    print(f"scores {end.data.scores}, ranks {end.data.ranks} ({end.data.reason.value})")

    # A body that is built by hand, and a problem that is a problem.
    wrong = fereta.SubmitMove(expected_version=end.seq, move=fereta.Move(fereta.PassBuild(type="pass_build")))
    try:
        creator.moves.submit_move(game, key(), wrong)
    except fereta.ApiException as refused:
        problem = fereta.Problem.from_json(refused.body)
        assert (refused.status, problem.type) == (409, "/problems/not-running"), problem
    else:
        raise AssertionError("a move after the end was accepted")


main(sys.argv[1])
