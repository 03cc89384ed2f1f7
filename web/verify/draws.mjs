/** Hashes, signatures, seeds (F1) and draws (F2): all that is computed from bytes. WebCrypto only. */

const utf8 = (text) => new TextEncoder().encode(text);
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const idBytes = (gameId) => fromHex(gameId.replaceAll('-', ''));

export function concat(...parts) {
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

export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)));
export const hmacKey = (raw) => crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
export const hmac = async (key, message) => new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(message)));

/** Awaits in bulk: one by one they would cost more than the hashing, all at once they would fill the memory. */
export async function bulk(items, work) {
  const results = [];
  for (let i = 0; i < items.length; i += 512) results.push(...(await Promise.all(items.slice(i, i + 512).map(work))));
  return results;
}

const importKey = (hex) => crypto.subtle.importKey('raw', fromHex(hex), { name: 'Ed25519' }, false, ['verify']);

/** A key known to be good (RFC 8032, 7.1) tells a platform without Ed25519 from a key that is none. */
export const canVerifySignatures = () =>
  importKey('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a').then(
    () => true,
    () => false,
  );

export async function isSigned(key, signature, message) {
  try {
    return await crypto.subtle.verify({ name: 'Ed25519' }, await importKey(key), fromHex(signature), message);
  } catch {
    return false;
  }
}

export const headMessage = (gameId, { version, hash }) => concat('fereta/head/1', idBytes(gameId), u64(version), fromHex(hash));
export const receiptMessage = ({ game_id, seat, seq, hash }) =>
  concat('fereta/seat/1', idBytes(game_id), Uint8Array.of(seat), u64(seq), fromHex(hash));

// F1, F2

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
  const picks = await numbers(
    seed,
    label,
    Array.from({ length: Math.max(last, 0) }, (_, step) => last + 1 - step),
  );
  picks.forEach((j, step) => {
    const i = last - step;
    [order[i], order[j]] = [order[j], order[i]];
  });
  return order;
}
