//! What holds in every game, tried on random ones of every kind.

use std::collections::VecDeque;

use fereta::engine::*;

use crate::chronicle::Chronicle;
use crate::games::{Kind, Manner, kinds, play};
use crate::given::{Estate, TradingPost, facts, place, seat, supplies};

const MANNERS: [Manner; 3] = [Manner::Even, Manner::Saving, Manner::Spending];

fn seats(players: u8) -> impl Iterator<Item = Seat> {
    (0..players).map(seat)
}

#[test]
fn a_move_is_legal_if_and_only_if_it_is_taken_and_a_refusal_leaves_no_trace() {
    let mut words = FastDraws::new(1);
    for kind in kinds(2) {
        play(&kind, Manner::Even, |before, command, _, _| {
            let Command::Act { .. } = command else { return };
            let decision = before.decision().expect("a decision");
            let legal = before.legal_moves(decision.seat);
            assert!(!legal.is_empty());
            for other in seats(5).filter(|other| *other != decision.seat) {
                assert!(before.legal_moves(other).is_empty());
            }
            let hand = before.view(Viewer::Seat(decision.seat)).seats[usize::from(decision.seat.number())].hand;
            let mut taken = Vec::new();
            for action in move_space(decision.kind, &hand.unwrap(), &mut words) {
                let normal = normal_form(&action, before.view(Viewer::Spectator).lands.len() as u8);
                let mut state = before.clone();
                let mut events = Vec::new();
                let asked = Command::Act { seat: decision.seat, action: action.clone() };
                let answer = state.advance(&asked, &mut FastDraws::new(0), &mut events);
                assert_eq!(answer.is_ok(), legal.contains(&normal), "{action:?} of {legal:?}");
                match answer {
                    Ok(()) => {
                        assert_eq!(before.decide(&asked, &mut FastDraws::new(0)), Ok(events));
                        taken.push(normal);
                    }
                    Err(error) => {
                        assert!(events.is_empty() && state == *before);
                        assert_eq!(before.decide(&asked, &mut FastDraws::new(0)), Err(error));
                    }
                }
            }
            for (i, action) in legal.iter().enumerate() {
                assert!(taken.contains(action), "{action:?} was not tried");
                assert!(!legal[..i].contains(action), "{action:?} is listed twice");
            }
        });
    }
}

/// All moves of the right kind, as far as lands and action cards go; of supply cards every choice from the hand, and
/// others at random; and one of every other kind.
fn move_space(kind: DecisionKind, hand: &Supplies, words: &mut FastDraws) -> Vec<Move> {
    let mut moves = vec![
        Move::PlaceEstate { land: place(0) },
        Move::ChooseBattlefield { lands: [place(0), place(1)] },
        Move::TakeActionCard { card: ActionCard::Farmer },
        Move::PlaySupplies { cards: Supplies::default() },
        Move::PassBuild,
        Move::DiscardSupplies { cards: Supplies::default() },
    ];
    let places = || (0..16).map(place);
    match kind {
        DecisionKind::PlaceEstate => moves.extend(places().map(|land| Move::PlaceEstate { land })),
        DecisionKind::ChooseBattlefield => {
            let pairs = places().flat_map(|a| places().map(move |b| [a, b]));
            moves.extend(pairs.map(|lands| Move::ChooseBattlefield { lands }));
        }
        DecisionKind::TakeActionCard => moves.extend(ActionCard::ALL.map(|card| Move::TakeActionCard { card })),
        DecisionKind::Build => {
            let built = places().flat_map(|land| Face::BOTH.map(|face| Move::Build { land, face }));
            moves.extend(built.chain(places().map(|land| Move::FlipBase { land })));
        }
        DecisionKind::PlaySupplies | DecisionKind::DiscardSupplies => {
            let chosen = |mask: u32| {
                let picked = hand.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
                picked.map(|(_, value)| value).collect::<Vec<_>>()
            };
            let mut choices: Vec<_> = (0..1_u32 << hand.len()).map(chosen).collect();
            for _ in 0..20 {
                let mut wrong = chosen(words.word());
                for _ in 0..=words.below(3) {
                    wrong.push(words.below(10) as u8 + 1);
                }
                choices.push(wrong);
            }
            choices.sort_unstable();
            choices.dedup();
            let cards = choices.into_iter().map(Supplies::asked);
            if kind == DecisionKind::PlaySupplies {
                moves.extend(cards.map(|cards| Move::PlaySupplies { cards }));
            } else {
                moves.extend(cards.map(|cards| Move::DiscardSupplies { cards }));
            }
        }
    }
    moves
}

