//! What happens by itself (R6), one small rule each.

use super::card::{ActionCard, ActionCards, Supplies, SupplyValue};
use super::command::OpeningHand;
use super::draws::Draws;
use super::event::{
    ActionCardOrder, ActionCardsLeft, ActionCardsPassed, ActionCardsRevealed, ActionCardsShuffled, AllegianceChanged,
    AwardReason, BattleFought, DeckOrder, DeckShuffled, DrawLost, DrawSource, Event, LandTurned, LandsLaid,
    PlayedSuppliesDiscarded, PointsAwarded, RoundStarted, Secret, SecretActionCards, SecretSupplies, StrategyCardGiven,
    SuppliesDealt, SuppliesDrawn,
};
use super::land::{Face, House, LaidLand};
use super::seat::{BySeat, Seat};
use super::state::State;

/// How many supply cards a player gets for his opening hand (R2.4).
const OPENING_CARDS: u8 = 3;
/// The fixed opening hand (R2.4).
pub(super) const FIXED_HAND: [SupplyValue; 3] = [3, 4, 5];
/// The most supply cards that a player draws in a round (R3.9.2).
const DRAW_LIMIT: u8 = 3;

/// Something that happens by itself.
pub(super) enum Consequence {
    LayLands,
    ShuffleDeck,
    Deal(Seat),
    StartRound,
    ShuffleActionCards,
    PassActionCards(Seat),
    LeaveActionCards(Seat),
    Reveal,
    ChangeAllegiance(Seat, ActionCard),
    Fight,
    TurnLand(House),
    Pay(PointsAwarded),
    GiveStrategyCard(Seat),
    DiscardPlayed,
    Draw(SuppliesDrawn),
    LoseDraw(DrawLost),
    Reshuffle,
    End,
}

impl State {
    pub(super) fn carry_out(&self, consequence: Consequence, draws: &mut impl Draws) -> Event {
        match consequence {
            Consequence::LayLands => self.lay_lands(draws),
            Consequence::ShuffleDeck => self.shuffle_first_deck(draws),
            Consequence::Deal(seat) => self.deal(seat),
            Consequence::StartRound => self.start_next_round(),
            Consequence::ShuffleActionCards => self.shuffle_actions(draws),
            Consequence::PassActionCards(seat) => {
                let cards = self.this_round.draft;
                Event::sealed(ActionCardsPassed { count: cards.len(), seat }, action_cards(cards))
            }
            Consequence::LeaveActionCards(seat) => {
                let cards = self.this_round.draft;
                Event::sealed(ActionCardsLeft { count: cards.len(), seat }, action_cards(cards))
            }
            Consequence::Reveal => self.reveal_action_cards(),
            Consequence::ChangeAllegiance(seat, card) => {
                Event::open(AllegianceChanged { card, house: self.players[seat].house.other(), seat })
            }
            Consequence::Fight => self.fight_battle(),
            Consequence::TurnLand(winner) => self.turn_land(winner),
            Consequence::Pay(payment) => Event::open(payment),
            Consequence::GiveStrategyCard(seat) => Event::open(StrategyCardGiven { seat }),
            Consequence::DiscardPlayed => self.discard_played(),
            Consequence::Draw(draw) => {
                let cards = self.top_cards(draw.count);
                Event::sealed(draw, cards)
            }
            Consequence::LoseDraw(lost) => Event::open(lost),
            Consequence::Reshuffle => self.reshuffle(draws),
            Consequence::End => self.end(),
        }
    }

    /// R2.2, in the order of fairness F2.
    fn lay_lands(&self, draws: &mut impl Draws) -> Event {
        let lines = || self.card_set().land_lines(self.players());
        let of = |house| lines().map(move |line| LaidLand { house, line });
        let mut lands: Box<[LaidLand]> = of(House::Eagle).chain(of(House::Rose)).collect();
        draws.lands(&mut lands);
        Event::open(LandsLaid { lands })
    }

    /// R2.4: all supply cards, less the fixed opening hands.
    fn shuffle_first_deck(&self, draws: &mut impl Draws) -> Event {
        let mut fixed = [0; FIXED_HAND.len()];
        if self.options().opening_hand == OpeningHand::Fixed {
            fixed = [self.players(); FIXED_HAND.len()];
        }
        let in_deck = |value: &SupplyValue| match fixed.iter_mut().zip(FIXED_HAND).find(|(_, held)| held == value) {
            Some((out, _)) if *out > 0 => {
                *out -= 1;
                false
            }
            Some(_) | None => true,
        };
        let cards = self.card_set().supply_cards(self.players()).filter(in_deck).collect();
        shuffled_deck(cards, 0, draws)
    }

