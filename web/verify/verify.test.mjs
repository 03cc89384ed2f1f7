/** node --test web/verify/verify.test.mjs */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import {
  GAMES,
  canonical,
  chance,
  exported,
  golden,
  history,
  invented,
  seal,
  sha256,
  signer,
  told,
  vectors,
} from './exports.mjs';
import * as draws from './draws.mjs';
import * as notes from './notes.mjs';
import { verify } from './verify.mjs';
import { WORDS } from './words.mjs';

const server = await signer();
const stranger = await signer();

const sealed = (game) => seal(history(game.facts), game.seed);
const exportOf = (game, options = {}) => exported(sealed(game), { ...game, signer: server, ...options });
const short = await invented('short');
const withBots = await invented('with bots', { bots: true });

/** Found where it must be; `seq` null: after the events. */
async function finds(text, seq, what, rule) {
  const { verdict, fault } = await verify(text);
  assert.equal(verdict, 'faulty', what);
  assert.equal(fault.seq, seq, `${what}: ${JSON.stringify(fault)}`);
  if (rule) assert.match(fault.rule, rule, `${what}: ${JSON.stringify(fault)}`);
  assert.ok(fault.message && typeof fault.expected === 'string' && typeof fault.found === 'string', what);
}

const joined = (lines) => lines.map((line) => `${line}\n`).join('');
/** The event that a line belongs to; null for head and reveal. */
const seqOf = (lines, i) => (i < lines.length - 2 ? Math.floor(i / 2) + 1 : null);

// ---- What must hold -----------------------------------------------------------------------------------------------------------

test('seeds, streams, numbers and shuffles are those of the vectors', async () => {
  for (const v of vectors('seeds')) {
    assert.equal(sha256(Buffer.from(v.server_seed, 'hex')), v.seed_commitment);
    assert.deepEqual(
      await Promise.all(v.entropies.map((_, seat) => draws.defaultEntropy(v.server_seed, seat))),
      v.default_entropies,
    );
    assert.equal(await draws.gameSeed(v.server_seed, v.game_id, v.entropies), v.game_seed);
  }
  for (const v of vectors('streams')) {
    assert.deepEqual((await draws.words(v.game_seed, v.label, Math.ceil(v.words.length / 8))).slice(0, v.words.length), v.words);
  }
  for (const v of vectors('numbers')) {
    assert.deepEqual(
      await draws.numbers(
        v.game_seed,
        v.label,
        v.numbers.map(() => v.n),
      ),
      v.numbers,
    );
  }
  for (const v of vectors('shuffles')) {
    assert.deepEqual(await draws.shuffled(v.game_seed, v.label, [...v.order.keys()]), v.order);
  }
});

test('the golden games hold', async () => {
  for (const name of GAMES) {
    const game = golden(name);
    const result = await verify((await exportOf(game)).text);
    assert.deepEqual(
      result,
      { game_id: game.id, version: game.facts.length, verdict: 'consistent', fault: null, held: 0, held_to: 0, notes: [] },
      name,
    );
  }
});

test('the games of the playthroughs hold', async () => {
  const games = told();
  assert.ok(games.length >= 6);
  for (const game of games) {
    const { verdict, version, fault } = await verify((await exportOf(game)).text);
    assert.deepEqual([verdict, version, fault], ['consistent', game.facts.length, null], game.name);
  }
});

test('games hold in which seats change, draws are lost and hands are fixed', async () => {
  const seen = new Set();
  for (let i = 0; i < 24; i += 1) {
    const options = {
      players: 3 + (i % 3),
      rounds: 1 + (i % 4),
      fixed: i % 2 === 0,
      mercenary: i % 5 === 0,
      draws: 2 + (i % 6),
      sits: i % 4 === 1,
      bots: i % 3 === 1 || i % 8 === 2,
    };
    const game = await invented(`game ${i}`, options);
    game.facts.forEach(({ type, data }) => seen.add(data.reshuffle > 1 ? 'reshuffled twice' : type));
    const result = await verify(Buffer.from((await exportOf(game)).text));
    assert.equal(result.verdict, 'consistent', JSON.stringify([options, result.fault]));
  }
  for (const type of ['draw_lost', 'reshuffled twice', 'seat_left', 'bot_assigned', 'supplies_discarded']) assert.ok(seen.has(type), type);
});

test('a table that was closed is complete', async () => {
  const game = await invented('closed', { close: true });
  assert.equal((await verify((await exportOf(game)).text)).verdict, 'consistent');
  await finds((await exportOf({ ...game, seed: null })).text, null, 'not revealed', /F4/);
});

