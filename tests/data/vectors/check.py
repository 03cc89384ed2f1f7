#!/usr/bin/env python3
"""Computes the vectors beside this file a second time, from fairness F1 and F2 and nothing else of the project.

    python3 tests/data/vectors/check.py

Of the whole games it recomputes every seed and every shuffle, and deals: the first player, the lands, the decks and
reshuffles, the action cards, all hands, and which cards every draw brought.
"""
import hashlib
import hmac
import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
ACTION_CARDS = ["traitor", "strategist", "diplomat_5", "diplomat_2", "builder", "farmer", "mercenary"]


def load(name):
    return json.loads((HERE / name).read_text())


def sha256(data):
    return hashlib.sha256(data).digest()


def hmac_sha256(key, message):
    return hmac.new(key, message.encode(), hashlib.sha256).digest()


def default_entropy(server_seed, seat):
    return hmac_sha256(server_seed, f"fereta/entropy/1/{seat}")


def game_seed(server_seed, game_id, entropies):
    return sha256(b"fereta/seed/1" + server_seed + game_id + b"".join(entropies))


class Stream:
    def __init__(self, seed, label):
        self.seed, self.label, self.block, self.words, self.taken = seed, label, 0, [], 0

    def word(self):
        if not self.words:
            self.words = list(struct.unpack(">8I", hmac_sha256(self.seed, f"fereta/draw/1/{self.label}/{self.block}")))
            self.block += 1
        self.taken += 1
        return self.words.pop(0)

    def below(self, n):
        limit = 2**32 // n * n
        while (word := self.word()) >= limit:
            pass
        return word % n


