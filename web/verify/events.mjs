/** What an event may look like: docs/events.md as a table, the common fields (F3), and the cards that event 1 brings. */

import { Fault, same } from './fault.mjs';

const ACTION_CARDS = ['traitor', 'strategist', 'diplomat_5', 'diplomat_2', 'builder', 'farmer', 'mercenary']; // R1.4, R9
const LAND_KINDS = ['wilderness', 'meadow', 'river', 'forest', 'village', 'city']; // R1.7
export const byValue = (a, b) => a - b;

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const hasKeys = (value, names) =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
export const object = (fields) => (value, game) =>
  isObject(value) && hasKeys(value, Object.keys(fields)) && Object.entries(fields).every(([name, ok]) => ok(value[name], game));
const list =
  (ok, min = 0, max = 200) =>
  (value, game) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every((item) => ok(item, game));
const one =
  (...values) =>
  (value) =>
    values.includes(value);
export const int =
  (min, max = Number.MAX_SAFE_INTEGER) =>
  (value) =>
    Number.isSafeInteger(value) && value >= min && value <= max;
export const hex = (bytes) => (value) => typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]+$/.test(value);
const bool = one(true, false);
export const uuid = (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

const seat = (value, game) => int(0, game.players - 1)(value);
const land = (value, game) => int(0, game.lands.length - 1)(value);
const perSeat = (ok) => (value, game) => list(ok, game.players, game.players)(value, game);
const house = one('eagle', 'rose');
const face = one('estate', 'trading_post');
const value = int(1, 99);
const card = (name, game) => game.actions.includes(name);
const supplies = (cards) => list(value)(cards) && cards.every((it, i) => i === 0 || cards[i - 1] <= it);
const actions = (cards, game) =>
  list(card)(cards, game) && cards.every((it, i) => i === 0 || ACTION_CARDS.indexOf(cards[i - 1]) < ACTION_CARDS.indexOf(it));
const border = (lands, game) => list(land, 2, 2)(lands, game) && lands[1] === (lands[0] + 1) % game.lands.length;
const cardSet = object({
  lands: list(
    object({
      five_players_only: bool,
      kind: one(...LAND_KINDS),
      points: (points) => list(int(0, 99), 5, 5)(points) && points.every((it, i) => i === 0 || points[i - 1] >= it),
      strength: int(0, 99),
    }),
    3,
    8,
  ),
  rounds: object({ three: int(1, 20), four: int(1, 20), five: int(1, 20) }),
  supplies: list(object({ count: int(0, 200), five_players_extra: int(0, 200), value }), 1, 99),
});

const cause = (who, game) =>
  who === 'clock' || who === 'table' || object({ seat })(who, game) || object({ bot: seat })(who, game);
/** Text order is time order: it has a fixed length. */
const time = (at) =>
  typeof at === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) &&
  !Number.isNaN(Date.parse(at)) &&
  new Date(at).toISOString() === at;

const source = one('farmer', 'estates', 'diplomat_2');
const count = int(0, 200);
const NOBODY = () => null;
const ITS_SEAT = (data) => data.seat;
export const EVENTS = {
  table_created: [
    {
      card_set: cardSet,
      fairness: one(1),
      format: one(1),
      game_id: uuid,
      options: object({ mercenary: bool, opening_hand: one('dealt', 'fixed') }),
      players: int(3, 5),
      rules: one(1, 2),
      seed_commitment: hex(32),
      start: one('creator', 'full'),
    },
  ],
  seat_taken: [{ entropy: hex(32), entropy_from: one('bot', 'player', 'server'), seat }],
  seat_left: [{ seat }],
  bot_assigned: [{ level: one('easy', 'normal', 'hard', 'expert'), seat, version: int(0, 65535) }],
  table_closed: [{ reason: one('creator', 'expired') }],
  game_started: [{ allegiances: perSeat(house), first_player: seat, strategy_card: seat }],
  lands_laid: [{ lands: list(object({ house, line: int(0, 7) })) }],
  estate_placed: [{ land, seat }],
  deck_shuffled: [{ count, reshuffle: int(0) }, { order: list(value) }, NOBODY],
  supplies_dealt: [{ count, seat }, { cards: supplies }, ITS_SEAT],
  round_started: [{ first_player: seat, round: int(1, 20) }],
  battlefield_chosen: [{ lands: border, seat }],
  action_cards_shuffled: [{ count }, { order: list(card) }, NOBODY],
  action_cards_passed: [{ count, seat }, { cards: actions }, ITS_SEAT],
  action_card_kept: [{ seat }, { card }, ITS_SEAT],
  action_cards_left: [{ count, seat }, { cards: actions }, ITS_SEAT],
  supplies_played: [{ cards: supplies, seat }],
  action_cards_revealed: [{ cards: perSeat(card) }],
  allegiance_changed: [{ card: one('diplomat_5', 'traitor'), house, seat }],
  battle_fought: [{ eagle: int(0), rose: int(0), winner: one('eagle', 'rose', null) }],
  land_turned: [{ house, land }],
  points_awarded: [{ points: int(1), reason: one('land', 'traitor', 'strategist', 'mercenary', 'trading_posts'), seat }],
  base_built: [{ face, land, seat }],
  base_flipped: [{ face, land, seat }],
  build_passed: [{ seat }],
  strategy_card_given: [{ seat }],
  played_supplies_discarded: [{ cards: supplies }],
  supplies_drawn: [{ count: int(1, 3), seat, source }, { cards: supplies }, ITS_SEAT],
  draw_lost: [{ seat, source }],
  supplies_discarded: [{ cards: supplies, seat }],
  game_ended: [{ ranks: perSeat(int(1, 5)), reason: one('last_round', 'one_house'), scores: perSeat(int(0)) }],
};
export const MOVES = [
  'estate_placed',
  'battlefield_chosen',
  'action_card_kept',
  'supplies_played',
  'base_built',
  'base_flipped',
  'build_passed',
  'supplies_discarded',
];
const AT_THE_TABLE = ['table_created', 'seat_taken', 'seat_left', 'bot_assigned', 'table_closed', 'game_started'];