test('a running game is incomplete, whatever it shows to whom', async () => {
  for (const game of [short, golden('game_5')]) {
    const events = sealed(game);
    const { hashes } = await exported(events, { ...game, signer: server });
    for (let version = 1; version < events.length; version += 1 + (version % 7)) {
      const show = [() => false, (line) => line.secret_for === 1][version % 2];
      const { text } = await exported(events.slice(0, version), { ...game, seed: null, signer: server, show });
      const note = notes.parseHead(`${version}:${hashes[version - 1]}`);
      const result = await verify(text, { heads: [note] });
      assert.deepEqual(
        [result.verdict, result.held, result.notes],
        ['incomplete', 1, ['secrets_unchecked']],
        JSON.stringify(result),
      );
      const early = await exported(events.slice(0, version), { ...game, signer: server, show });
      await finds(early.text, null, 'a reveal before the end', /F4/);
    }
  }
});

// ---- What was noted -----------------------------------------------------------------------------------------------------------

test('a game is anchored by what was noted, and by nothing else', async () => {
  const game = golden('game_4');
  const { text, hashes } = await exportOf(game);
  const headOf = async (version, by = server, hash = hashes[version - 1]) => {
    const head = { hash, version };
    return { game_id: game.id, head, key: by.key, signature: await by.head(game.id, head) };
  };
  const receiptOf = async (seat, seq, by = server, hash = hashes[seq - 1]) => ({
    game_id: game.id,
    hash,
    key: by.key,
    seat,
    seq,
    signature: await by.receipt(game.id, seat, seq, hash),
  });
  const short = notes.parseHead(`7:${hashes[6]}`);
  const head = notes.parseHead(JSON.stringify(await headOf(9), null, 2));
  const { game_id: _, ...nameless } = await headOf(10);
  const receipt = notes.parseReceipt(JSON.stringify(await receiptOf(1, 3)));
  const all = { heads: [short, head, notes.parseHead(JSON.stringify(nameless))], receipts: [receipt], key: server.key };
  const result = await verify(text, all);
  assert.deepEqual([result.verdict, result.held, result.held_to, result.fault], ['anchored', 4, 10, null]);
  assert.equal((await verify(text, { key: server.key })).verdict, 'consistent');

  const other = '0123456789abcdef'.repeat(4);
  const otherGame = '04040404-0404-0404-0404-040404040405';
  const refused = [
    ['another key', { key: stranger.key }, null, 'another key'],
    ['another head', { heads: [notes.parseHead(`7:${other}`)] }, 7, 'not the history that you were shown'],
    ['a later head', { heads: [notes.parseHead(`999:${other}`)] }, null, 'shorter than what you noted'],
    ["another game's head", { heads: [{ ...head, game_id: otherGame }] }, null, 'another game'],
    ['a head badly signed', { heads: [{ ...head, signature: other + other }] }, 9, 'signature'],
    ['a head of a stranger', { heads: [await headOf(9, stranger)], key: server.key }, 9, 'another key'],
    ['another signed head', { heads: [await headOf(9, server, other)] }, 9, 'not the history that you were shown'],
    ["another game's receipt", { receipts: [{ ...receipt, game_id: otherGame }] }, null, 'another game'],
    ['a receipt badly signed', { receipts: [{ ...receipt, seat: 2 }] }, 3, 'signature'],
    [
      'a receipt for another hash',
      { receipts: [await receiptOf(1, 3, server, other)] },
      3,
      'not the history that the receipt is for',
    ],
    ['a receipt for no seat_taken', { receipts: [await receiptOf(1, 6)] }, 6, 'not the one that the receipt is for'],
    ['a receipt for another seat', { receipts: [await receiptOf(0, 3)] }, 3, 'not the one that the receipt is for'],
    ['a later receipt', { receipts: [await receiptOf(0, 999, server, other)] }, null, 'shorter than what you noted'],
    ['a receipt of a stranger', { receipts: [await receiptOf(1, 3, stranger)], key: server.key }, 3, 'another key'],
  ];
  for (const [what, noted, seq, message] of refused) {
    const { verdict, held, fault } = await verify(text, noted);
    assert.deepEqual([verdict, held, fault?.seq], ['faulty', 0, seq], what);
    assert.ok(fault.message.includes(message), `${what}: ${fault.message}`);
  }
});