def shuffled(seed, label, items):
    stream, items = Stream(seed, label), list(items)
    for i in range(len(items) - 1, 0, -1):
        j = stream.below(i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def same(what, expected, found):
    if expected != found:
        sys.exit(f"{what}: computed {expected}, the file says {found}")


def game_id_bytes(text):
    return bytes.fromhex(text.replace("-", ""))


def check_seeds():
    for v in load("seeds.json"):
        server_seed = bytes.fromhex(v["server_seed"])
        entropies = [bytes.fromhex(entropy) for entropy in v["entropies"]]
        same("seed_commitment", sha256(server_seed).hex(), v["seed_commitment"])
        defaults = [default_entropy(server_seed, seat).hex() for seat in range(len(entropies))]
        same("default_entropies", defaults, v["default_entropies"])
        same("game_seed", game_seed(server_seed, game_id_bytes(v["game_id"]), entropies).hex(), v["game_seed"])


def check_streams():
    for v in load("streams.json"):
        stream = Stream(bytes.fromhex(v["game_seed"]), v["label"])
        same(v["label"], [stream.word() for _ in v["words"]], v["words"])
    for v in load("numbers.json"):
        stream = Stream(bytes.fromhex(v["game_seed"]), v["label"])
        same(f"numbers below {v['n']}", [stream.below(v["n"]) for _ in v["numbers"]], v["numbers"])
        same(f"words for numbers below {v['n']}", stream.taken, v["words_taken"])
    for v in load("shuffles.json"):
        order = shuffled(bytes.fromhex(v["game_seed"]), v["label"], range(len(v["order"])))
        same(f"shuffle of {len(order)}", order, v["order"])


def check_bot_seeds():
    for v in load("bot_seeds.json"):
        server_seed = bytes.fromhex(v["server_seed"])
        same("a bot's seed", hmac_sha256(server_seed, f"fereta/bot/1/{v['seat']}/{v['seq']}").hex(), v["bot_seed"])


def check_game(name):
    game = load(name)
    players, options, card_set = game["players"], game["options"], game["card_set"]
    server_seed, game_id = bytes.fromhex(game["server_seed"]), game_id_bytes(game["game_id"])
    entropies, seed, shuffles = [None] * players, None, 0
    hands, deck, discards, round_, aside, draft = [[] for _ in range(players)], [], [], 0, None, []
    fixed = options["opening_hand"] == "fixed"
    supplies = sorted(
        line["value"]
        for line in card_set["supplies"]
        for _ in range(line["count"] + (line["five_players_extra"] if players == 5 else 0))
    )
    if fixed:
        for value in (3, 4, 5):
            for _ in range(players):
                supplies.remove(value)
    for number, event in enumerate(game["events"], 1):
        kind, data, secret = event["fact"]["type"], event["fact"]["data"], event["secret"]
        where = f"{name}, event {number}, {kind}"
        if kind == "table_created":
            same(where, sha256(server_seed).hex(), data["seed_commitment"])
        elif kind == "seat_taken":
            entropies[data["seat"]] = bytes.fromhex(data["entropy"])
            if data["entropy_from"] == "server":
                same(where, default_entropy(server_seed, data["seat"]).hex(), data["entropy"])
            if data["entropy_from"] == "bot":
                same(where, "00" * 32, data["entropy"])
        elif kind == "game_started":
            seed = game_seed(server_seed, game_id, entropies)
            same(where, seed.hex(), game["game_seed"])
            same(where, Stream(seed, "first_player").below(players), data["first_player"])
        elif kind == "lands_laid":
            lines = [i for i, land in enumerate(card_set["lands"]) if players == 5 or not land["five_players_only"]]
            lands = [{"house": house, "line": line} for house in ("eagle", "rose") for line in lines]
            same(where, shuffled(seed, "lands", lands), data["lands"])
            shuffles += 1
        elif kind == "deck_shuffled":
            k = data["reshuffle"]
            same(where, [], deck)
            cards = supplies if k == 0 else sorted(discards)
            deck = shuffled(seed, "deck" if k == 0 else f"reshuffle/{k}", cards)
            if k > 0:
                discards = []
            same(where, deck, secret["order"])
            same(where, len(deck), data["count"])
            shuffles += 1
        elif kind in ("supplies_dealt", "supplies_drawn"):
            if kind == "supplies_dealt" and fixed:
                cards = [3, 4, 5]
            else:
                cards, deck = deck[: data["count"]], deck[data["count"] :]
            same(where, sorted(cards), secret["cards"])
            hands[data["seat"]] += cards
        elif kind == "draw_lost":
            same(where, ([], []), (deck, discards))
        elif kind == "round_started":
            round_ = data["round"]
        elif kind == "action_cards_shuffled":
            cards = ACTION_CARDS[: 7 if options["mercenary"] else 6]
            order = shuffled(seed, f"action_cards/{round_}", cards)
            same(where, order, secret["order"])
            aside, draft = order[0], sorted(order[1:], key=ACTION_CARDS.index)
            shuffles += 1
        elif kind in ("action_cards_passed", "action_cards_left"):
            same(where, draft, secret["cards"])
            same(where, len(draft), data["count"])
        elif kind == "action_card_kept":
            draft.remove(secret["card"])
        elif kind == "action_cards_revealed":
            cards = data["cards"] + draft + [aside]
            same(where, ACTION_CARDS[: len(cards)], sorted(cards, key=ACTION_CARDS.index))
        elif kind == "supplies_played":
            for value in data["cards"]:
                hands[data["seat"]].remove(value)
        elif kind == "played_supplies_discarded":
            discards += data["cards"]
        elif kind == "supplies_discarded":
            for value in data["cards"]:
                hands[data["seat"]].remove(value)
            discards += data["cards"]
    in_game = supplies + ([3, 4, 5] * players if fixed else [])
    same(f"{name}, the supply cards at the end", sorted(sum(hands, deck + discards)), sorted(in_game))
    return shuffles


check_seeds()
check_streams()
check_bot_seeds()
games = sorted(path.name for path in HERE.glob("game_*.json"))
print(f"the vectors hold, and {sum(map(check_game, games))} shuffles in {len(games)} games")
