/** F1, F2: follows what was shuffled, dealt, drawn and passed through the game, knowing nothing of the rules of play. */

import { defaultEntropy, fromHex, gameSeed, numbers, sha256, shuffled, toHex } from './draws.mjs';
import { byValue, MOVES, without } from './events.mjs';
import { Fault, same } from './fault.mjs';

const AFTER_THE_REVEAL = [
  'allegiance_changed',
  'battle_fought',
  'land_turned',
  'points_awarded',
  'base_built',
  'base_flipped',
  'build_passed',
  'strategy_card_given',
  'played_supplies_discarded',
];
const AFTER_THE_DISCARD = [
  'supplies_drawn',
  'draw_lost',
  'deck_shuffled',
  'supplies_discarded',
  'points_awarded',
  'round_started',
  'game_ended',
];

/**
 * Follows the cards through the game. Without the server_seed (a running game) the secrets prove nothing, so that only what is
 * public is followed: who is next, and how many cards. Throws the first fault.
 */
export async function follow({ events, table, reveal }) {
  const game = {
    ...table,
    reveal,
    seats: Array(table.players).fill(null),
    bots: Array(table.players).fill(false), // where one was assigned
    seed: null,
    first: null,
    round: 0,
    reshuffles: 0,
    deck: [],
    discards: [],
    hands: Array.from({ length: table.players }, () => []),
    played: [],
    draft: [],
    kept: [],
    next: [['table_created']], // what must come now, one by one: [type, seat]
    allowed: ['seat_taken', 'seat_left', 'game_started', 'table_closed'], // and then any of these
  };
  for (const { line, secret } of events) {
    const { seq, type, data } = line;
    checkPlace(game, line);
    checkActor(game, line);
    const check = (rule, message, expected, found) => same(seq, rule, message, expected, found);
    game.line = line;
    await FOLLOW[type]?.(game, data, reveal && secret, check);
    game.last = line;
  }
}

/** Number, types and order of events follow from what is public (F3). A table can be closed at any time. */
function checkPlace(game, { seq, type, data }) {
  const givenUp = game.last?.type === 'bot_assigned' && game.first !== null;
  if (type === 'table_closed' && !game.over && game.next[0]?.[0] !== 'bot_assigned') return;
  if (type === 'bot_assigned' && isDecided(game)) return;
  // Nothing follows from a seat's being given up: whoever had to decide still has to.
  if (givenUp && !MOVES.includes(type))
    throw new Fault(seq, 'F3', 'this event cannot stand here', 'the move that was due when a seat was given up', type);
  const [due, who] = game.next.shift() ?? [];
  if (due ? due === type && (who === undefined || who === data.seat) : game.allowed.includes(type)) return;
  const of = (what, whose) => (whose === undefined ? what : `${what} of seat ${whose}`);
  throw new Fault(seq, 'F3', 'this event cannot stand here', due ? of(due, who) : game.allowed, of(type, data.seat));
}

/** Whether somebody may have to decide now, so that a seat can be given up. */
const isDecided = ({ rules, first, next, allowed }) =>
  rules >= 2 && first !== null && (next.length > 0 ? MOVES.includes(next[0][0]) : allowed.some((type) => MOVES.includes(type)));

/** From version 2 of the rules on the log says where a bot plays, and nobody else acts for that seat (F3). */
function checkActor({ rules, bots }, { seq, type, data, cause }) {
  if (rules < 2 || !MOVES.includes(type)) return;
  const [actor, message] = bots[data.seat]
    ? [{ bot: data.seat }, 'a bot plays the seat, but somebody else moves for it']
    : [{ seat: data.seat }, 'no bot was assigned to the seat, but its player does not move'];
  same(seq, 'F3', message, actor, cause);
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
  check(
    'F2',
    `what seat ${who} gets is not what it must be (from the top of the deck, by rising value)`,
    [...cards].sort(byValue),
    secret.cards,
  );
  game.hands[who].push(...cards);
}

const FOLLOW = {
  async table_created(game, data, _, check) {
    if (game.reveal) {
      check(
        'F1',
        'the revealed server_seed is not the one that was committed to',
        data.seed_commitment,
        toHex(await sha256(fromHex(game.reveal))),
      );
    }
  },
  async seat_taken(game, { entropy, entropy_from: from, seat: who }, _, check) {
    check('F3', 'the seat is taken already', null, game.seats[who]);
    if (from === 'bot') check('F1', 'a bot brings entropy of its own', '0'.repeat(64), entropy);
    if (from === 'server' && game.reveal)
      check('F1', 'the server chose the entropy', await defaultEntropy(game.reveal, who), entropy);
    game.seats[who] = entropy;
    if (from === 'bot' && game.rules >= 2) game.next = [['bot_assigned', who]]; // which bot it is, it says at once
  },
  bot_assigned(game, { seat: who }, _, check) {
    const { at, cause } = game.line;
    const expected = game.first === null ? { at: game.last.at, cause: { bot: who } } : { at, cause: { seat: who } };
    check('F3', 'somebody else, or at another time, is said to have let a bot play', expected, { at, cause });
    check('F3', 'a bot plays the seat already', false, game.bots[who]);
    game.bots[who] = true;
  },
  seat_left(game, { seat: who }, _, check) {
    check('F3', 'nobody sits there who could leave', true, game.seats[who] !== null);
    game.seats[who] = null;
    game.bots[who] = false;
  },
  table_closed(game) {
    Object.assign(game, { next: [], allowed: [], over: true });
  },
  async game_started(game, data, _, check) {
    check(
      'F1',
      'the game starts with an empty seat',
      [],
      turns(game, 0).filter((who) => game.seats[who] === null),
    );
    if (game.reveal) {
      game.seed = await gameSeed(game.reveal, game.id, game.seats);
      check(
        'F2',
        'the first player is not the one that the seeds draw',
        (await numbers(game.seed, 'first_player', [game.players]))[0],
        data.first_player,
      );
    }
    game.first = data.first_player;
    const all = turns(game, game.first);
    const sides = [];
    all.forEach((who, i) => {
      sides[who] = i % 2 === 0 ? 'eagle' : 'rose';
    });
    check('F2', 'the allegiances do not follow from the first player (R2.1)', sides, data.allegiances);
    check('F2', 'the strategy card does not lie left of the first player (R2.5)', all[1], data.strategy_card);
    const deals = all.map((who) => ['supplies_dealt', who]);
    const dealing = game.fixed ? [...deals, ['deck_shuffled']] : [['deck_shuffled'], ...deals];
    game.next = [['lands_laid'], ...all.map((who) => ['estate_placed', who]), ...dealing, ['round_started']];
  },
  async lands_laid(game, { lands }, _, check) {
    if (game.seed)
      check('F2', 'the lands do not lie as the seeds shuffle them', await shuffled(game.seed, 'lands', game.lands), lands);
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
    const draft = all.flatMap((who) => [
      ['action_cards_passed', who],
      ['action_card_kept', who],
    ]);
    game.next = [
      ['battlefield_chosen'],
      ['action_cards_shuffled'],
      ...draft,
      ['action_cards_left', all.at(-1)],
      ...all.map((who) => ['supplies_played', who]),
      ['action_cards_revealed'],
    ];
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
  supplies_drawn(game, data, secret, check) {
    const { type, data: last } = game.last;
    const again = type === 'supplies_drawn' && last.seat === data.seat && last.source === data.source;
    check('F3', 'one draw is told as two, although no reshuffle fell into it', false, again);
    draw(game, data, secret, check);
  },
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