test('a second history, signed by the server itself, is refused by a head that was noted', async () => {
  const game = await invented('two histories');
  const { hashes } = await exportOf(game);
  const events = sealed(game);
  const place = events.findIndex(({ line }) => line.type === 'estate_placed');
  events[place].line = { ...events[place].line, data: { ...events[place].line.data, land: 5 } };
  const { text } = await exported(events, { ...game, signer: server });
  assert.equal((await verify(text)).verdict, 'consistent');
  assert.equal((await verify(text, { heads: [notes.parseHead(`${place}:${hashes[place - 1]}`)] })).verdict, 'anchored');
  for (const version of [place + 1, events.length]) {
    const { verdict, fault } = await verify(text, { heads: [notes.parseHead(`${version}:${hashes[version - 1]}`)] });
    assert.deepEqual([verdict, fault.seq], ['faulty', version]);
  }
});

test('notes that are none are not taken', () => {
  const hash = 'a'.repeat(64);
  const receipt = { game_id: short.id, hash, key: hash, seat: 1, seq: 2, signature: hash + hash };
  const head = { head: { hash, version: 1 }, key: hash, signature: hash + hash };
  assert.ok(
    notes.parseHead(` 12:${hash}\n`) && notes.parseHead(JSON.stringify(head)) && notes.parseReceipt(JSON.stringify(receipt)),
  );
  for (const text of [
    '',
    '0',
    `0:${hash}`,
    `1:${hash}0`,
    `-1:${hash}`,
    `1:${hash.toUpperCase()}`,
    `99999999999999999999:${hash}`,
    '[]',
    'null',
    '{}',
    '{"head":null}',
    JSON.stringify({ ...head, game_id: 1 }),
    JSON.stringify({ ...head, key: undefined }),
    JSON.stringify({ ...head, head: { hash, version: 1.5 } }),
  ])
    assert.equal(notes.parseHead(text), null, text);
  for (const wrong of [
    { seat: 5 },
    { seat: '1' },
    { seq: 0 },
    { seq: 2 ** 53 },
    { key: null },
    { hash: [hash] },
    { more: 1 },
    { game_id: 'x' },
  ]) {
    assert.equal(notes.parseReceipt(JSON.stringify({ ...receipt, ...wrong })), null, JSON.stringify(wrong));
  }
  assert.equal(notes.parseKey(`${hash}\n`), hash);
  assert.equal(notes.parseKey('abc'), null);
});

test('a platform without Ed25519 says that it checked no signature', async (t) => {
  const { text, hashes } = await exportOf(short);
  const { subtle } = globalThis.crypto;
  const real = subtle.importKey.bind(subtle);
  t.mock.method(subtle, 'importKey', async (form, key, algorithm, ...rest) => {
    if (algorithm.name === 'Ed25519') throw new DOMException('no such algorithm', 'NotSupportedError');
    return real(form, key, algorithm, ...rest);
  });
  const result = await verify(text, { heads: [notes.parseHead(`5:${hashes[4]}`)] });
  assert.deepEqual([result.verdict, result.notes], ['anchored', ['signatures_unchecked']]);
});

// ---- Tampering ----------------------------------------------------------------------------------------------------------------

test('a line dropped, repeated, swapped or put in is found where it is', async () => {
  for (const game of [short, golden('game_3')]) {
    const { lines } = await exportOf(game);
    for (let i = 0; i < lines.length; i += game === short ? 1 : 17) {
      const seq = seqOf(lines, i);
      const without = lines.toSpliced(i, 1);
      const last = i === lines.length - 1;
      await finds(joined(without), i === lines.length - 2 ? lines.length / 2 : seq, `line ${i} dropped`);
      // The copy of a hash line stands where the next event should, that of an event where its hash should.
      const after = i % 2 === 1 && seq !== null ? (seqOf(lines, i + 1) ?? seq + 1) : seq;
      await finds(joined(lines.toSpliced(i, 0, lines[i])), after, `line ${i} repeated`);
      if (!last)
        await finds(
          joined(without.toSpliced(i + 1, 0, lines[i])),
          i === lines.length - 2 ? lines.length / 2 : seq,
          `line ${i} swapped`,
        );
      for (const line of i % 9 > 0 ? ['{}'] : ['', '{}', '[]', 'null', '{"seq":1}']) {
        await finds(
          joined(lines.toSpliced(i, 0, line)),
          i === lines.length - 2 ? lines.length / 2 : seq,
          `${line} before line ${i}`,
        );
      }
      await finds(
        joined(lines.slice(0, i)),
        i >= lines.length - 2 ? (last ? null : lines.length / 2) : seq,
        `cut before line ${i}`,
      );
    }
    for (let k = 1; k < lines.length / 2 - 2; k += 1) {
      // both lines of an event
      const at = 2 * (k - 1);
      await finds(joined(lines.toSpliced(at, 2)), k, `event ${k} dropped`);
      await finds(joined(lines.toSpliced(at, 0, lines[at], lines[at + 1])), k + 1, `event ${k} repeated`);
      await finds(
        joined(lines.toSpliced(at, 4, ...lines.slice(at + 2, at + 4), ...lines.slice(at, at + 2))),
        k,
        `event ${k} swapped`,
      );
    }
  }
});