    fn deal(&self, seat: Seat) -> Event {
        let cards = match self.options().opening_hand {
            OpeningHand::Dealt => self.top_cards(OPENING_CARDS),
            OpeningHand::Fixed => supplies(FIXED_HAND),
        };
        Event::sealed(SuppliesDealt { count: OPENING_CARDS, seat }, cards)
    }

    /// R3.10: the first player card moves one seat to the left, but for the first round.
    fn start_next_round(&self) -> Event {
        let first_player = if self.round == 0 { self.first_player } else { self.first_player.left(self.players()) };
        Event::open(RoundStarted { first_player, round: self.round + 1 })
    }

    /// R3.2: the top card is set aside.
    fn shuffle_actions(&self, draws: &mut impl Draws) -> Event {
        let mut order: arrayvec::ArrayVec<ActionCard, 7> =
            ActionCards::of_game(self.options().mercenary).iter().collect();
        draws.action_cards(self.round, &mut order);
        let count = order.len() as u8;
        Event::sealed(ActionCardsShuffled { count }, Secret::ActionOrder(ActionCardOrder { order }))
    }

    /// R3.4
    fn reveal_action_cards(&self) -> Event {
        #[expect(clippy::expect_used, reason = "every player has kept a card when the draft is over (R3.2)")]
        let card = |seat| self.players[seat].kept.expect("a kept card");
        Event::open(ActionCardsRevealed { cards: BySeat::new(self.players(), card) })
    }

    /// R3.5
    fn fight_battle(&self) -> Event {
        let [eagle, rose] = House::BOTH.map(|house| self.strength(house));
        let winner = match eagle.cmp(&rose) {
            std::cmp::Ordering::Greater => Some(House::Eagle),
            std::cmp::Ordering::Less => Some(House::Rose),
            std::cmp::Ordering::Equal => None,
        };
        Event::open(BattleFought { eagle, rose, winner })
    }

    fn strength(&self, house: House) -> u16 {
        let lands = self.this_round.battlefield.into_iter().flatten().filter_map(|place| self.land(place));
        let land: u16 = lands
            .filter(|land| land.house == house)
            .filter_map(|land| self.line_of(land))
            .map(|line| u16::from(line.strength))
            .sum();
        let members = self.players.values().filter(|player| player.house == house);
        let players: u16 = members
            .map(|player| player.played.as_ref().map_or(0, Supplies::sum) + player.kept.map_or(0, ActionCard::strength))
            .sum();
        land + players
    }

    /// R3.6: the losing land turns.
    fn turn_land(&self, winner: House) -> Event {
        let loses = |place: &super::Place| self.land(*place).is_some_and(|land| land.house != winner);
        #[expect(clippy::expect_used, reason = "a battlefield's two lands show different houses (R3.1)")]
        let land = self.this_round.battlefield.into_iter().flatten().find(loses).expect("a losing land");
        Event::open(LandTurned { house: winner, land })
    }

    /// R3.6: what is paid after `last`: the land's VP in turn order, Traitor, Strategist, Mercenary.
    pub(super) fn next_payment(&self, last: Option<(AwardReason, Seat)>) -> Option<PointsAwarded> {
        let is_open = |reason| last.is_none_or(|(paid, _)| paid < reason);
        let chosen = |card, reason, points| {
            let seat = self.holder(card).filter(|_| is_open(reason))?;
            Some(PointsAwarded { points, reason, seat })
        };
        self.next_land_payment(last)
            .or_else(|| chosen(ActionCard::Traitor, AwardReason::Traitor, 1))
            .or_else(|| chosen(ActionCard::Strategist, AwardReason::Strategist, 2))
            .or_else(|| chosen(ActionCard::Mercenary, AwardReason::Mercenary, 1).filter(|paid| self.has_won(paid.seat)))
    }

    fn next_land_payment(&self, last: Option<(AwardReason, Seat)>) -> Option<PointsAwarded> {
        let from = match last {
            None => self.first_player,
            Some((AwardReason::Land, seat)) => self.next_in_turn(seat)?,
            Some(_) => return None,
        };
        let points = self.land_points(self.members(self.this_round.winner?)).filter(|points| *points > 0)?;
        let seat = self.turn_order_from(from).find(|seat| self.has_won(*seat))?;
        Some(PointsAwarded { points, reason: AwardReason::Land, seat })
    }

