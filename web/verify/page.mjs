/** The page around the verifier. Whatever comes from a file is shown as text, never as markup. */
import { parseHead, parseKey, parseReceipt } from './notes.mjs';
import { MAX_FILE } from './read.mjs';
import { verify } from './verify.mjs';
import { WORDS } from './words.mjs';

const byId = (id) => document.getElementById(id);
const result = byId('result');
let language = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => Object.hasOwn(WORDS, tag)) ?? 'en';
let chosen = null; // the file
let shown = null; // the last result, or the name of a word, to be said again in another language
let run = 0;

function element(name, text, attributes = {}) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(text);
  return made;
}

function speak() {
  const words = WORDS[language];
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll('[data-text]')) place.textContent = words[place.dataset.text];
  for (const button of byId('languages').children) button.setAttribute('aria-pressed', String(button.value === language));
  if (shown) show(shown);
}

function show(what) {
  shown = what;
  const words = WORDS[language];
  result.hidden = false;
  result.className = what.verdict ?? '';
  if (typeof what === 'string') {
    result.replaceChildren(element('p', words[what]));
    return;
  }
  const { verdict, fault, game_id: id, version, held, held_to: heldTo, notes } = what;
  const parts = [element('h2', words[verdict]), element('p', words[`${verdict}Means`])];
  if (id) parts.push(element('p', words.game(id)));
  if (!fault) parts.push(element('p', words.events(version))); // else the reading may have ended early
  if (held > 0) parts.push(element('p', words.held(held, heldTo)));
  if (fault) parts.push(...faultParts(fault, words));
  parts.push(...notes.map((note) => element('p', words[note])));
  result.replaceChildren(...parts);
}

function faultParts({ seq, rule, message, expected, found }, words) {
  const list = document.createElement('dl');
  const rows = [
    [words.detail, element('span', message, { lang: 'en' })],
    [words.expected, element('code', expected)],
    [words.found, element('code', found)],
  ];
  for (const [name, value] of rows) list.append(element('dt', name), element('dd', value));
  const where = element('p', element('strong', seq === null ? words.faultAfter : words.faultAt(seq)));
  return rule ? [where, element('p', words[rule]), list] : [where, list];
}

/** What a field holds, parsed: an empty list for an empty field, null (and a word beside the field) for what it cannot take. */
function noted(id, texts, parse) {
  const notes = texts
    .map((text) => text.trim())
    .filter(Boolean)
    .map(parse);
  const wrong = notes.includes(null);
  byId(`${id}-error`).hidden = !wrong;
  byId(id).setAttribute('aria-invalid', String(wrong));
  return wrong ? null : notes;
}

async function check() {
  const mine = (run += 1);
  const head = byId('head').value;
  const heads = noted('head', head.trim().startsWith('{') ? [head] : head.split('\n'), parseHead);
  const receipts = noted('receipt', [byId('receipt').value], parseReceipt);
  const keys = noted('key', [byId('key').value], parseKey);
  if (!chosen) return;
  if (!heads || !receipts || !keys) {
    // A verdict that does not regard what stands in the fields would be misread.
    shown = null;
    result.hidden = true;
    return;
  }
  if (!globalThis.crypto?.subtle) {
    show('insecure');
    return;
  }
  show('working');
  let what = 'unreadable';
  try {
    const bytes = new Uint8Array(await chosen.slice(0, MAX_FILE + 1).arrayBuffer());
    what = await verify(bytes, { heads, receipts, key: keys[0] ?? null });
  } catch (error) {
    console.error(error);
  }
  if (mine === run) show(what); // else a newer check is on its way
}

byId('languages').addEventListener('click', ({ target }) => {
  if (!Object.hasOwn(WORDS, target.value ?? '')) return;
  language = target.value;
  speak();
});
byId('file').addEventListener('change', ({ target }) => {
  chosen = target.files[0] ?? null;
  check();
});
for (const id of ['head', 'receipt', 'key']) byId(id).addEventListener('input', check);
for (const type of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(type, (event) => {
    const files = event.dataTransfer?.types.includes('Files');
    if (!files) return; // text may be dropped into the fields
    event.preventDefault();
    document.body.classList.toggle('dragging', type === 'dragover');
    if (type === 'drop') {
      byId('file').files = event.dataTransfer.files;
      chosen = event.dataTransfer.files[0] ?? null;
      check();
    }
  });
}
speak();