test('a byte flipped is found in its line', async () => {
  const dice = chance('bytes');
  const { lines } = await exportOf(short);
  for (let i = 0; i < lines.length; i += 1) {
    for (let n = 0; n < 5; n += 1) {
      const at = dice.below(lines[i].length);
      const bytes = Buffer.from(joined(lines));
      const offset = joined(lines.slice(0, i)).length + at;
      bytes[offset] ^= 1 << dice.below(8);
      // A wrong head is not of the events; a wrong seed is not the one of event 1.
      const { verdict, fault } = await verify(bytes);
      assert.equal(verdict, 'faulty', `line ${i}, byte ${at}`);
      const may = i === lines.length - 1 ? [null, 1] : i === lines.length - 2 ? [null, lines.length / 2] : [seqOf(lines, i)];
      assert.ok(may.includes(fault.seq), `line ${i}, byte ${at}: ${JSON.stringify(fault)}`);
    }
  }
});

/** Every value in `value` with another in its place, one at a time: [path, the whole with the change]. */
function* changed(value, path = []) {
  const otherLeaf = {
    number: () => [value + 1],
    boolean: () => [!value],
    object: () => ['x', 0],
    string: () => [
      value.slice(0, -1) + (value.endsWith('1') ? '2' : '1'),
      `${value}0`,
      ...OTHER_WORDS.filter((words) => words.includes(value)).map((words) => words[(words.indexOf(value) + 1) % words.length]),
    ],
  };
  if (typeof value !== 'object' || value === null) {
    for (const other of [...otherLeaf[typeof value](), ...(typeof value === 'number' ? [value - 1, String(value)] : [])])
      yield [path, other];
    return;
  }
  for (const name of Object.keys(value)) {
    for (const [where, other] of changed(value[name], [...path, name])) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      copy[name] = other;
      yield [where, copy];
    }
  }
  if (Array.isArray(value) && value.length > 0) yield [[...path, 'shorter'], value.slice(1)];
  if (Array.isArray(value) && value.length > 1 && value[0] !== value[1])
    yield [
      [...path, 'turned'],
      [value[1], value[0], ...value.slice(2)],
    ];
}
const OTHER_WORDS = [
  ['eagle', 'rose'],
  ['estate', 'trading_post'],
  ['bot', 'player', 'server'],
  ['farmer', 'estates', 'diplomat_2'],
  ['traitor', 'strategist', 'diplomat_5', 'diplomat_2', 'builder', 'farmer'],
  ['land', 'traitor', 'strategist', 'trading_posts'],
  ['last_round', 'one_house'],
  ['creator', 'full'],
  ['creator', 'expired'],
  ['dealt', 'fixed'],
  ['clock', 'table'],
  ['meadow', 'city'],
];

/**
 * What is consistent with F1 to F3 after such a change, as only the rules of play (or nothing at all) say that it did not happen:
 * type, and the path of what was changed.
 */
const NOT_ITS_TO_FIND = [
  /^table_created data\.card_set\.(lands\.(turned|\d\.(kind|points|strength))|rounds|supplies\.(turned|\d\.five_players_extra))/,
  /^table_created data\.start/,
  /^bot_assigned( of one who gave up)? data\.(level|version)/, // `fereta audit --replay-bots` tells bots by their moves
  /^(table_created|seat_taken|seat_left|bot_assigned of one who gave up|table_closed|estate_placed|action_card_kept|supplies_played|supplies_discarded|base_built) at/,
  /^(seat_left|table_closed|game_started) cause/,
  /^seat_taken of one who left data\.entropy/,
  /^table_closed data\.reason/,
  /^(estate_placed|base_built) data\.(land|face)/,
  /^(battlefield_chosen|allegiance_changed|battle_fought|land_turned|points_awarded|strategy_card_given|draw_lost|game_ended) /,
  /^(supplies_drawn) data\.source/,
  /^(action_cards_left|action_cards_passed|supplies_drawn) data\.seat/,
  /^supplies_(played|discarded) data\.cards/, // another card of his hand that nobody ever misses
];

test('every value changed, with the chain as it was, is found at its event', async () => {
  for (const game of [short, withBots]) await changedAsItWas(game);
});

