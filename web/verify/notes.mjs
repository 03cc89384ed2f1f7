/** The head line of a file, and what a player noted while the game ran: heads and receipts (F3, F4). */

import { headMessage, isSigned, receiptMessage } from './draws.mjs';
import { hex, int, isObject, object, uuid } from './events.mjs';
import { Fault, same } from './fault.mjs';

export async function checkEnd({ events, end, table }, key, signatures) {
  same(null, 'F4', 'the head counts other events than the file has', events.length, end.head.version);
  same(null, 'F3', 'the head is not the hash of the last event', events.at(-1).hash, end.head.hash);
  if (key) same(null, 'F3', 'the file is signed with another key than the one that the server publishes', key, end.key);
  if (signatures && !(await isSigned(end.key, end.signature, headMessage(table.id, end.head)))) {
    throw new Fault(null, 'F3', 'the signature of the head is wrong', `a signature with ${end.key}`, end.signature);
  }
}

/** A head was shown by the server while the game ran: {head: {hash, version}}, perhaps with game_id, key, signature. */
export async function checkHead({ events, table }, note, key, signatures) {
  const { version, hash } = note.head;
  if (note.game_id) same(null, 'F4', 'the head that you noted is of another game', note.game_id, table.id);
  if (version > events.length)
    throw new Fault(null, 'F4', 'this file is shorter than what you noted', `${version} events`, `${events.length} events`);
  if (note.key && key)
    same(version, 'F3', 'the head that you noted is signed with another key than the server publishes', key, note.key);
  if (note.key && signatures && !(await isSigned(note.key, note.signature, headMessage(table.id, note.head)))) {
    throw new Fault(
      version,
      'F3',
      'the signature of the head that you noted is wrong',
      `a signature with ${note.key}`,
      note.signature,
    );
  }
  same(version, 'F4', 'this is not the history that you were shown: another head', hash, events[version - 1].hash);
}

export async function checkReceipt({ events, table }, note, key, signatures) {
  same(null, 'F4', 'the receipt is of another game', note.game_id, table.id);
  if (note.seq > events.length)
    throw new Fault(null, 'F4', 'this file is shorter than what you noted', `${note.seq} events`, `${events.length} events`);
  if (key) same(note.seq, 'F3', 'the receipt is signed with another key than the server publishes', key, note.key);
  if (signatures && !(await isSigned(note.key, note.signature, receiptMessage(note)))) {
    throw new Fault(note.seq, 'F3', 'the signature of the receipt is wrong', `a signature with ${note.key}`, note.signature);
  }
  const { hash, line } = events[note.seq - 1];
  same(note.seq, 'F4', 'this is not the history that the receipt is for: another hash', note.hash, hash);
  same(
    note.seq,
    'F4',
    'this event is not the one that the receipt is for',
    ['seat_taken', note.seat],
    [line.type, line.data.seat],
  );
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
  const parsed = parseObject(text);
  // As the answer to taking a seat has it, or by itself.
  const note = isObject(parsed?.receipt) ? parsed.receipt : parsed;
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
