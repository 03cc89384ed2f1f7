/**
 * Verifies the exported history of a game, independently of the server: written from the specification alone
 * (F1 seeds, F2 draws, F3 log, F4 export, and the table of events in docs/events.md), with nothing but WebCrypto.
 *
 *     node verify.mjs FILE… [--head V:HASH|FILE] [--receipt FILE] [--key HEX] [--json]
 *
 * Browser and node run the same code. It knows shuffles, deals and who held which card, not the rules of play: whether a move
 * was legal and a battle counted right is the business of `fereta audit`.
 *
 * The file is taken for hostile: every line is bounded, parsed and compared with its only canonical spelling before
 * anything in it is believed, and whatever goes wrong is a fault, never a pass.
 */

/** Far above any real game (some 200 KB), so that a hostile file can neither fill the memory nor take for ever. */
const MAX_FILE = 64 * 2 ** 20;
const MAX_LINE = 64 * 2 ** 10;
const MAX_DEPTH = 8;

const ACTION_CARDS = ['traitor', 'strategist', 'diplomat_5', 'diplomat_2', 'builder', 'farmer', 'mercenary']; // R1.4, R9
const LAND_KINDS = ['wilderness', 'meadow', 'river', 'forest', 'village', 'city']; // R1.7
const byValue = (a, b) => a - b;

class Fault extends Error {
  /** `seq` is the event's, or null for what stands after the events. */
  constructor(seq, rule, message, expected, found) {
    super(message);
    Object.assign(this, { seq, rule, expected: show(expected), found: show(found) });
  }
}

/** Short and printable, as it may come from the file and go to a terminal. */
function show(value) {
  const text = (typeof value === 'string' ? value : JSON.stringify(value) ?? 'nothing').replace(/[^ -~]/g, '?');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function same(seq, rule, message, expected, found) {
  if (JSON.stringify(expected) !== JSON.stringify(found)) throw new Fault(seq, rule, message, expected, found);
}

// ---- Bytes, hashes, signatures ------------------------------------------------------------------------------------------------

const utf8 = (text) => new TextEncoder().encode(text);
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const idBytes = (gameId) => fromHex(gameId.replaceAll('-', ''));

function concat(...parts) {
  const bytes = parts.map((part) => (typeof part === 'string' ? utf8(part) : part));
  const all = new Uint8Array(bytes.reduce((length, part) => length + part.length, 0));
  bytes.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

function u64(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)));
const hmacKey = (raw) => crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
const hmac = async (key, message) => new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(message)));

/** Awaits in bulk: one by one they would cost more than the hashing, all at once they would fill the memory. */
async function bulk(items, work) {
  const results = [];
  for (let i = 0; i < items.length; i += 512) results.push(...(await Promise.all(items.slice(i, i + 512).map(work))));
  return results;
}

const importKey = (hex) => crypto.subtle.importKey('raw', fromHex(hex), { name: 'Ed25519' }, false, ['verify']);

/** A key known to be good (RFC 8032, 7.1) tells a platform without Ed25519 from a key that is none. */
const canVerifySignatures = () =>
  importKey('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a').then(() => true, () => false);

async function isSigned(key, signature, message) {
  try {
    return await crypto.subtle.verify({ name: 'Ed25519' }, await importKey(key), fromHex(signature), message);
  } catch {
    return false;
  }
}

const headMessage = (gameId, { version, hash }) => concat('fereta/head/1', idBytes(gameId), u64(version), fromHex(hash));
const receiptMessage = ({ game_id, seat, seq, hash }) =>
  concat('fereta/seat/1', idBytes(game_id), Uint8Array.of(seat), u64(seq), fromHex(hash));

// ---- F1, F2: seeds and draws --------------------------------------------------------------------------------------------------

export const defaultEntropy = async (serverSeed, seat) =>
  toHex(await hmac(await hmacKey(fromHex(serverSeed)), `fereta/entropy/1/${seat}`));

export const gameSeed = async (serverSeed, gameId, entropies) =>
  toHex(await sha256('fereta/seed/1', fromHex(serverSeed), idBytes(gameId), ...entropies.map(fromHex)));

/** The first words of a stream, whole blocks of eight. */
export async function words(seed, label, blocks) {
  const key = await hmacKey(fromHex(seed));
  const macs = await bulk([...Array(blocks).keys()], (block) => hmac(key, `fereta/draw/1/${label}/${block}`));
  return macs.flatMap((mac) => [0, 4, 8, 12, 16, 20, 24, 28].map((at) => new DataView(mac.buffer).getUint32(at)));
}

