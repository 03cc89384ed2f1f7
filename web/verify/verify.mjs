/**
 * Verifies the exported history of a game, independently of the server: written from the specification alone
 * (F1 seeds, F2 draws, F3 log, F4 export, and the table of events in docs/events.md), with nothing but WebCrypto.
 *
 *     node verify.mjs FILE… [--head V:HASH|FILE] [--receipt FILE] [--key HEX] [--json]
 *
 * Browser and node run the same code. It knows shuffles, deals and who held which card, not the rules of play: whether a move
 * was legal and a battle counted right is the business of `fereta audit`. Nothing of the kind proves anything against a server that
 * plays a seat itself or tells a friend what it sees.
 *
 * The file is taken for hostile: every line is bounded, parsed and compared with its only canonical spelling before
 * anything in it is believed, and whatever goes wrong is a fault, never a pass.
 */

import { canVerifySignatures, concat } from './draws.mjs';
import { Fault, faultOf } from './fault.mjs';
import { follow } from './follow.mjs';
import { checkEnd, checkHead, checkReceipt, parseHead, parseKey, parseReceipt } from './notes.mjs';
import { checkChain, checkSecrets, MAX_FILE, MAX_LINE, read } from './read.mjs';

/**
 * `input`: the file's bytes, or its text. `heads`, `receipts` and `key` as parseHead, parseReceipt and parseKey give them.
 *
 * `verdict` is anchored, consistent, incomplete or faulty; `fault` the first one, by seq; `held` how many notes the history was
 * held against, and `held_to` the last event that they cover: what follows it could be another history still; `notes` what could
 * not be checked: signatures_unchecked, secrets_unchecked.
 */
export async function verify(input, { heads = [], receipts = [], key = null } = {}) {
  if (!globalThis.crypto?.subtle) throw new Error('no WebCrypto here: a browser has it on https pages only');
  // Our data are ASCII. This decoder takes every byte, and makes those above 0x7f characters that no line may have.
  const text = typeof input === 'string' ? input : new TextDecoder('windows-1252').decode(input.subarray(0, MAX_FILE + 1));
  const result = { game_id: null, version: 0, verdict: 'faulty', fault: null, held: 0, held_to: 0, notes: [] };
  let faults;
  try {
    const file = read(text);
    Object.assign(result, { game_id: file.table?.id ?? null, version: file.events.length });
    faults = [file.fault, await checkChain(file.events)];
    // Events before the first that cannot be read may be wrong in what they tell.
    if (file.fault && file.table) faults.push(await faultOf(() => follow({ ...file, reveal: null })));
    if (!file.fault) {
      const signatures = await canVerifySignatures();
      if (!signatures) result.notes.push('signatures_unchecked');
      if (!file.reveal) result.notes.push('secrets_unchecked');
      faults.push(file.reveal && (await checkSecrets(file)));
      faults.push(await faultOf(() => follow(file)));
      faults.push(await faultOf(() => checkEnd(file, key, signatures)));
      for (const note of heads) faults.push(await faultOf(() => checkHead(file, note, key, signatures)));
      for (const note of receipts) faults.push(await faultOf(() => checkReceipt(file, note, key, signatures)));
      result.held = heads.length + receipts.length;
      result.held_to = Math.max(0, ...heads.map((note) => note.head.version), ...receipts.map((note) => note.seq));
      result.verdict = !file.ended ? 'incomplete' : result.held > 0 ? 'anchored' : 'consistent';
    }
  } catch (error) {
    faults = [
      error instanceof Fault
        ? error
        : new Fault(null, null, 'the file broke the verifier, as no file of a real game does', 'a verdict', String(error)),
    ];
  }
  const [first] = faults.filter(Boolean).sort((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity) || 0);
  if (first) {
    const { seq, expected, found, rule, message } = first;
    Object.assign(result, { verdict: 'faulty', held: 0, held_to: 0, fault: { seq, expected, found, rule, message } });
  }
  return result;
}

// The command

const WORDS = {
  anchored: 'anchored: complete, consistent, and as far as you noted it the very history that you were shown while it ran',
  consistent:
    'consistent, not anchored: complete and without contradiction, but held against nothing that was noted while it ran',
  incomplete: 'incomplete: the game still runs; what can be checked now holds',
  faulty: 'FAULTY',
  signatures_unchecked: 'signatures were not checked: this platform has no Ed25519',
  secrets_unchecked: 'secrets were not checked, as their salts are published at the end only',
};
const USAGE =
  'usage: node verify.mjs FILE… [--head V:HASH|FILE] [--receipt FILE] [--key HEX] [--json]\n' +
  '  FILE: an export, or - for standard input. What was noted (--head, --receipt; both may be repeated) is of one game, so of one FILE.';

function inWords(file, { game_id: id, version, verdict, fault, held, held_to: heldTo, notes }) {
  const lines = [`${file}: ${WORDS[verdict]}`];
  if (id) lines.push(`  game ${id}${fault ? '' : `, ${version} events`}`); // a fault may have ended the reading early
  if (held > 0) lines.push(`  held against ${held} of your notes, which cover the events up to ${heldTo}`);
  if (fault) {
    lines.push(
      `  first fault${fault.seq === null ? '' : ` at event ${fault.seq}`}: ${fault.message}${fault.rule ? ` (${fault.rule})` : ''}`,
    );
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
  if (files.length > 1 && noted.heads.length + noted.receipts.length > 0)
    return usage('notes are of one game: give one FILE with them');

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