    fn has_won(&self, seat: Seat) -> bool {
        self.this_round.winner == Some(self.players[seat].house)
    }

    /// The VP of the losing land for each of `winners` players.
    fn land_points(&self, winners: usize) -> Option<u8> {
        let line = self.line_of(self.land(self.this_round.turned?)?)?;
        line.points.get(winners.checked_sub(1)?).copied()
    }

    /// R3.9.1
    fn discard_played(&self) -> Event {
        let mut cards: Box<[SupplyValue]> =
            self.players.values().filter_map(|player| player.played.as_ref()).flat_map(Supplies::iter).collect();
        cards.sort_unstable();
        Event::open(PlayedSuppliesDiscarded { cards })
    }

    /// R3.9.2 and R3.9.3: the next thing that happens in the refill; none when it is done.
    pub(super) fn next_draw(&self) -> Option<Consequence> {
        let (seat, source, wanted) = self.next_entitlement()?;
        Some(match (self.deck.len(), self.discards.len()) {
            (0, 0) => Consequence::LoseDraw(DrawLost { seat, source }),
            (0, _) => Consequence::Reshuffle,
            (left, _) => {
                let count = wanted.min(u8::try_from(left).unwrap_or(wanted));
                Consequence::Draw(SuppliesDrawn { count, seat, source })
            }
        })
    }

    /// Who may draw next, why, and how many cards: the Farmer, estates in turn order, Diplomat\[2\]; 3 at most a round.
    /// A lost draw counts, as nobody makes it up.
    fn next_entitlement(&self) -> Option<(Seat, DrawSource, u8)> {
        let farmer = self.holder(ActionCard::Farmer).map(|seat| (seat, DrawSource::Farmer));
        let estates = self.turn_order().map(|seat| (seat, DrawSource::Estates));
        let diplomat = self.holder(ActionCard::Diplomat2).map(|seat| (seat, DrawSource::Diplomat2));
        let last = self.this_round.refill;
        let is_last = |seat, source| last.is_some_and(|last| last.seat == seat && last.source == source);
        farmer
            .into_iter()
            .chain(estates)
            .chain(diplomat)
            .skip_while(|(seat, source)| last.is_some() && !is_last(*seat, *source))
            .map(|(seat, source)| {
                let amount = match source {
                    DrawSource::Farmer => 3,
                    DrawSource::Estates => self.drawing_estates(seat),
                    DrawSource::Diplomat2 => 1,
                };
                let done = last.filter(|_| is_last(seat, source)).map_or(0, |last| last.done);
                let limit = DRAW_LIMIT.saturating_sub(self.players[seat].drawn);
                (seat, source, amount.saturating_sub(done).min(limit))
            })
            .find(|(_, _, wanted)| *wanted > 0)
    }

    /// The estates of `seat` at lands that show his house.
    fn drawing_estates(&self, seat: Seat) -> u8 {
        let house = self.players[seat].house;
        let draws = |land: &super::land::Land| {
            land.house == house && land.base.is_some_and(|base| base.seat == seat && base.face == Face::Estate)
        };
        self.circle.iter().filter(|land| draws(land)).count() as u8
    }

    fn reshuffle(&self, draws: &mut impl Draws) -> Event {
        let mut cards = self.discards.clone();
        cards.sort_unstable();
        shuffled_deck(cards, self.reshuffles + 1, draws)
    }

    fn top_cards(&self, count: u8) -> Secret {
        supplies(self.deck.iter().rev().take(usize::from(count)).copied())
    }
}

fn shuffled_deck(mut cards: Vec<SupplyValue>, reshuffle: u16, draws: &mut impl Draws) -> Event {
    draws.deck(reshuffle, &mut cards);
    let count = cards.len() as u8;
    let order = cards.into_boxed_slice();
    Event::sealed(DeckShuffled { count, reshuffle }, Secret::Deck(DeckOrder { order }))
}

fn supplies(cards: impl IntoIterator<Item = SupplyValue>) -> Secret {
    Secret::Supplies(SecretSupplies { cards: cards.into_iter().collect() })
}

const fn action_cards(cards: ActionCards) -> Secret {
    Secret::ActionCards(SecretActionCards { cards })
}