async function changedAsItWas(game) {
  const { lines } = await exportOf(game);
  const last = lines.length / 2;
  for (let i = 0; i < lines.length; i += 1) {
    for (const [path, other] of changed(JSON.parse(lines[i]))) {
      const may = i === lines.length - 1 ? [null, 1] : i === lines.length - 2 ? [null] : [seqOf(lines, i)];
      const { verdict, fault } = await verify(joined(lines.with(i, canonical(other))));
      assert.equal(verdict, 'faulty', `line ${i} ${path}`);
      assert.ok(may.includes(fault.seq), `line ${i} of ${last} ${path}: ${JSON.stringify(fault)}`);
    }
  }
}

test('every value changed, and all hashed and signed again, is found unless only the rules of play forbid it', async () => {
  for (const game of [short, withBots]) await changedByTheServer(game);
});

async function changedByTheServer(game) {
  const events = sealed(game);
  const missed = new Set();
  const check = async (seq, name, tampered) => {
    const { text } = await exported(tampered, { ...game, signer: server });
    const { verdict, fault } = await verify(text);
    if (verdict === 'faulty')
      assert.ok(
        fault.seq >= seq || (fault.seq === 1 && /commit/.test(fault.message)) || fault.seq === null,
        `${name}: ${JSON.stringify(fault)}`,
      );
    else if (!NOT_ITS_TO_FIND.some((known) => known.test(name))) missed.add(`${seq} ${name}`);
    return fault;
  };
  for (const [i, { line, secret }] of events.entries()) {
    const started = events.slice(0, i).some((earlier) => earlier.line.type === 'game_started');
    const gaveUp = line.type === 'bot_assigned' && started ? ' of one who gave up' : '';
    const left =
      line.type === 'seat_taken' &&
      events.slice(i).some((later) => later.line.type === 'seat_left' && later.line.data.seat === line.data.seat);
    for (const [path, other] of changed(line)) {
      const fault = await check(
        i + 1,
        `${line.type}${gaveUp}${left && path[1] ? ' of one who left' : ''} ${path.join('.')}`,
        events.with(i, { line: other, secret }),
      );
      if (['seq', 'secret_hash', 'secret_for', 'type'].includes(path[0])) assert.equal(fault?.seq, i + 1, `${line.type} ${path}`);
    }
    for (const [path, other] of secret ? changed(secret) : []) {
      const unsealed = await check(i + 1, `${line.type} secret.${path.join('.')}`, events.with(i, { line, secret: other }));
      assert.equal(unsealed?.seq, i + 1, `${line.type} ${path}`);
      const [resealed] = seal([{ line, secret: other }], game.seed); // by a server that cheats: only F2 can tell
      const fault = await check(i + 1, `${line.type} resealed.${path.join('.')}`, events.with(i, resealed));
      if (line.type !== 'action_card_kept') assert.equal(fault?.seq, i + 1, `${line.type} ${path}`);
    }
  }
  assert.deepEqual([...missed], []);
}

test('of the golden games, too, one value of each kind', async () => {
  for (const name of GAMES) {
    const game = golden(name);
    const events = sealed(game);
    const done = new Set();
    for (const [i, { line, secret }] of events.entries()) {
      if (!secret) continue;
      for (const [path, other] of changed(secret)) {
        const kind = `${line.type} ${path.map((it) => (Number(it) >= 0 ? 'n' : it))}`;
        if (done.has(kind)) continue;
        done.add(kind);
        const [resealed] = seal([{ line, secret: other }], game.seed);
        const { text } = await exported(events.with(i, resealed), { ...game, signer: server });
        const { fault } = await verify(text);
        assert.ok(fault?.seq >= line.seq, `${name} ${kind}: ${JSON.stringify(fault)}`);
      }
    }
  }
});

test('a server that chooses a shuffle, a seed or an entropy is found', async () => {
  const events = sealed(short);
  const change = async (type, data, seq, rule) => {
    const i = events.findIndex(({ line }) => line.type === type && (data.when?.(line.data) ?? true));
    const { when, ...fields } = data;
    const tampered = events.with(i, { ...events[i], line: { ...events[i].line, data: { ...events[i].line.data, ...fields } } });
    await finds((await exported(tampered, { ...short, signer: server })).text, seq ?? i + 1, type, rule);
  };
  await change('table_created', { seed_commitment: 'a'.repeat(64) }, 1, /F1/);
  await change('seat_taken', { when: (data) => data.entropy_from === 'server', entropy: 'a'.repeat(64) }, null, /F1/);
  await change('seat_taken', { when: (data) => data.entropy_from === 'bot', entropy: 'a'.repeat(64) }, null, /F1/);
  const lands = events.find(({ line }) => line.type === 'lands_laid').line.data.lands;
  await change('lands_laid', { lands: lands.toReversed() }, null, /F2/);
  const { text } = await exported(events, { ...short, seed: 'b'.repeat(64), signer: server });
  await finds(text, 1, 'another seed', /F1/);
});

