// Plays a whole game of three over HTTP with the types that openapi-typescript makes of the document.
// Nothing here is cast: what does not fit the document does not compile.
import { randomUUID } from 'node:crypto';

import createClient, { type Client } from 'openapi-fetch';

import type { components, paths } from '../generated/typescript/fereta.js';

type Move = components['schemas']['Move'];
type Event = components['schemas']['Event'];

const base = process.argv[2];
if (base === undefined) throw new Error('usage: play.js <base URL>');

interface Player {
  name: string;
  api: Client<paths>;
}

/** The answer's body, or an error with the problem in it. */
function ok<T>(answer: { data?: T; error?: components['schemas']['Problem']; response: Response }): T {
  if (answer.data !== undefined) return answer.data;
  throw new Error(`${answer.response.status} ${answer.error?.type} ${answer.error?.detail ?? ''}`);
}

const key = () => ({ 'Idempotency-Key': randomUUID() });

async function guest(name: string): Promise<Player> {
  const session = ok(await createClient<paths>({ baseUrl: base! }).POST('/v1/accounts/guest', { body: { name } }));
  return { name, api: createClient<paths>({ baseUrl: base!, headers: { Authorization: `Bearer ${session.access_token}` } }) };
}

/** What a move does, in words: every variant has its own fields, and the compiler knows which. */
function told(move: Move): string {
  switch (move.type) {
    case 'place_estate': return `an estate at ${move.land}`;
    case 'choose_battlefield': return `the battlefield ${move.lands.join(' and ')}`;
    case 'take_action_card': return `keeps ${move.card}`;
    case 'play_supplies': return `plays ${move.cards.length} cards`;
    case 'build': return `builds a ${move.face} at ${move.land}`;
    case 'flip_base': return `turns the base at ${move.land}`;
    case 'pass_build': return 'builds nothing';
    case 'discard_supplies': return `discards ${move.cards.length} cards`;
    default: return unknown(move);
  }
}

/** Compiles only if no variant was forgotten. */
function unknown(move: never): never {
  throw new Error(`an unknown move: ${JSON.stringify(move)}`);
}

function cause(event: Event): string {
  const { cause } = event;
  if (typeof cause === 'string') return cause;
  return 'seat' in cause ? `seat ${cause.seat}` : `bot ${cause.bot}`;
}

const tag = randomUUID().slice(0, 8);
const players = await Promise.all(['Hanako', 'Taro', 'Jiro'].map((name) => guest(`${name} ${tag}`)));
const [creator, ...others] = players;
if (creator === undefined) throw new Error('nobody is here');

const made = ok(await creator.api.POST('/v1/games', { params: { header: key() }, body: { players: 3, options: { mercenary: true } } }));
const path = { id: made.game_id };
for (const { api } of others) ok(await api.POST('/v1/games/{id}/seats', { params: { path, header: key() }, body: {} }));

const moves = new Map<string, number>();
for (;;) {
  const { view } = ok(await creator.api.GET('/v1/games/{id}', { params: { path } }));
  if (view.status === 'ended') break;
  const decider = view.decision === null ? undefined : players[view.decision.seat];
  if (decider === undefined) throw new Error('a running game waits for nobody');
  const { items } = ok(await decider.api.GET('/v1/games/{id}/moves', { params: { path } }));
  const body = items[Math.floor(Math.random() * items.length)];
  if (body === undefined) throw new Error(`${decider.name} can do nothing`);
  told(body.move);
  ok(await decider.api.POST('/v1/games/{id}/moves', { params: { path, header: key() }, body }));
  moves.set(body.move.type, (moves.get(body.move.type) ?? 0) + 1);
}

const events: Event[] = [];
for (let cursor: string | undefined, more = true; more; ) {
  const page: components['schemas']['HistoryPage'] = ok(await creator.api.GET('/v1/games/{id}/history', { params: { path, query: cursor === undefined ? {} : { cursor } } }));
  events.push(...page.items);
  more = page.next !== null;
  cursor = page.next ?? undefined;
}
const end = events.at(-1);
if (end?.type !== 'game_ended') throw new Error(`the last event is ${end?.type}`);
if (events.some((event, i) => event.seq !== i + 1)) throw new Error('an event is missing');
const causes = new Set(events.map(cause));
console.log(`${events.length} events by ${causes.size} causes; moves: ${[...moves].map(([type, n]) => `${n} ${type}`).join(', ')}`);
console.log(`scores ${end.data.scores.join(' ')}, ranks ${end.data.ranks.join(' ')} (${end.data.reason})`);

// A problem has its type too.
const refused = await creator.api.POST('/v1/games/{id}/moves', {
  params: { path, header: key() },
  body: { expected_version: end.seq, move: { type: 'pass_build' } },
});
if (refused.error?.type !== '/problems/not-running') throw new Error(`not refused: ${refused.error?.type}`);
