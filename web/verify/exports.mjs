/** For the tests: histories, and the exports that a server would make of them. Hashes by node:crypto, as a second opinion. */
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { gameSeed, numbers, shuffled } from './draws.mjs';

const { subtle } = globalThis.crypto;
const VECTORS = new URL('../../tests/data/vectors/', import.meta.url);
const PLAYTHROUGHS = new URL('../../tests/data/playthroughs/', import.meta.url);

export const vectors = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, VECTORS), 'utf8'));
export const GAMES = ['game_3', 'game_4', 'game_5', 'game_custom', 'game_bots'];

const raw = (hex) => Buffer.from(hex, 'hex');
export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const u64 = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
};
const idBytes = (id) => raw(id.replaceAll('-', ''));

export function canonical(it) {
  if (Array.isArray(it)) return `[${it.map(canonical)}]`;
  if (typeof it !== 'object' || it === null) return JSON.stringify(it);
  return `{${Object.keys(it)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(it[name])}`)}}`;
}

export async function signer() {
  const { privateKey, publicKey } = await subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
  const sign = async (...parts) =>
    Buffer.from(await subtle.sign({ name: 'Ed25519' }, privateKey, Buffer.concat(parts))).toString('hex');
  return {
    key: Buffer.from(await subtle.exportKey('raw', publicKey)).toString('hex'),
    head: (id, { version, hash }) => sign(Buffer.from('fereta/head/1'), idBytes(id), u64(version), raw(hash)),
    receipt: (id, seat, seq, hash) => sign(Buffer.from('fereta/seat/1'), idBytes(id), Buffer.of(seat), u64(seq), raw(hash)),
  };
}

const MOVES = [
  'estate_placed',
  'battlefield_chosen',
  'action_card_kept',
  'supplies_played',
  'base_built',
  'base_flipped',
  'build_passed',
  'supplies_discarded',
];
const NOBODY_S = ['deck_shuffled', 'action_cards_shuffled'];

/** Gives bare facts (type, data, secret) their number, time and cause: a history is a list of {line, secret}. */
export function history(facts) {
  let now = Date.UTC(2026, 10, 29, 12);
  let cause = 'table';
  let started = false;
  const bots = new Set(); // where one was assigned
  return facts.map(({ type, data, secret, cause: given }, i) => {
    const givenUp = type === 'bot_assigned' && started; // else it comes with the seat's being taken
    if (MOVES.includes(type) || type === 'seat_taken' || type === 'seat_left' || givenUp) {
      cause = given ?? { [data.entropy_from === 'bot' || bots.has(data.seat) ? 'bot' : 'seat']: data.seat };
      if (given !== 'table' || i > 1) now += 1234; // the creator sits down in the act of creating
    }
    if (type === 'game_started') started = true;
    if (type === 'bot_assigned') bots.add(data.seat);
    if (type === 'seat_left') bots.delete(data.seat);
    return { line: { at: new Date(now).toISOString(), cause, data, seq: i + 1, type }, secret };
  });
}

/** One of the golden games: {facts, seed, id}. */
export function golden(name) {
  const { events, game_id: id, server_seed: seed } = vectors(name);
  return { id, seed, facts: events.map(({ fact, secret }) => ({ ...fact, secret: secret ?? undefined })) };
}

/** The games that are told in the playthroughs, as golden() gives them. Their seeds count up from the id's first byte times 16. */
export const told = () =>
  readdirSync(PLAYTHROUGHS).map((name) => {
    const lines = readFileSync(new URL(name, PLAYTHROUGHS), 'utf8').split('\n');
    const events = lines.map((line) => /^  - (\w+) (\{.*?\})(?: \[[\d, ]*\] (\{.*\}))?$/.exec(line)).filter(Boolean);
    const facts = events.map(([, type, data, secret]) => ({
      type,
      data: JSON.parse(data),
      secret: secret && JSON.parse(secret),
    }));
    const id = facts[0].data.game_id;
    const start = parseInt(id.slice(0, 2), 16) * 16;
    return { name, id, facts, seed: Buffer.from(Array.from({ length: 32 }, (_, i) => (start + i) % 256)).toString('hex') };
  });

/** Seals the secrets of a history as the server does when things happen. */
export function seal(events, seed) {
  return events.map(({ line, secret }) => {
    if (secret === undefined) return { line };
    const salt = hmac(raw(seed), `fereta/salt/1/${line.seq}`);
    const sealed = {
      secret_for: NOBODY_S.includes(line.type) ? null : line.data.seat,
      secret_hash: sha256(salt, canonical(secret)),
    };
    return { line: { ...line, ...sealed }, secret };
  });
}

/**
 * The lines of the export of sealed events, chained and signed. A seed stands for the reveal. `secrets` says whose are shown while
 * there is none.
 */
export async function exported(events, { id, seed, signer: by, show = () => true }) {
  const lines = [];
  const hashes = [];
  let hash = '00'.repeat(32);
  for (const { line, secret } of events) {
    const text = typeof line === 'string' ? line : canonical(line);
    hash = sha256(raw(hash), text);
    hashes.push(hash);
    const shown = secret !== undefined && show(line) ? { secret: typeof secret === 'string' ? secret : canonical(secret) } : {};
    lines.push(text, canonical({ hash, seq: hashes.length, ...shown }));
  }
  const head = { hash, version: events.length };
  lines.push(canonical({ head, key: by.key, signature: await by.head(id, head) }));
  if (seed) lines.push(canonical({ reveal: { server_seed: seed } }));
  return { lines, hashes, text: lines.map((line) => `${line}\n`).join('') };
}

/** Numbers that look random and are the same in every run. */
export function chance(name) {
  let count = 0;
  const below = (n) => parseInt(sha256(`${name}/${(count += 1)}`).slice(0, 12), 16) % n;
  return { below, one: (items) => items[below(items.length)] };
}

const CARD_SET = {
  lands: [
    ['wilderness', 0],
    ['meadow', 3],
    ['city', 15],
    ['forest', 7],
  ].map(([kind, strength], i) => ({ five_players_only: i === 3, kind, points: [9, 6, 5, 4, 3], strength })),
  rounds: { five: 3, four: 3, three: 3 },
  supplies: [
    [2, 3, 0],
    [3, 4, 1],
    [4, 5, 1],
    [5, 5, 1],
    [8, 1, 0],
  ].map(([value, count, extra]) => ({ count, five_players_extra: extra, value })),
};

/**
 * A game that keeps all that F1 to F3 ask for and nothing of the rules of play: seats are taken, left, taken again, cards are drawn,
 * lost and discarded as it happens. `draws` is how many times somebody draws in a round. With `bots` it is one of version 2 of the rules, in
 * which bots say what they are, and seats are given up to them.
 */
export async function invented(
  name,
  { players = 3, rounds = 2, fixed = false, mercenary = false, draws = 3, close = false, sits = false, bots = false } = {},
) {
  const dice = chance(name);
  const seed = sha256(`${name}/seed`);
  const id = sha256(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  const facts = [];
  const tell = (type, data, secret, cause) => facts.push({ type, data, secret, cause });
  const rising = (cards) => [...cards].sort((a, b) => a - b);
  const seats = Array.from({ length: players }, (_, seat) => seat);

  const options = { mercenary, opening_hand: fixed ? 'fixed' : 'dealt' };
  tell('table_created', {
    card_set: CARD_SET,
    fairness: 1,
    format: 1,
    game_id: id,
    options,
    players,
    rules: bots ? 2 : 1,
    seed_commitment: sha256(raw(seed)),
    start: dice.one(['creator', 'full']),
  });
  const giveUp = () => {
    const seat = seats.find((it) => !assigned.has(it));
    if (seat !== undefined) assign(seat);
  };
  const entropies = [];
  const assigned = new Set();
  const assign = (seat) => {
    if (!bots || assigned.has(seat)) return;
    assigned.add(seat);
    tell('bot_assigned', { level: dice.one(['easy', 'normal', 'hard', 'expert']), seat, version: 1 });
  };
  const sit = (seat, cause) => {
    const from = ['player', 'server', 'bot'][facts.length % 3];
    entropies[seat] = {
      player: sha256(`${name}/${facts.length}`),
      bot: '0'.repeat(64),
      server: hmac(raw(seed), `fereta/entropy/1/${seat}`).toString('hex'),
    }[from];
    tell('seat_taken', { entropy: entropies[seat], entropy_from: from, seat }, undefined, cause);
    if (from === 'bot') assign(seat);
  };
  seats.forEach((seat) => sit(seat, seat === 0 && sits ? 'table' : undefined));
  for (const [seat, cause] of [
    [1, { seat: 1 }],
    [2, 'table'],
    [1, { seat: 0 }],
  ]) {
    tell('seat_left', { seat }, undefined, cause);
    assigned.delete(seat);
    if (!close) sit(seat);
    else break;
  }
  if (close) {
    tell('table_closed', { reason: 'creator' });
    return { id, seed, facts };
  }

  const game = await gameSeed(seed, id, entropies);
  const [first] = await numbers(game, 'first_player', [players]);
  const turns = (start) => seats.map((i) => (start + i) % players);
  const allegiances = [];
  turns(first).forEach((seat, i) => {
    allegiances[seat] = i % 2 ? 'rose' : 'eagle';
  });
  tell('game_started', { allegiances, first_player: first, strategy_card: turns(first)[1] });
  const lines = players === 5 ? [0, 1, 2, 3] : [0, 1, 2];
  const lands = ['eagle', 'rose'].flatMap((house) => lines.map((line) => ({ house, line })));
  tell('lands_laid', { lands: await shuffled(game, 'lands', lands) });
  turns(first).forEach((seat, i) => tell('estate_placed', { land: i, seat }));

  let pack = CARD_SET.supplies.flatMap((it) => Array(it.count + (players === 5 ? it.five_players_extra : 0)).fill(it.value));
  const hands = seats.map(() => []);
  let discards = [];
  let reshuffle = 0;
  const shuffle = async (cards) => {
    pack = await shuffled(game, reshuffle === 0 ? 'deck' : `reshuffle/${reshuffle}`, rising(cards));
    tell('deck_shuffled', { count: pack.length, reshuffle }, { order: [...pack] });
    reshuffle += 1;
  };
  const give = (type, seat, cards, source) => {
    hands[seat].push(...cards);
    tell(type, { count: cards.length, seat, ...source }, { cards: rising(cards) });
  };
  if (fixed) {
    for (const seat of turns(first)) {
      for (const it of [3, 4, 5]) pack.splice(pack.indexOf(it), 1);
      give('supplies_dealt', seat, [3, 4, 5]);
    }
  }
  await shuffle(pack);
  if (!fixed) turns(first).forEach((seat) => give('supplies_dealt', seat, pack.splice(0, 3)));

  const actions = ['traitor', 'strategist', 'diplomat_5', 'diplomat_2', 'builder', 'farmer', 'mercenary'].slice(
    0,
    mercenary ? 7 : 6,
  );
  const some = (seat, most) =>
    rising(
      Array.from(
        { length: Math.min(hands[seat].length, dice.below(most + 1)) },
        () => hands[seat].splice(dice.below(hands[seat].length), 1)[0],
      ),
    );
  for (let round = 1; round <= rounds; round += 1) {
    const order = turns(first + round - 1);
    tell('round_started', { first_player: order[0], round });
    if (round === 2) giveUp();
    tell('battlefield_chosen', {
      lands: dice.one([
        [0, 1],
        [lands.length - 1, 0],
      ]),
      seat: dice.one(seats),
    });
    const cards = await shuffled(game, `action_cards/${round}`, actions);
    tell('action_cards_shuffled', { count: actions.length }, { order: cards });
    let draft = actions.filter((it) => it !== cards[0]);
    const kept = [];
    for (const seat of order) {
      tell('action_cards_passed', { count: draft.length, seat }, { cards: draft });
      kept[seat] = dice.one(draft);
      tell('action_card_kept', { seat }, { card: kept[seat] });
      draft = draft.filter((it) => it !== kept[seat]);
    }
    tell('action_cards_left', { count: draft.length, seat: order.at(-1) }, { cards: draft });
    const played = order.flatMap((seat) => {
      const cards = some(seat, 3);
      if (seat === order[1] && round === 1) giveUp();
      tell('supplies_played', { cards, seat });
      return cards;
    });
    tell('action_cards_revealed', { cards: kept });
    tell('battle_fought', { eagle: 12, rose: 12, winner: null });
    if (dice.below(2)) tell('points_awarded', { points: 2, reason: 'strategist', seat: 1 });
    if (dice.below(2)) tell('base_built', { face: 'estate', land: 4, seat: 2 });
    tell('strategy_card_given', { seat: 1 });
    tell('played_supplies_discarded', { cards: rising(played) });
    discards.push(...played);
    for (let i = 0; i < draws; i += 1) {
      const [seat, source] = [order[i % players], { source: i % 2 ? 'farmer' : 'estates' }];
      for (let wanted = 1 + dice.below(3); wanted > 0;) {
        if (pack.length === 0 && discards.length > 0) {
          const cards = discards;
          discards = [];
          await shuffle(cards);
        }
        const cards = pack.splice(0, wanted);
        if (cards.length > 0) give('supplies_drawn', seat, cards, source);
        else tell('draw_lost', { seat, ...source });
        wanted -= Math.max(cards.length, 1);
      }
    }
    for (const seat of order.filter((it) => hands[it].length > 5)) {
      const cards = some(seat, hands[seat].length - 5);
      giveUp();
      tell('supplies_discarded', { cards, seat });
      discards.push(...cards);
    }
  }
  tell('game_ended', { ranks: seats.map(() => 1), reason: 'last_round', scores: seats.map(() => 0) });
  return { id, seed, facts };
}