/// The move as the list of legal moves says it (R7).
fn normal_form(action: &Move, lands: u8) -> Move {
    match action {
        Move::ChooseBattlefield { lands: [a, b] } => {
            let is_left = |a: Place, b: Place| b.number() == (a.number() + 1) % lands;
            let swapped = !is_left(*a, *b) && is_left(*b, *a);
            Move::ChooseBattlefield { lands: if swapped { [*b, *a] } else { [*a, *b] } }
        }
        other => other.clone(),
    }
}

#[test]
fn what_happens_follows_from_public_facts_alone() {
    let mut draws_lost = 0;
    let mut reshuffles = 0;
    for kind in kinds(20) {
        for manner in MANNERS {
            let mut chronicle: Option<Chronicle> = None;
            play(&kind, manner, |before, command, events, after| {
                let facts = facts(events);
                if let [Fact::BotAssigned(_)] = &facts[..] {
                    assert_eq!(before.decision(), after.decision(), "nobody decides anything by it");
                    return;
                }
                if let Fact::TableCreated(created) = &facts[0] {
                    chronicle = Some(Chronicle::new(created));
                    return;
                }
                let chronicle = chronicle.as_mut().expect("a table");
                let (foretold, next) = chronicle.foretell(&facts[0], &facts[1..]);
                assert_eq!(facts[1..], foretold, "after {command:?}");
                let decision = after.decision().map(|decision| (decision.seat.number().into(), decision.kind));
                assert_eq!(decision, next);
                assert_eq!(decision.is_some(), after.status() == Status::Running);
                // Every event has a secret exactly if its type says so.
                assert!(events.iter().all(|event| event.secret.is_some() == event.fact.audience().is_some()));
                let scores: Vec<_> = after.view(Viewer::Spectator).seats.iter().map(|seat| seat.score).collect();
                assert_eq!(scores, chronicle.scores);
                draws_lost += facts.iter().filter(|fact| matches!(fact, Fact::DrawLost(_))).count();
                reshuffles += facts.iter().filter(|fact| matches!(fact, Fact::DeckShuffled(_))).count();
            });
        }
    }
    assert!(draws_lost > 100 && reshuffles > 1000, "{draws_lost} lost draws, {reshuffles} shuffles: too tame");
}

#[test]
fn every_prefix_folds_to_the_live_table_and_everything_comes_back_from_its_bytes() {
    for kind in kinds(1) {
        let mut folded = State::default();
        let mut log = Vec::new();
        play(&kind, Manner::Even, |before, _, events, after| {
            assert_eq!(folded, *before);
            for event in events {
                folded.apply(event);
                log.push(event.clone());
                assert_eq!(read_back(event), *event);
                // Also between two decisions the table is one that can be stored.
                let bytes = borsh::to_vec(&folded).unwrap();
                assert!(borsh::from_slice::<State>(&bytes).unwrap() == folded);
            }
            assert_eq!(folded, *after);
        });
        assert_eq!(State::fold(&log), folded);
    }
}

/// An event written as JSON and read again.
fn read_back(event: &Event) -> Event {
    fn again<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
        serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
    }
    let secret = event.secret.as_ref().map(|secret| match secret {
        Secret::Deck(secret) => Secret::Deck(again(secret)),
        Secret::ActionOrder(secret) => Secret::ActionOrder(again(secret)),
        Secret::Supplies(secret) => Secret::Supplies(again(secret)),
        Secret::ActionCards(secret) => Secret::ActionCards(again(secret)),
        Secret::ActionCard(secret) => Secret::ActionCard(again(secret)),
    });
    Event { fact: again(&event.fact), secret }
}

/// Where the supply cards and action cards that nobody sees are, kept from the secrets of the events.
#[derive(Default)]
struct Hidden {
    deck: VecDeque<u8>,
    order: Vec<ActionCard>,
    drafted: Vec<ActionCard>,
    kept: Vec<(Seat, ActionCard)>,
    played: Vec<u8>,
}