test('where a bot plays, and since when, is what the log says', async () => {
  const events = sealed(withBots);
  const place = (ok, from = 0) => events.findIndex(({ line }, i) => i >= from && ok(line));
  const refused = async (what, seq, facts) => {
    const game = { ...withBots, facts };
    const { text } = await exported(seal(history(facts), game.seed), { ...game, signer: server });
    await finds(text, seq, what, /F3/);
  };
  const { facts } = withBots;
  const begun = place(({ type }) => type === 'game_started');
  const sat = place(({ type }) => type === 'bot_assigned');
  const up = place(({ type }) => type === 'bot_assigned', begun);
  assert.ok(sat < begun && events[sat].line.at === events[sat - 1].line.at && events[sat].line.cause.bot >= 0);
  assert.ok(events[up].line.cause.seat === events[up].line.data.seat);

  await refused('a bot that does not say which', sat + 1, facts.toSpliced(sat, 1));
  await refused('a bot twice', sat + 2, facts.toSpliced(sat, 0, facts[sat]));
  await refused('a seat given up twice', up + 2, facts.toSpliced(up, 0, facts[up]));
  await refused('a seat given up that a bot plays', up + 1, facts.toSpliced(up, 0, facts[sat]));
  await refused('a free seat', 2, facts.toSpliced(1, 0, facts[up]));
  await refused('a seat given up at the end', facts.length + 1, [...facts, facts[up]]);
  const older = facts.with(0, { ...facts[0], data: { ...facts[0].data, rules: 1 } });
  await refused('version 1 of the rules', sat + 1, older);
  const shown = place(({ type }) => type === 'action_cards_revealed');
  await refused('a seat given up within what follows by itself', shown + 1, facts.toSpliced(shown, 0, facts[up]));

  for (const [i, { type, data }] of facts.entries()) {
    const { cause } = events[i].line;
    if (!type.endsWith('_kept') && !type.endsWith('_played')) continue;
    const other = cause.bot === undefined ? { bot: data.seat } : { seat: data.seat };
    await refused('who moves', i + 1, facts.with(i, { ...facts[i], cause: other }));
  }
  const late = events.map(({ line, secret }, i) => ({ secret, line: i < sat ? line : { ...line, at: later(line.at) } }));
  await finds((await exported(late, { ...withBots, signer: server })).text, sat + 1, 'a bot that says so later', /F3/);
});

const later = (at) => new Date(Date.parse(at) + 1).toISOString();

test('only the creator sits down in the act of creating, and brings no entropy', async () => {
  const game = await invented('creator', { sits: true });
  const events = sealed(game);
  const change = async (seq, fields, message) => {
    const { line } = events[seq - 1];
    const tampered = events.with(seq - 1, { line: { ...line, ...fields, data: { ...line.data, ...fields.data } } });
    const { fault } = await verify((await exported(tampered, { ...game, signer: server })).text);
    assert.deepEqual([fault?.seq, fault?.message.includes('who sits down')], [seq, true], message);
  };
  assert.equal((await verify((await exported(events, { ...game, signer: server })).text)).verdict, 'consistent');
  await change(2, { data: { entropy: 'a'.repeat(64), entropy_from: 'player' } }, 'entropy');
  await change(2, { at: events[2].line.at }, 'later');
  await change(3, { cause: 'table', data: { entropy_from: 'player' } }, 'another seat');
});

// ---- Hostile files ------------------------------------------------------------------------------------------------------------