/** Whatever is neither a move nor done at the table, by who sits down, gets up or gives up his seat, follows from the event before it (F3). */
const followsFromTheLast = (type) => !MOVES.includes(type) && !AT_THE_TABLE.includes(type);

export function checkForm(it, seq, { events, table }) {
  same(
    seq,
    'F3',
    'events are numbered without a gap: one is missing, doubled or moved',
    seq,
    Object.hasOwn(it, 'seq') ? it.seq : it,
  );
  const fail = (message, expected, found) => {
    throw new Fault(seq, 'F3', message, expected, found);
  };
  if ((seq === 1) !== (it.type === 'table_created'))
    fail('the first event, and no other, is table_created', 'table_created first', it.type);
  if (typeof it.type !== 'string' || !Object.hasOwn(EVENTS, it.type))
    fail('there is no such type of event', 'a type of docs/events.md', it.type);
  const [fields, secret, whose] = EVENTS[it.type];
  const names = ['at', 'cause', 'data', 'seq', 'type', ...(secret ? ['secret_for', 'secret_hash'] : [])];
  if (!hasKeys(it, names)) fail(`an event ${it.type} has other fields`, names, Object.keys(it));
  if (seq === 1 && isObject(it.data)) {
    for (const name of ['fairness', 'format'])
      same(seq, 'F3', `this verifier knows version 1 of ${name} only`, 1, it.data[name]);
    if (![1, 2].includes(it.data.rules)) fail('this verifier knows versions 1 and 2 of rules only', [1, 2], it.data.rules);
  }
  const wrong =
    !isObject(it.data) || !hasKeys(it.data, Object.keys(fields))
      ? 'fields'
      : Object.keys(fields).find((name) => !fields[name](it.data[name], table));
  if (wrong === 'fields') fail(`the data of ${it.type} have other fields`, Object.keys(fields), it.data);
  if (wrong) fail(`the data of ${it.type} are wrong in "${wrong}"`, `a valid ${wrong}`, it.data[wrong]);
  if (!table) fail('no game can be played with this card set (R1.6)', 'enough lands and cards', it.data.card_set);
  if (!cause(it.cause, table)) fail('the cause has no valid form', '{"seat": n}, {"bot": n}, "clock" or "table"', it.cause);
  if (!time(it.at)) fail('the time has no valid form', 'UTC with three decimals', it.at);
  if (secret) {
    same(seq, 'F3', 'the secret is for somebody else than the type of event says', whose(it.data), it.secret_for);
    if (!hex(32)(it.secret_hash)) fail('the secret_hash is no hash', '64 lower-case hex digits', it.secret_hash);
  }
  checkCause(it, seq, events.at(-1)?.line);
}

function checkCause({ at, cause: who, data, type }, seq, last) {
  if (last && at < last.at) throw new Fault(seq, 'F3', 'the clock goes back', `${last.at} or later`, at);
  if (followsFromTheLast(type)) {
    same(
      seq,
      'F3',
      `${type} follows from a move and carries its cause and time`,
      { cause: last.cause, at: last.at },
      { cause: who, at },
    );
  } else if (MOVES.includes(type)) {
    const may = [{ seat: data.seat }, { bot: data.seat }, 'clock'];
    if (!may.some((it) => JSON.stringify(it) === JSON.stringify(who)))
      throw new Fault(seq, 'F3', 'a seat moves for another', may, who);
  } else if (type === 'table_created') {
    same(seq, 'F3', 'nobody sits yet when a table is set up', 'table', who);
  } else if (type === 'seat_taken' && data.entropy_from === 'bot') {
    same(seq, 'F3', 'a bot that sits down is its own cause', { bot: data.seat }, who);
  } else if (type === 'seat_taken') {
    // The creator may sit as part of setting the table up, and so before he was shown the commitment: his entropy cannot count (F1).
    const creator = seq === 2 && who === 'table' && at === last.at && data.entropy_from === 'server';
    if (!creator) same(seq, 'F3', 'who sits down acts for the seat that he takes', { seat: data.seat }, who);
  }
}

/** What event 1 says of the cards, in the order before a shuffle (F2); null if no game can be played with them (R1.6). */
export function tableOf({ card_set, game_id, options, players, rules }) {
  const lines = [...card_set.lands.keys()].filter((line) => players === 5 || !card_set.lands[line].five_players_only);
  const cards = card_set.supplies
    .flatMap((it) => Array(it.count + (players === 5 ? it.five_players_extra : 0)).fill(it.value))
    .sort(byValue);
  const fixed = options.opening_hand === 'fixed';
  const hands = fixed ? [3, 4, 5].flatMap((it) => Array(players).fill(it)) : [];
  if (cards.length < 3 * players || cards.length > 200 || 2 * lines.length < players) return null;
  const pack = without(cards, hands);
  const lands = ['eagle', 'rose'].flatMap((side) => lines.map((line) => ({ house: side, line })));
  return pack && { id: game_id, players, rules, fixed, lands, pack, actions: ACTION_CARDS.slice(0, options.mercenary ? 7 : 6) };
}

/** `cards` less `taken`; null if one of those is not there. */
export function without(cards, taken) {
  const rest = [...cards];
  for (const it of taken) {
    const at = rest.indexOf(it);
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}