impl Hidden {
    fn observe(&mut self, event: &Event, fixed_hands: bool) {
        match (&event.fact, &event.secret) {
            (Fact::DeckShuffled(shuffled), Some(Secret::Deck(deck))) => {
                assert_eq!(usize::from(shuffled.count), deck.order.len());
                assert!(self.deck.is_empty());
                self.deck = deck.order.iter().copied().collect();
            }
            (Fact::SuppliesDealt(_), Some(Secret::Supplies(dealt))) if fixed_hands => {
                assert_eq!(dealt.cards, supplies(&[3, 4, 5]));
            }
            (
                Fact::SuppliesDealt(SuppliesDealt { count, .. }) | Fact::SuppliesDrawn(SuppliesDrawn { count, .. }),
                Some(Secret::Supplies(drawn)),
            ) => {
                let top: Supplies = self.deck.drain(..usize::from(*count)).collect();
                assert_eq!(drawn.cards, top);
            }
            (Fact::ActionCardsShuffled(_), Some(Secret::ActionOrder(shuffled))) => {
                self.order = shuffled.order.to_vec();
                self.drafted = shuffled.order[1..].to_vec();
                self.drafted.sort_unstable();
                self.kept.clear();
            }
            (
                Fact::ActionCardsPassed(ActionCardsPassed { count, .. })
                | Fact::ActionCardsLeft(ActionCardsLeft { count, .. }),
                Some(Secret::ActionCards(seen)),
            ) => {
                assert_eq!(seen.cards.iter().collect::<Vec<_>>(), self.drafted);
                assert_eq!(usize::from(*count), self.drafted.len());
            }
            (Fact::ActionCardKept(ActionCardKept { seat }), Some(Secret::ActionCard(kept))) => {
                self.kept.push((*seat, kept.card));
                let at = self.drafted.iter().position(|card| *card == kept.card).expect("a card that was passed");
                self.drafted.remove(at);
            }
            (Fact::ActionCardsRevealed(revealed), None) => {
                self.kept.sort_unstable();
                assert!(revealed.cards.iter().map(|(seat, card)| (seat, *card)).eq(self.kept.iter().copied()));
            }
            (Fact::SuppliesPlayed(played), None) => self.played.extend(played.cards.iter()),
            (Fact::PlayedSuppliesDiscarded(discarded), None) => {
                self.played.sort_unstable();
                assert_eq!(*discarded.cards, *self.played);
                self.played.clear();
            }
            (fact, secret) => assert!(secret.is_none(), "{fact:?}"),
        }
    }
}

#[test]
fn every_card_and_every_base_is_in_exactly_one_place() {
    for kind in kinds(4) {
        for manner in MANNERS {
            let fixed_hands = kind.table.options.opening_hand == OpeningHand::Fixed;
            let mut hidden = Hidden::default();
            play(&kind, manner, |_, _, events, state| {
                events.iter().for_each(|event| hidden.observe(event, fixed_hands));
                if state.view(Viewer::Spectator).round > 0 {
                    count(&kind, &hidden, state);
                }
            });
        }
    }
}

fn count(kind: &Kind, hidden: &Hidden, state: &State) {
    let public = state.view(Viewer::Spectator);
    let own = |number: Seat| state.view(Viewer::Seat(number)).seats[usize::from(number.number())].clone();
    let mut cards: Vec<u8> = hidden.deck.iter().chain(&hidden.played).chain(&public.discards).copied().collect();
    assert_eq!(usize::from(public.deck_size), hidden.deck.len());
    assert!(public.deck.as_ref().is_none_or(|deck| hidden.deck == *deck));
    let mut kept = Vec::new();
    for number in seats(kind.table.players) {
        let seat_view = own(number);
        let hand = seat_view.hand.expect("the own hand");
        assert_eq!(usize::from(seat_view.hand_size), hand.len());
        cards.extend(hand.iter());
        kept.extend(seat_view.action_card);
        let bases = [Estate, TradingPost].map(|face| public.bases(number, face));
        assert_eq!(bases[0] + bases[1] + usize::from(seat_view.bases_left), 3);
        assert!(bases[1] <= 2);
    }
    cards.sort_unstable();
    assert!(kind.table.card_set.supply_cards(kind.table.players).eq(cards));

    if !kept.is_empty() {
        let mut all = kept.clone();
        all.extend(&hidden.drafted);
        all.push(hidden.order[0]);
        all.sort_unstable();
        assert!(ActionCards::of_game(kind.table.options.mercenary).iter().eq(all));
    }
    if state.status() == Status::Ended {
        assert_eq!(public.set_aside, Some(hidden.order[0]));
        assert!(public.left_over.expect("all is public").iter().eq(hidden.drafted.iter().copied()));
    }
}

#[test]
fn no_game_is_longer_than_its_rounds() {
    let mut early = 0;
    for kind in kinds(8) {
        let rounds = kind.table.card_set.rounds(kind.table.players);
        let (mut moves, mut started) = (0, 0);
        play(&kind, Manner::Even, |_, command, events, after| {
            moves += usize::from(matches!(command, Command::Act { .. }));
            started += facts(events).iter().filter(|fact| matches!(fact, Fact::RoundStarted(_))).count();
            assert!(started <= usize::from(rounds));
            assert_eq!(after.view(Viewer::Spectator).round, started as u8);
            if let Some(Fact::GameEnded(ended)) = facts(events).last() {
                early += usize::from(ended.reason == EndReason::OneHouse);
                let at_once = usize::from(kind.table.players);
                assert!(moves <= at_once + started * (3 * at_once + 2));
                assert_eq!(after.decision(), None);
            }
        });
    }
    assert!(early > 10, "{early} early ends are too few to have been tried");
}