test('whatever is not spelt as it must be is a fault, and quickly', async () => {
  const { lines, text } = await exportOf(short);
  const line = (i, from, to) => {
    assert.ok(lines[i].includes(from), `${from} in ${lines[i]}`);
    return joined(lines.with(i, lines[i].replace(from, to)));
  };
  const deep = 2 ** 15;
  const cases = [
    ['nothing', '', 1],
    ['a line feed', '\n', 1],
    ['no line feed at the end', text.slice(0, -1), null],
    ['two line feeds at the end', `${text}\n`, null],
    ['a space at the end', `${text} `, null],
    ['CRLF', text.replaceAll('\n', '\r\n'), 1],
    ['a byte order mark', `\ufeff${text}`, 1],
    ['its bytes', Buffer.from(`\ufeff${text}`), 1],
    ['UTF-16', Buffer.from(text, 'utf16le'), 1],
    ['zeros', new Uint8Array(1000), 1],
    ['a picture', Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256), 1],
    ['two games', text + text, null],
    ['an event after the end', `${text}${lines[0]}\n`, null],
    ['two reveals', `${text}${lines.at(-1)}\n`, null],
    ['a line of 40 MB', `${'x'.repeat(4e7)}\n`, 1],
    ['a string of 40 MB', text + `"${'x'.repeat(4e7)}"\n`, null],
    ['100 MB', new Uint8Array(1e8), null],
    ['40 million lines', '\n'.repeat(4e7), 1],
    ['deep arrays', `${'['.repeat(deep)}${']'.repeat(deep)}\n`, 1],
    ['deep objects', `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}\n`, 1],
    ['deep in its place', line(0, '"start":"', `"start":${'['.repeat(20000)}${']'.repeat(20000)},"x":"`), 1],
    ['a key twice', line(2, '"seat":', '"seat":0,"seat":'), 2],
    [
      'keys in another order',
      line(2, /("at":"[^"]*"),("cause":\{[^}]*\})/.exec(lines[2])[0], '"cause":{"seat":0},"at":"2026-11-29T12:00:01.234Z"'),
      2,
    ],
    ['__proto__', line(2, '"data":', '"__proto__":{"x":1},"data":'), 2],
    ['__proto__ in its place', line(2, '{"at"', '{"__proto__":{"x":1},"at"'), 2],
    ['__proto__ in data', line(2, '{"entropy":', '{"__proto__":null,"entropy":'), 2],
    ['constructor as a type', line(2, '"seat_taken"', '"constructor"'), 2],
    ['toString as a type', line(2, '"seat_taken"', '"toString"'), 2],
    ['an array as a type', line(2, '"seat_taken"', '["seat_taken"]'), 2],
    ['__proto__ as a type', line(2, '"seat_taken"', '"__proto__"'), 2],
    ['1e0', line(0, '"fairness":1', '"fairness":1e0'), 1],
    ['1.0', line(0, '"fairness":1', '"fairness":1.0'), 1],
    ['-0', line(2, '"seat":0', '"seat":-0'), 2],
    ['-1', line(2, '"seat":0', '"seat":-1'), 2],
    ['01', line(0, '"fairness":1', '"fairness":01'), 1],
    ['1.5', line(0, '"fairness":1', '"fairness":1.5'), 1],
    ['2^53', line(0, '"fairness":1', '"fairness":9007199254740992'), 1],
    ['1e999', line(0, '"fairness":1', '"fairness":1e999'), 1],
    ['another version', line(0, '"fairness":1', '"fairness":2'), 1],
    ['an escape that need not be', line(2, 'seat_taken', 's\\u0065at_taken'), 2],
    ['a lone surrogate', line(2, '"seat_taken"', '"\\ud800"'), 2],
    ['half a pair, raw', line(2, '"seat_taken"', '"\ud800"'), 2],
    ['a letter beyond ASCII', line(2, '"seat_taken"', '"séat_taken"'), 2],
    ['a zero character', line(2, '"seat_taken"', '"seat_taken\\u0000"'), 2],
    ['a tab', line(2, '"data":', '\t"data":'), 2],
    ['a space', line(2, '"data":', '"data": '), 2],
    ['upper-case hex', line(2, /"entropy":"[^"]*"/.exec(lines[2])[0], `"entropy":"${'A'.repeat(64)}"`), 2],
    ['no such day', line(2, '2026-11-29', '2026-02-30'), 2],
    ['a leap second', line(2, '12:00:01', '12:00:60'), 2],
    ['an hour too many', line(2, 'T12:', 'T24:'), 2],
    ['another zone', line(2, '.234Z', '.23+1'), 2],
    ['a secret of an event without', line(3, ',"seq"', ',"secret":"{}","seq"'), 2],
  ];
  for (const [name, file, seq] of cases) {
    const start = performance.now();
    await finds(file, seq, name);
    assert.ok(performance.now() - start < 5000, `${name} takes too long`);
  }
});

test('no value of a wrong type breaks it', async () => {
  const { lines } = await exportOf(await invented('types', { rounds: 1, draws: 1 }));
  const values = [null, true, -1, '', [], [[]], { seat: 0 }, { length: 1 }, '__proto__'];
  const each = function* (value) {
    if (typeof value !== 'object' || value === null) return;
    for (const name of Object.keys(value)) {
      for (const other of values) yield Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: other });
      for (const other of each(value[name]))
        yield Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: other });
    }
  };
  const types = new Set();
  for (const [i, line] of lines.entries()) {
    const value = JSON.parse(line);
    if (value.type && types.has(value.type)) continue;
    types.add(value.type);
    for (const other of each(value)) {
      if (canonical(other) === line) continue;
      const { verdict, fault } = await verify(joined(lines.slice(0, i + 3).with(i, canonical(other))));
      assert.ok(verdict === 'faulty' && fault.rule !== null, `${canonical(other)}: ${JSON.stringify(fault)}`);
    }
  }
});

