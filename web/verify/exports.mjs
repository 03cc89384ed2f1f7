/** For the tests: histories, and the export files that a server would make of them. Hashes by node:crypto, to have a second opinion. */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { subtle } = globalThis.crypto;
const VECTORS = new URL('../../tests/data/vectors/', import.meta.url);

export const vectors = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, VECTORS), 'utf8'));
export const GAMES = ['game_3', 'game_4', 'game_5', 'game_custom'];

const raw = (hex) => Buffer.from(hex, 'hex');
export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const u64 = (number) => { const bytes = Buffer.alloc(8); bytes.writeBigUInt64BE(BigInt(number)); return bytes; };
const idBytes = (id) => raw(id.replaceAll('-', ''));

export function canonical(it) {
  if (Array.isArray(it)) return `[${it.map(canonical)}]`;
  if (typeof it !== 'object' || it === null) return JSON.stringify(it);
  return `{${Object.keys(it).sort().map((name) => `${JSON.stringify(name)}:${canonical(it[name])}`)}}`;
}

export async function signer() {
  const { privateKey, publicKey } = await subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
  const sign = async (...parts) => Buffer.from(await subtle.sign({ name: 'Ed25519' }, privateKey, Buffer.concat(parts))).toString('hex');
  return {
    key: Buffer.from(await subtle.exportKey('raw', publicKey)).toString('hex'),
    head: (id, { version, hash }) => sign(Buffer.from('fereta/head/1'), idBytes(id), u64(version), raw(hash)),
    receipt: (id, seat, seq, hash) => sign(Buffer.from('fereta/seat/1'), idBytes(id), Buffer.of(seat), u64(seq), raw(hash)),
  };
}

const MOVES = ['estate_placed', 'battlefield_chosen', 'action_card_kept', 'supplies_played', 'base_built', 'base_flipped', 'build_passed',
  'supplies_discarded'];
const NOBODY_S = ['deck_shuffled', 'action_cards_shuffled'];

/** Gives bare facts (type, data, secret) their number, time and cause: a history is a list of {line, secret}. */
export function history(facts) {
  let now = Date.UTC(2026, 10, 29, 12);
  let cause = 'table';
  return facts.map(({ type, data, secret, cause: given }, i) => {
    if (MOVES.includes(type) || type === 'seat_taken' || type === 'seat_left') {
      cause = given ?? { [data.entropy_from === 'bot' ? 'bot' : 'seat']: data.seat };
      now += 1234;
    }
    return { line: { at: new Date(now).toISOString(), cause, data, seq: i + 1, type }, secret };
  });
}

/** One of the golden games: {facts, seed, id}. */
export function golden(name) {
  const { events, game_id: id, server_seed: seed } = vectors(name);
  return { id, seed, facts: events.map(({ fact, secret }) => ({ ...fact, secret: secret ?? undefined })) };
}

/** Seals the secrets of a history as the server does when things happen. */
export function seal(events, seed) {
  return events.map(({ line, secret }) => {
    if (secret === undefined) return { line };
    const salt = hmac(raw(seed), `fereta/salt/1/${line.seq}`);
    const sealed = { secret_for: NOBODY_S.includes(line.type) ? null : line.data.seat, secret_hash: sha256(salt, canonical(secret)) };
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
