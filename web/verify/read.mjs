/**
 * F4: the file, line by line, and F3: the chain of hashes and the sealed secrets. Every line is bounded, parsed and compared with
 * its only canonical spelling before anything in it is believed.
 */

import { bulk, fromHex, hmac, hmacKey, sha256, toHex } from './draws.mjs';
import { checkForm, EVENTS, hasKeys, hex, int, isObject, object, tableOf } from './events.mjs';
import { Fault, same } from './fault.mjs';

/** Far above any real game (some 200 KB), so that a hostile file can neither fill the memory nor take for ever. */
export const MAX_FILE = 64 * 2 ** 20;
export const MAX_LINE = 64 * 2 ** 10;
const MAX_DEPTH = 8;

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
  const parts = Array.isArray(it)
    ? it.map((item) => spell(item, depth + 1))
    : Object.keys(it)
        .sort()
        .map((name) => [spell(name, 0), spell(it[name], depth + 1)]);
  if (parts.flat().includes(null)) return null;
  return Array.isArray(it) ? `[${parts}]` : `{${parts.map((pair) => pair.join(':'))}}`;
}

/** The lines one at a time, as a file of a million empty ones shall not be split before it is refused. */
function* linesOf(text, here) {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    if (end < 0)
      throw new Fault(here(), 'F4', 'the last line has no end: the file is cut off or changed', 'a line feed', 'the end');
    if (end - start > MAX_LINE) throw new Fault(here(), 'F4', 'a line is longer than any can be', MAX_LINE, end - start);
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** Reads up to the first fault, which it keeps, so that an earlier one in the events before it can still be found. */
export function read(text) {
  const file = { events: [], table: null, end: null, reveal: null, ended: false, fault: null };
  let open = null; // an event that waits for its hash
  const here = () => (file.end ? null : (open?.line.seq ?? file.events.length + 1));
  try {
    if (text.length > MAX_FILE) throw new Fault(null, 'F4', 'the file is larger than any game', MAX_FILE, text.length);
    for (const line of linesOf(text, here)) {
      const seq = !open && file.events.length > 0 && line.startsWith('{"head":') ? null : here();
      const it = canonical(line, seq, 'a line');
      if (file.reveal) {
        throw new Fault(
          null,
          'F4',
          'something follows the end of the game: is it two games in one file?',
          'the end of the file',
          it,
        );
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
      throw new Fault(
        here(),
        'F4',
        text ? 'the file ends before the game does: it has no head line' : 'the file is empty',
        'more lines',
        'the end',
      );
    }
    file.ended = ['game_ended', 'table_closed'].includes(file.events.at(-1).line.type);
    if (file.ended !== (file.reveal !== null)) {
      throw new Fault(
        null,
        'F4',
        'the server_seed is revealed exactly if the game has ended',
        file.ended ? 'a reveal' : 'no reveal',
        file.reveal ?? 'no reveal',
      );
    }
    const hidden =
      file.reveal && file.events.find(({ line, secret }) => Object.hasOwn(line, 'secret_hash') && secret === undefined);
    if (hidden) throw new Fault(hidden.line.seq, 'F4', 'the game has ended and a secret is not shown', 'a secret', 'none');
    const told = file.reveal ? [] : file.events.filter(({ secret }) => secret !== undefined);
    const early = told.find(({ line }) => line.secret_for === null || line.secret_for !== told[0].line.secret_for);
    if (early)
      throw new Fault(early.line.seq, 'F4', 'the game has not ended, but the secret is told', 'no secret but those of one seat', 'another');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    file.fault = error;
  }
  return file;
}

/** The line {hash, secret?, seq} that follows each event. */
function readHash(it, seq, line, table) {
  const shown = Object.hasOwn(it, 'secret');
  if (
    !hasKeys(it, shown ? ['hash', 'secret', 'seq'] : ['hash', 'seq']) ||
    !hex(32)(it.hash) ||
    (shown && typeof it.secret !== 'string')
  ) {
    throw new Fault(seq, 'F4', 'the line after the event does not give its hash', '{"hash", "seq"}, perhaps "secret"', it);
  }
  same(seq, 'F4', 'the hash is that of another event', seq, it.seq);
  if (!shown) return { hash: it.hash };
  if (!Object.hasOwn(line, 'secret_hash'))
    throw new Fault(seq, 'F3', 'a secret is shown of an event that has none', 'no secret', it.secret);
  const secret = canonical(it.secret, seq, 'the secret');
  const fields = EVENTS[line.type][1];
  if (!object(fields)(secret, table))
    throw new Fault(seq, 'F3', `the secret of ${line.type} has another form`, Object.keys(fields), secret);
  return { hash: it.hash, secretText: it.secret, secret };
}

// F3

/** The first fault of many checks that wait for a hash. */
const firstFault = async (items, check) => (await bulk(items, check)).find(Boolean) ?? null;

/** Every hash is computed from the one that the file states before it: the first wrong one is the same, and none waits. */
export function checkChain(events) {
  return firstFault(events, async ({ text, hash, line: { seq } }, i) => {
    const expected = toHex(await sha256(i === 0 ? new Uint8Array(32) : fromHex(events[i - 1].hash), text));
    return expected === hash
      ? null
      : new Fault(seq, 'F3', 'the chain breaks: the event, or what came before it, was changed', expected, hash);
  });
}

export async function checkSecrets({ events, reveal }) {
  const key = await hmacKey(fromHex(reveal));
  return firstFault(
    events.filter((event) => event.secret),
    async ({ line, secretText }) => {
      const salt = await hmac(key, `fereta/salt/1/${line.seq}`);
      const expected = toHex(await sha256(salt, secretText));
      return expected === line.secret_hash
        ? null
        : new Fault(
            line.seq,
            'F3',
            'the secret is not the one that was sealed when it happened',
            line.secret_hash,
            `${expected} for ${secretText}`,
          );
    },
  );
}