// ---- The command and the page -------------------------------------------------------------------------------------------------

test('the command tells by its exit code', async () => {
  const { text, hashes } = await exportOf(short);
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  const file = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const run = (args, input) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fileURLToPath(new URL('verify.mjs', import.meta.url)), ...args],
      { input, encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };
  const good = file('good.ndjson', text);
  const bad = file('bad.ndjson', text.replace('"seat":1', '"seat":2'));
  const receipt = file(
    'receipt.json',
    JSON.stringify({
      game_id: short.id,
      hash: hashes[1],
      key: server.key,
      seat: 0,
      seq: 2,
      signature: await server.receipt(short.id, 0, 2, hashes[1]),
    }),
  );
  const head = { hash: hashes[9], version: 10 };
  const signed = file('head.json', JSON.stringify({ head, key: server.key, signature: await server.head(short.id, head) }));
  const is = ({ status, stdout, stderr }, code, words) => {
    assert.equal(status, code, stdout + stderr);
    assert.match(stdout + stderr, words);
  };
  is(run([good]), 0, /consistent, not anchored/);
  is(run(['-'], text), 0, /consistent, not anchored/);
  is(
    run([good, '--head', `3:${hashes[2]}`, '--receipt', receipt, '--head', signed, '--key', server.key]),
    0,
    /anchored: [\s\S]*against 3 of your notes/,
  );
  is(run([good, bad]), 1, /first fault at event 3/);
  is(run([good, '--head', `3:${hashes[3]}`]), 1, /not the history that you were shown/);
  is(run(['-'], ''), 1, /empty/);
  is(run([]), 2, /usage/);
  is(run([good, '--what']), 2, /usage/);
  is(run([good, '--head']), 2, /usage/);
  is(run([good, '--head', '3:abc']), 2, /usage/);
  is(run([good, '--receipt', signed]), 2, /usage/);
  is(run([good, '--receipt', join(folder, 'none')]), 2, /usage/);
  is(run([good, good, '--receipt', receipt]), 2, /one FILE/);
  is(run([join(folder, 'none'), good]), 2, /cannot be read[\s\S]*|consistent/);
  is(run([folder]), 2, /cannot be read/);
  const [first, second] = run(['--json', good, bad])
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(first, {
    file: good,
    game_id: short.id,
    version: short.facts.length,
    verdict: 'consistent',
    fault: null,
    held: 0,
    held_to: 0,
    notes: [],
  });
  assert.deepEqual(
    [second.verdict, second.fault.seq, Object.keys(second.fault)],
    ['faulty', 3, ['seq', 'expected', 'found', 'rule', 'message']],
  );
});

test('the page has all its words in all its languages', () => {
  const html = readFileSync(new URL('index.html', import.meta.url), 'utf8');
  const [first, ...others] = Object.values(WORDS);
  assert.deepEqual(
    Object.keys(WORDS),
    [...html.matchAll(/<button[^>]* value="(\w+)"/g)].map(([, tag]) => tag),
  );
  for (const words of others) assert.deepEqual(Object.keys(words), Object.keys(first));
  for (const [tag, words] of Object.entries(WORDS)) {
    for (const [key, word] of Object.entries(words)) {
      const text = typeof word === 'function' ? word('1234', '5678') : word;
      assert.ok(text.trim() && typeof word === typeof first[key], `${tag} ${key}`);
      if (words !== first)
        assert.notEqual(text, typeof word === 'function' ? first[key]('1234', '5678') : first[key], `${tag} ${key}`);
    }
  }
  const used = [...html.matchAll(/data-text="(\w+)"/g)].map(([, key]) => key);
  const verdicts = ['anchored', 'consistent', 'incomplete', 'faulty'].flatMap((verdict) => [verdict, `${verdict}Means`]);
  for (const key of [...used, ...verdicts, 'F1', 'F2', 'F3', 'F4', 'signatures_unchecked', 'secrets_unchecked'])
    assert.ok(first[key], key);
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|\son\w+=|style=|https?:/, 'nothing inline, nothing from elsewhere');
  assert.match(html, /default-src 'none'/);
});