/** A number below each of `limits`, from the start of the stream. Refused words are rare: only then more blocks are fetched. */
export async function numbers(seed, label, limits) {
  for (let blocks = Math.ceil(limits.length / 8); ; blocks += 1) {
    const stream = await words(seed, label, blocks);
    let taken = 0;
    const drawn = limits.map((n) => {
      while (stream[taken] >= Math.floor(2 ** 32 / n) * n) taken += 1;
      return stream[taken++] % n;
    });
    if (taken <= stream.length) return drawn;
  }
}

export async function shuffled(seed, label, cards) {
  const order = [...cards];
  const last = order.length - 1;
  const picks = await numbers(seed, label, Array.from({ length: Math.max(last, 0) }, (_, step) => last + 1 - step));
  picks.forEach((j, step) => {
    const i = last - step;
    [order[i], order[j]] = [order[j], order[i]];
  });
  return order;
}

// ---- The form of an event (docs/events.md): type → data, secret, whose secret -------------------------------------------------

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const hasKeys = (value, names) => Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
const object = (fields) => (value, game) =>
  isObject(value) && hasKeys(value, Object.keys(fields)) && Object.entries(fields).every(([name, ok]) => ok(value[name], game));
const list = (ok, min = 0, max = 200) => (value, game) =>
  Array.isArray(value) && value.length >= min && value.length <= max && value.every((item) => ok(item, game));
const one = (...values) => (value) => values.includes(value);
const int = (min, max = Number.MAX_SAFE_INTEGER) => (value) => Number.isSafeInteger(value) && value >= min && value <= max;
const hex = (bytes) => (value) => typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]+$/.test(value);
const bool = one(true, false);
const uuid = (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

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
    }), 3, 8),
  rounds: object({ three: int(1, 20), four: int(1, 20), five: int(1, 20) }),
  supplies: list(object({ count: int(0, 200), five_players_extra: int(0, 200), value }), 1, 99),
});

const cause = (who, game) => who === 'clock' || who === 'table' || object({ seat })(who, game) || object({ bot: seat })(who, game);
/** Text order is time order: it has a fixed length. */
const time = (at) =>
  typeof at === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && !Number.isNaN(Date.parse(at)) &&
  new Date(at).toISOString() === at;

const source = one('farmer', 'estates', 'diplomat_2');
const count = int(0, 200);
const NOBODY = () => null;
const ITS_SEAT = (data) => data.seat;
const EVENTS = {
  table_created: [{ card_set: cardSet, fairness: one(1), format: one(1), game_id: uuid,
    options: object({ mercenary: bool, opening_hand: one('dealt', 'fixed') }), players: int(3, 5), rules: one(1),
    seed_commitment: hex(32), start: one('creator', 'full') }],
  seat_taken: [{ entropy: hex(32), entropy_from: one('bot', 'player', 'server'), seat }],
  seat_left: [{ seat }],
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
const MOVES = ['estate_placed', 'battlefield_chosen', 'action_card_kept', 'supplies_played', 'base_built', 'base_flipped',
  'build_passed', 'supplies_discarded'];
const AT_THE_TABLE = ['table_created', 'seat_taken', 'seat_left', 'table_closed', 'game_started'];

/** Whatever is neither a move nor done at the table before the start follows from the event before it (F3). */
const followsFromTheLast = (type) => !MOVES.includes(type) && !AT_THE_TABLE.includes(type);

/** What event 1 says of the cards, in the order before a shuffle (F2); null if no game can be played with them (R1.6). */
function tableOf({ card_set, game_id, options, players }) {
  const lines = [...card_set.lands.keys()].filter((line) => players === 5 || !card_set.lands[line].five_players_only);
  const cards = card_set.supplies.flatMap((it) =>
    Array(it.count + (players === 5 ? it.five_players_extra : 0)).fill(it.value)).sort(byValue);
  const fixed = options.opening_hand === 'fixed';
  const hands = fixed ? [3, 4, 5].flatMap((it) => Array(players).fill(it)) : [];
  if (cards.length < 3 * players || cards.length > 200 || 2 * lines.length < players) return null;
  const pack = without(cards, hands);
  const lands = ['eagle', 'rose'].flatMap((side) => lines.map((line) => ({ house: side, line })));
  return pack && { id: game_id, players, fixed, lands, pack, actions: ACTION_CARDS.slice(0, options.mercenary ? 7 : 6) };
}

/** `cards` less `taken`; null if one of those is not there. */
function without(cards, taken) {
  const rest = [...cards];
  for (const it of taken) {
    const at = rest.indexOf(it);
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}

// ---- F4: reading the file -----------------------------------------------------------------------------------------------------

/** The value of a text that is spelt as RFC 8785 spells it: then there is no other spelling, no doubled key, no odd number. */
function canonical(text, seq, what) {
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Fault(seq, 'F4', `${what} is not JSON`, 'a JSON object', text);
  }
  const spelt = isObject(parsed) ? spell(parsed, 0) : null;
  if (spelt !== text) throw new Fault(seq, 'F4', `${what} is not canonical JSON (RFC 8785, our kinds of value)`, spelt, text);
  return parsed;
}

/** Null, which no text equals, for what has no place in our data: other numbers than integers, other text than ASCII. */
function spell(it, depth) {
  if (depth > MAX_DEPTH) return null;
  if (typeof it === 'string') return /^[\0-\x7f]*$/.test(it) ? JSON.stringify(it) : null;
  if (typeof it === 'number') return Number.isSafeInteger(it) ? String(it) : null;
  if (typeof it !== 'object' || it === null) return String(it);
  const parts = Array.isArray(it) ? it.map((item) => spell(item, depth + 1))
    : Object.keys(it).sort().map((name) => [spell(name, 0), spell(it[name], depth + 1)]);
  if (parts.flat().includes(null)) return null;
  return Array.isArray(it) ? `[${parts}]` : `{${parts.map((pair) => pair.join(':'))}}`;
}

/** The lines one at a time, as a file of a million empty ones shall not be split before it is refused. */
function* linesOf(text, here) {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    if (end < 0) throw new Fault(here(), 'F4', 'the last line has no end: the file is cut off or changed', 'a line feed', 'the end');
    if (end - start > MAX_LINE) throw new Fault(here(), 'F4', 'a line is longer than any can be', MAX_LINE, end - start);
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** Reads up to the first fault, which it keeps, so that an earlier one in the events before it can still be found. */
function read(text) {
  const file = { events: [], table: null, end: null, reveal: null, ended: false, fault: null };
  let open = null; // an event that waits for its hash
  const here = () => (file.end ? null : open?.line.seq ?? file.events.length + 1);
  try {
    if (text.length > MAX_FILE) throw new Fault(null, 'F4', 'the file is larger than any game', MAX_FILE, text.length);
    for (const line of linesOf(text, here)) {
      const seq = here();
      const it = canonical(line, seq, 'a line');
      if (file.reveal) {
        throw new Fault(null, 'F4', 'something follows the end of the game: is it two games in one file?', 'the end of the file', it);
      } else if (file.end) {
        if (!object({ reveal: object({ server_seed: hex(32) }) })(it)) {
          throw new Fault(null, 'F4', 'what follows the head is no reveal of the server_seed', 'a reveal, or nothing', it);
        }
        file.reveal = it.reveal.server_seed;
      } else if (open) {
        file.events.push({ ...open, ...readHash(it, seq, open.line, file.table) });
        open = null;
      } else if (file.events.length > 0 && Object.hasOwn(it, 'head')) {
        const ok = object({ head: object({ hash: hex(32), version: int(1) }), key: hex(32), signature: hex(64) });
        if (!ok(it)) throw new Fault(null, 'F4', 'the head line has another form', 'head {hash, version}, key, signature', it);
        file.end = it;
      } else {
        if (seq === 1 && it.type === 'table_created' && object(EVENTS.table_created[0])(it.data)) file.table = tableOf(it.data);
        checkForm(it, seq, file);
        open = { text: line, line: it };
      }
    }
    if (!file.end) {
      throw new Fault(here(), 'F4', text ? 'the file ends before the game does: it has no head line' : 'the file is empty', 'more lines', 'the end');
    }
    file.ended = ['game_ended', 'table_closed'].includes(file.events.at(-1).line.type);
    if (file.ended !== (file.reveal !== null)) {
      throw new Fault(null, 'F4', 'the server_seed is revealed exactly if the game has ended', file.ended ? 'a reveal' : 'no reveal',
        file.reveal ?? 'no reveal');
    }
    const hidden = file.reveal && file.events.find(({ line, secret }) => Object.hasOwn(line, 'secret_hash') && secret === undefined);
    if (hidden) throw new Fault(hidden.line.seq, 'F4', 'the game has ended and a secret is not shown', 'a secret', 'none');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    file.fault = error;
  }
  return file;
}

/** The line {hash, secret?, seq} that follows each event. */
function readHash(it, seq, line, table) {
  const shown = Object.hasOwn(it, 'secret');
  if (!hasKeys(it, shown ? ['hash', 'secret', 'seq'] : ['hash', 'seq']) || !hex(32)(it.hash) || (shown && typeof it.secret !== 'string')) {
    throw new Fault(seq, 'F4', 'the line after the event does not give its hash', '{"hash", "seq"}, perhaps "secret"', it);
  }
  same(seq, 'F4', 'the hash is that of another event', seq, it.seq);
  if (!shown) return { hash: it.hash };
  if (!Object.hasOwn(line, 'secret_hash')) throw new Fault(seq, 'F3', 'a secret is shown of an event that has none', 'no secret', it.secret);
  const secret = canonical(it.secret, seq, 'the secret');
  const fields = EVENTS[line.type][1];
  if (!object(fields)(secret, table)) throw new Fault(seq, 'F3', `the secret of ${line.type} has another form`, Object.keys(fields), secret);
  return { hash: it.hash, secretText: it.secret, secret };
}

function checkForm(it, seq, { events, table }) {
  same(seq, 'F3', 'events are numbered without a gap: one is missing, doubled or moved', seq, Object.hasOwn(it, 'seq') ? it.seq : it);
  const fail = (message, expected, found) => { throw new Fault(seq, 'F3', message, expected, found); };
  if ((seq === 1) !== (it.type === 'table_created')) fail('the first event, and no other, is table_created', 'table_created first', it.type);
  if (typeof it.type !== 'string' || !Object.hasOwn(EVENTS, it.type)) fail('there is no such type of event', 'a type of docs/events.md', it.type);
  const [fields, secret, whose] = EVENTS[it.type];
  const names = ['at', 'cause', 'data', 'seq', 'type', ...(secret ? ['secret_for', 'secret_hash'] : [])];
  if (!hasKeys(it, names)) fail(`an event ${it.type} has other fields`, names, Object.keys(it));
  if (seq === 1 && isObject(it.data)) {
    for (const name of ['fairness', 'format', 'rules']) same(seq, 'F3', `this verifier knows version 1 of ${name} only`, 1, it.data[name]);
  }
  const wrong = !isObject(it.data) || !hasKeys(it.data, Object.keys(fields)) ? 'fields'
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
    same(seq, 'F3', `${type} follows from a move and carries its cause and time`, { cause: last.cause, at: last.at }, { cause: who, at });
  } else if (MOVES.includes(type)) {
    const may = [{ seat: data.seat }, { bot: data.seat }, 'clock'];
    if (!may.some((it) => JSON.stringify(it) === JSON.stringify(who))) throw new Fault(seq, 'F3', 'a seat moves for another', may, who);
  } else if (type === 'table_created') {
    same(seq, 'F3', 'nobody sits yet when a table is set up', 'table', who);
  } else if (type === 'seat_taken' && data.entropy_from !== 'bot') {
    same(seq, 'F3', 'who sits down acts for the seat that he takes', { seat: data.seat }, who);
  }
}

// ---- F3: chain and secrets ----------------------------------------------------------------------------------------------------

/** The first fault of many checks that wait for a hash. */
const firstFault = async (items, check) => (await bulk(items, check)).find(Boolean) ?? null;

/** Every hash is computed from the one that the file states before it: the first wrong one is the same, and none waits. */
function checkChain(events) {
  return firstFault(events, async ({ text, hash, line: { seq } }, i) => {
    const expected = toHex(await sha256(i === 0 ? new Uint8Array(32) : fromHex(events[i - 1].hash), text));
    return expected === hash ? null : new Fault(seq, 'F3', 'the chain breaks: the event, or what came before it, was changed', expected, hash);
  });
}

async function checkSecrets({ events, reveal }) {
  const key = await hmacKey(fromHex(reveal));
  return firstFault(events.filter((event) => event.secret), async ({ line, secretText }) => {
    const salt = await hmac(key, `fereta/salt/1/${line.seq}`);
    const expected = toHex(await sha256(salt, secretText));
    return expected === line.secret_hash ? null
      : new Fault(line.seq, 'F3', 'the secret is not the one that was sealed when it happened', line.secret_hash, `${expected} for ${secretText}`);
  });
}

// ---- F1, F2: what was shuffled, dealt, drawn and passed -----------------------------------------------------------------------

const AFTER_THE_REVEAL = ['allegiance_changed', 'battle_fought', 'land_turned', 'points_awarded', 'base_built', 'base_flipped',
  'build_passed', 'strategy_card_given', 'played_supplies_discarded'];
const AFTER_THE_DISCARD = ['supplies_drawn', 'draw_lost', 'deck_shuffled', 'supplies_discarded', 'points_awarded', 'round_started', 'game_ended'];

/**
 * Follows the cards through the game. Without the server_seed (a running game) the secrets prove nothing, so that only what is
 * public is followed: who is next, and how many cards.
 */
async function follow({ events, table, reveal }) {
  const game = {
    ...table, reveal, seats: Array(table.players).fill(null), seed: null, first: null, round: 0, reshuffles: 0,
    deck: [], discards: [], hands: Array.from({ length: table.players }, () => []), played: [], draft: [], kept: [],
    next: [['table_created']], // what must come now, one by one: [type, seat]
    allowed: ['seat_taken', 'seat_left', 'game_started', 'table_closed'], // and then any of these
  };
  try {
    for (const { line, secret } of events) {
      const { seq, type, data } = line;
      const check = (rule, message, expected, found) => same(seq, rule, message, expected, found);
      if (type !== 'table_closed' || game.over) {
        const [due, who] = game.next.shift() ?? [];
        if (due ? due !== type || (who !== undefined && who !== data.seat) : !game.allowed.includes(type)) {
          const is = Object.hasOwn(data, 'seat') ? `${type} of seat ${data.seat}` : type;
          throw new Fault(seq, 'F3', 'this event cannot stand here', due ? due + (who === undefined ? '' : ` of seat ${who}`) : game.allowed, is);
        }
      }
      await FOLLOW[type]?.(game, data, reveal && secret, check, line);
    }
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

const sortedTexts = (items) => items.map((it) => JSON.stringify(it)).sort();
const turns = (game, first, start = 0) => game.seats.map((_, i) => (first + start + i) % game.players);

/** The supply cards that a seat gives away. */
function spend(game, { seat: who, cards }, check) {
  const rest = without(game.hands[who], cards);
  check('F2', 'cards leave a hand that they were never in', 'cards of his hand', rest ? 'cards of his hand' : cards);
  game.hands[who] = rest;
}

/** The supply cards that a seat gets off the top of the deck. */
function draw(game, { seat: who, count: drawn }, secret, check) {
  const cards = game.deck.splice(0, drawn);
  check('F2', 'more cards are drawn than the deck holds', drawn, cards.length);
  take(game, who, cards, secret, check);
}

function take(game, who, cards, secret, check) {
  if (!secret) return;
  check('F2', `what seat ${who} gets is not what it must be (from the top of the deck, by rising value)`, [...cards].sort(byValue), secret.cards);
  game.hands[who].push(...cards);
}

const FOLLOW = {
  async table_created(game, data, _, check) {
    if (game.reveal) {
      check('F1', 'the revealed server_seed is not the one that was committed to', data.seed_commitment, toHex(await sha256(fromHex(game.reveal))));
    }
  },
  async seat_taken(game, { entropy, entropy_from: from, seat: who }, _, check) {
    check('F3', 'the seat is taken already', null, game.seats[who]);
    if (from === 'bot') check('F1', 'a bot brings entropy of its own', '0'.repeat(64), entropy);
    if (from === 'server' && game.reveal) check('F1', 'the server chose the entropy', await defaultEntropy(game.reveal, who), entropy);
    game.seats[who] = entropy;
  },
  seat_left(game, { seat: who }, _, check) {
    check('F3', 'nobody sits there who could leave', true, game.seats[who] !== null);
    game.seats[who] = null;
  },
  table_closed(game) {
    Object.assign(game, { next: [], allowed: [], over: true });
  },
  async game_started(game, data, _, check) {
    check('F1', 'the game starts with an empty seat', [], turns(game, 0).filter((who) => game.seats[who] === null));
    if (game.reveal) {
      game.seed = await gameSeed(game.reveal, game.id, game.seats);
      check('F2', 'the first player is not the one that the seeds draw', (await numbers(game.seed, 'first_player', [game.players]))[0], data.first_player);
    }
    game.first = data.first_player;
    const all = turns(game, game.first);
    const sides = [];
    all.forEach((who, i) => { sides[who] = i % 2 === 0 ? 'eagle' : 'rose'; });
    check('F2', 'the allegiances do not follow from the first player (R2.1)', sides, data.allegiances);
    check('F2', 'the strategy card does not lie left of the first player (R2.5)', all[1], data.strategy_card);
    const deals = all.map((who) => ['supplies_dealt', who]);
    const dealing = game.fixed ? [...deals, ['deck_shuffled']] : [['deck_shuffled'], ...deals];
    game.next = [['lands_laid'], ...all.map((who) => ['estate_placed', who]), ...dealing, ['round_started']];
  },
  async lands_laid(game, { lands }, _, check) {
    if (game.seed) check('F2', 'the lands do not lie as the seeds shuffle them', await shuffled(game.seed, 'lands', game.lands), lands);
    else check('F2', 'other lands are laid than the card set has', sortedTexts(game.lands), sortedTexts(lands));
  },
  async deck_shuffled(game, data, secret, check) {
    const { deck, discards } = game;
    check('F2', 'a shuffle is counted wrong', game.reshuffles, data.reshuffle);
    if (game.round > 0) {
      check('F2', 'the discard pile is shuffled while the deck still has cards', 0, deck.length);
      check('F2', 'an empty discard pile is shuffled', true, discards.length > 0);
      game.next = [['supplies_drawn']];
    }
    const cards = game.round > 0 ? discards.sort(byValue) : game.pack;
    const label = game.reshuffles === 0 ? 'deck' : `reshuffle/${game.reshuffles}`;
    game.reshuffles += 1;
    check('F2', 'other cards are shuffled than there are', cards.length, data.count);
    Object.assign(game, { deck: secret ? await shuffled(game.seed, label, cards) : cards, discards: [] });
    if (secret) check('F2', 'the deck does not lie as the seeds shuffle it', game.deck, secret.order);
  },
  supplies_dealt(game, data, secret, check) {
    check('F2', 'an opening hand has three cards', 3, data.count);
    if (game.fixed) take(game, data.seat, [3, 4, 5], secret, check);
    else draw(game, data, secret, check);
  },
  round_started(game, data, _, check) {
    game.round += 1;
    check('F2', 'rounds count from 1, one by one', game.round, data.round);
    const all = turns(game, game.first, game.round - 1);
    check('F2', 'the first player card moves one seat to the left each round (R3.10)', all[0], data.first_player);
    const draft = all.flatMap((who) => [['action_cards_passed', who], ['action_card_kept', who]]);
    game.next = [['battlefield_chosen'], ['action_cards_shuffled'], ...draft, ['action_cards_left', all.at(-1)],
      ...all.map((who) => ['supplies_played', who]), ['action_cards_revealed']];
    Object.assign(game, { allowed: AFTER_THE_REVEAL, played: [], kept: [] });
  },
  async action_cards_shuffled(game, data, secret, check) {
    check('F2', 'other action cards are shuffled than there are', game.actions.length, data.count);
    const order = secret ? await shuffled(game.seed, `action_cards/${game.round}`, game.actions) : game.actions;
    if (secret) check('F2', 'the action cards do not lie as the seeds shuffle them', order, secret.order);
    game.draft = game.actions.filter((it) => it !== order[0]); // the top one is set aside (R3.2)
  },
  action_cards_passed(game, data, secret, check) {
    check('F2', 'another number of action cards is passed than is left', game.draft.length, data.count);
    if (secret) check('F2', 'other action cards are passed than are left', game.draft, secret.cards);
  },
  action_card_kept(game, data, secret, check) {
    const kept = secret ? secret.card : game.draft[0];
    check('F2', 'an action card is kept that was not passed', true, game.draft.includes(kept));
    game.draft = game.draft.filter((it) => it !== kept);
    game.kept[data.seat] = kept;
  },
  action_cards_left: (...args) => FOLLOW.action_cards_passed(...args),
  supplies_played(game, data, _, check) {
    if (game.reveal) spend(game, data, check);
    game.played.push(...data.cards);
  },
  action_cards_revealed(game, { cards }, secret, check) {
    if (game.reveal) check('F2', 'other action cards are turned up than were kept', game.kept, cards);
    else check('F2', 'an action card is turned up twice', cards.length, new Set(cards).size);
  },
  played_supplies_discarded(game, { cards }, _, check) {
    check('F2', 'other cards are discarded than were played', game.played.sort(byValue), cards);
    game.discards.push(...cards);
    game.allowed = AFTER_THE_DISCARD;
  },
  supplies_drawn: draw,
  draw_lost(game, data, _, check) {
    check('F2', 'a draw is lost although there are cards (in deck and discard pile)', 0, game.deck.length + game.discards.length);
  },
  supplies_discarded(game, data, _, check) {
    if (game.reveal) spend(game, data, check);
    game.discards.push(...data.cards);
  },
  game_ended(game) {
    Object.assign(game, { allowed: [], over: true });
  },
};

// ---- The end of the file, and what was noted ----------------------------------------------------------------------------------

async function checkEnd({ events, end, table }, key, signatures) {
  same(null, 'F4', 'the head counts other events than the file has', events.length, end.head.version);
  same(null, 'F3', 'the head is not the hash of the last event', events.at(-1).hash, end.head.hash);
  if (key) same(null, 'F3', 'the file is signed with another key than the one that the server publishes', key, end.key);
  if (signatures && !(await isSigned(end.key, end.signature, headMessage(table.id, end.head)))) {
    throw new Fault(null, 'F3', 'the signature of the head is wrong', `a signature with ${end.key}`, end.signature);
  }
}

/** A head was shown by the server while the game ran: {head: {hash, version}}, perhaps with game_id, key, signature. */
async function checkHead({ events, table }, note, key, signatures) {
  const { version, hash } = note.head;
  if (note.game_id) same(null, 'F4', 'the head that you noted is of another game', note.game_id, table.id);
  if (version > events.length) throw new Fault(null, 'F4', 'this file is shorter than what you noted', `${version} events`, `${events.length} events`);
  if (note.key && key) same(version, 'F3', 'the head that you noted is signed with another key than the server publishes', key, note.key);
  if (note.key && signatures && !(await isSigned(note.key, note.signature, headMessage(table.id, note.head)))) {
    throw new Fault(version, 'F3', 'the signature of the head that you noted is wrong', `a signature with ${note.key}`, note.signature);
  }
  same(version, 'F4', 'this is not the history that you were shown: another head', hash, events[version - 1].hash);
}

async function checkReceipt({ events, table }, note, key, signatures) {
  same(null, 'F4', 'the receipt is of another game', note.game_id, table.id);
  if (note.seq > events.length) throw new Fault(null, 'F4', 'this file is shorter than what you noted', `${note.seq} events`, `${events.length} events`);
  if (key) same(note.seq, 'F3', 'the receipt is signed with another key than the server publishes', key, note.key);
  if (signatures && !(await isSigned(note.key, note.signature, receiptMessage(note)))) {
    throw new Fault(note.seq, 'F3', 'the signature of the receipt is wrong', `a signature with ${note.key}`, note.signature);
  }
  const { hash, line } = events[note.seq - 1];
  same(note.seq, 'F4', 'this is not the history that the receipt is for: another hash', note.hash, hash);
  same(note.seq, 'F4', 'this event is not the one that the receipt is for', ['seat_taken', note.seat], [line.type, line.data.seat]);
}

/** A note as a player kept it: V:HASH, or the JSON of a signed head. Null if it is neither. */
export function parseHead(text) {
  const [, version, hash] = /^\s*([1-9]\d{0,15}):([0-9a-f]{64})\s*$/.exec(text) ?? [];
  if (version) return { head: { hash, version: Number(version) } };
  const note = parseObject(text);
  const isHead = note && object({ hash: hex(32), version: int(1) })(note.head) && hex(32)(note.key) && hex(64)(note.signature);
  return isHead && (note.game_id === undefined || uuid(note.game_id)) ? note : null;
}

export function parseReceipt(text) {
  const note = parseObject(text);
  const fields = { game_id: uuid, hash: hex(32), key: hex(32), seat: int(0, 4), seq: int(1), signature: hex(64) };
  return note && object(fields)(note) ? note : null;
}

export const parseKey = (text) => (hex(32)(text.trim()) ? text.trim() : null);

function parseObject(text) {
  try {
    const parsed = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

// ---- The verdict --------------------------------------------------------------------------------------------------------------

/**
 * `input`: the file's bytes, or its text. `heads`, `receipts` and `key` as parseHead, parseReceipt and parseKey give them.
 *
 * `verdict` is anchored, consistent, incomplete or faulty; `fault` the first one, by seq; `held` how many notes the history was
 * held against; `notes` what could not be checked: signatures_unchecked, secrets_unchecked.
 */
export async function verify(input, { heads = [], receipts = [], key = null } = {}) {
  if (!globalThis.crypto?.subtle) throw new Error('no WebCrypto here: a browser has it on https pages only');
  // Our data are ASCII. This decoder takes every byte, and makes those above 0x7f characters that no line may have.
  const text = typeof input === 'string' ? input : new TextDecoder('windows-1252').decode(input.subarray(0, MAX_FILE + 1));
  const result = { game_id: null, version: 0, verdict: 'faulty', fault: null, held: 0, notes: [] };
  let faults;
  try {
    const file = read(text);
    Object.assign(result, { game_id: file.table?.id ?? null, version: file.events.length });
    faults = [file.fault, await checkChain(file.events)];
    if (!file.fault) {
      const signatures = await canVerifySignatures();
      if (!signatures) result.notes.push('signatures_unchecked');
      if (!file.reveal) result.notes.push('secrets_unchecked');
      const caught = (check) => check.then(() => null, (error) => { if (error instanceof Fault) return error; throw error; });
      faults.push(file.reveal && (await checkSecrets(file)), await follow(file), await caught(checkEnd(file, key, signatures)));
      for (const note of heads) faults.push(await caught(checkHead(file, note, key, signatures)));
      for (const note of receipts) faults.push(await caught(checkReceipt(file, note, key, signatures)));
      result.held = heads.length + receipts.length;
      result.verdict = !file.ended ? 'incomplete' : result.held > 0 ? 'anchored' : 'consistent';
    }
  } catch (error) {
    faults = [error instanceof Fault ? error : new Fault(null, null, 'the file broke the verifier, as no file of a real game does', 'a verdict', String(error))];
  }
  const [first] = faults.filter(Boolean).sort((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity) || 0);
  if (first) {
    const { seq, expected, found, rule, message } = first;
    Object.assign(result, { verdict: 'faulty', held: 0, fault: { seq, expected, found, rule, message } });
  }
  return result;
}

// ---- The command --------------------------------------------------------------------------------------------------------------

const WORDS = {
  anchored: 'anchored: complete, consistent, and the very history that you were shown while it ran',
  consistent: 'consistent, not anchored: complete and without contradiction, but held against nothing that was noted while it ran',
  incomplete: 'incomplete: the game still runs; what can be checked now holds',
  faulty: 'FAULTY',
  signatures_unchecked: 'signatures were not checked: this platform has no Ed25519',
  secrets_unchecked: 'secrets were not checked, as their salts are published at the end only',
};
const USAGE = 'usage: node verify.mjs FILE… [--head V:HASH|FILE] [--receipt FILE] [--key HEX] [--json]\n' +
  '  FILE: an export, or - for standard input. What was noted (--head, --receipt; both may be repeated) is of one game, so of one FILE.';

function inWords(file, { game_id: id, version, verdict, fault, held, notes }) {
  const lines = [`${file}: ${WORDS[verdict]}`];
  if (id) lines.push(`  game ${id}, ${version} events${held ? `, held against ${held} of your notes` : ''}`);
  if (fault) {
    lines.push(`  first fault${fault.seq === null ? '' : ` at event ${fault.seq}`}: ${fault.message}${fault.rule ? ` (${fault.rule})` : ''}`);
    lines.push(`    expected: ${fault.expected}`, `    found:    ${fault.found}`);
  }
  return [...lines, ...notes.map((note) => `  ${WORDS[note]}`)].join('\n');
}

/** 0: all hold; 1: a fault; 2: usage, or a file that cannot be read. */
async function main(args) {
  const { createReadStream } = await import('node:fs');
  globalThis.crypto ??= (await import('node:crypto')).webcrypto; // node 18 has WebCrypto, but not yet under its global name
  const bytes = async (path, most = MAX_FILE + 1) => {
    const chunks = [];
    let length = 0;
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk);
      if ((length += chunk.length) > most) break;
    }
    return concat(...chunks);
  };
  const asText = async (path) => new TextDecoder().decode(await bytes(path, MAX_LINE));
  const usage = (message) => (console.error(`${message}\n${USAGE}`), 2);

  const files = [];
  const noted = { heads: [], receipts: [], key: null };
  let json = false;
  const parse = {
    '--head': async (it) => noted.heads[noted.heads.push(parseHead(/^\d+:/.test(it) ? it : await asText(it))) - 1],
    '--receipt': async (it) => noted.receipts[noted.receipts.push(parseReceipt(await asText(it))) - 1],
    '--key': async (it) => (noted.key = parseKey(it)),
  };
  for (let i = 0; i < args.length; i += 1) {
    if (args[i] === '--json') json = true;
    else if (Object.hasOwn(parse, args[i])) {
      const [option, it] = [args[i], args[(i += 1)]];
      const ok = it !== undefined && (await parse[option](it).catch(() => null));
      if (!ok) return usage(`${option} ${it ?? ''}: not what ${option} takes, or not to be read`);
    } else if (args[i].startsWith('--')) return usage(`${args[i]}: no such option`);
    else files.push(args[i]);
  }
  if (files.length === 0) return usage('which file?');
  if (files.length > 1 && noted.heads.length + noted.receipts.length > 0) return usage('notes are of one game: give one FILE with them');

  let code = 0;
  for (const file of files) {
    try {
      const result = await verify(await bytes(file), noted);
      console.log(json ? JSON.stringify({ file, ...result }) : inWords(file, result));
      code = Math.max(code, result.fault ? 1 : 0);
    } catch (error) {
      console.error(`${file}: cannot be read: ${error.message}`);
      code = 2;
    }
  }
  return code;
}

if (globalThis.process?.argv?.[1]) {
  const [{ pathToFileURL }, { realpathSync }] = await Promise.all([import('node:url'), import('node:fs')]);
  const started = pathToFileURL(realpathSync(process.argv[1])).href;
  if (started === import.meta.url) process.exitCode = await main(process.argv.slice(2));
}
