//! Takes what is worth most now, in victory points, with the odds of the cards that are not seen.

use super::glance::Glance;
use super::numbers::chance;
use crate::engine::{ActionCard, Face, FastDraws, House, Knowledge, Move, Place, Plot, Supplies, Words};

/// What things are worth, in victory points, and what players are expected to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taste {
    /// A pip of a supply card that is kept for later rounds.
    pub pip: f32,
    /// A supply card, besides its pips.
    pub card: f32,
    /// The part of the own victory that another's costs.
    pub envy: f32,
    /// The part of a hand that others are expected to play.
    pub commitment: f32,
    /// How uncertain the strengths are at the least.
    pub doubt: f32,
    /// How uncertain a card of a hand that will be played makes them.
    pub doubt_of_card: f32,
    /// The strategy card.
    pub strategy_card: f32,
    /// A trading post at the end.
    pub trading_post: f32,
    /// The chance that an estate draws, at a land of the own house and at one of the other.
    pub draws: [f32; 2],
    /// A card that an estate draws.
    pub drawn: f32,
    /// A land of the other house beside a base.
    pub neighbour: f32,
}

/// What the levels play with.
pub const TASTE: Taste = Taste {
    pip: 0.25,
    card: 0.1,
    envy: 0.35,
    commitment: 0.4,
    doubt: 3.0,
    doubt_of_card: 1.0,
    strategy_card: 0.8,
    trading_post: 2.2,
    draws: [0.65, 0.4],
    drawn: 0.9,
    neighbour: 0.15,
};

/// The move that is worth most, or nearly so.
pub(super) fn choose(
    known: &Knowledge,
    legal: &[Move],
    taste: &Taste,
    stray: f32,
    rng: &mut FastDraws,
) -> Option<Move> {
    // Any possible world shows the seat what it has seen.
    let world = known.sampler(rng).world(rng);
    let mut values = Vec::with_capacity(legal.len());
    rate(Glance::new(&world, world.decision()?.seat), taste, legal, &mut values);
    values.iter_mut().for_each(|value| *value += whim(stray, rng));
    legal.get(best(&values)).cloned()
}

/// Adds what each of the `moves` is worth to the seat to `values`.
pub(super) fn rate(glance: Glance<'_>, taste: &Taste, moves: &[Move], values: &mut Vec<f32>) {
    let estimate = Estimate::new(glance, taste);
    match moves.first() {
        Some(Move::PlaySupplies { .. }) => estimate.rate_plays(moves, values),
        Some(Move::TakeActionCard { .. }) => estimate.rate_cards(moves, values),
        Some(Move::DiscardSupplies { .. }) => {
            values.extend(moves.iter().map(|action| match action {
                Move::DiscardSupplies { cards } => -taste.pip * f32::from(cards.sum()),
                _ => 0.0,
            }));
        }
        Some(_) => values.extend(moves.iter().map(|action| match action {
            Move::PlaceEstate { land } => estimate.estate_at(*land, 1.0),
            Move::ChooseBattlefield { lands } => estimate.battlefield(*lands),
            Move::Build { land, face } => estimate.base_at(*land, *face),
            Move::FlipBase { land } => estimate.flip(*land),
            _ => 0.0,
        })),
        None => {}
    }
}

struct Estimate<'a> {
    glance: Glance<'a>,
    taste: &'a Taste,
    own: House,
    /// The rounds that are to come after this one.
    rounds: f32,
    mean: f32,
}

/// How a battle stands, without what the seat itself brings.
#[derive(Clone, Copy)]
struct Battle {
    /// How much stronger the own house is expected to be.
    margin: f32,
    doubt: f32,
    /// What a victory is worth.
    gain: f32,
    /// What a defeat costs.
    loss: f32,
}

impl Battle {
    fn value(self, brought: f32) -> f32 {
        let victory = chance(1.6 * (self.margin + brought) / self.doubt);
        victory * self.gain - (1.0 - victory) * self.loss
    }
}

impl<'a> Estimate<'a> {
    fn new(glance: Glance<'a>, taste: &'a Taste) -> Self {
        let own = glance.house(glance.seat);
        let rounds = f32::from(glance.rounds_to_come());
        Self { glance, taste, own, rounds, mean: glance.mean_unseen() }
    }

    /// The battle over these lands, fought for `house`.
    fn battle(&self, lands: [Place; 2], house: House) -> Option<Battle> {
        let glance = self.glance;
        let [one, other] = [glance.plot(lands[0])?, glance.plot(lands[1])?];
        let (ours, theirs) = if one.house == house { (one, other) } else { (other, one) };
        let mut margin = f32::from(ours.line.strength) - f32::from(theirs.line.strength);
        let mut variance = self.taste.doubt * self.taste.doubt;
        let (mut friends, mut foes) = (0, 0);
        // What nobody can see of the others' action cards.
        let seen = glance.own_card();
        let hidden = glance.action_cards();
        let hidden_strength: u16 = hidden.iter().filter(|card| Some(*card) != seen).map(ActionCard::strength).sum();
        let strength = f32::from(hidden_strength) / f32::from(hidden.len().max(1));
        for seat in glance.seats().filter(|seat| *seat != glance.seat) {
            let mut brings = strength;
            match glance.played(seat) {
                Some(played) => brings += f32::from(played.sum()),
                None => {
                    let cards = glance.hand_size(seat) as f32;
                    brings += cards * self.mean * self.taste.commitment;
                    let doubt = cards * self.taste.doubt_of_card;
                    variance += doubt * doubt;
                }
            }
            if glance.house(seat) == house {
                friends += 1;
                margin += brings;
            } else {
                foes += 1;
                margin -= brings;
            }
        }
        let gain = points(theirs, friends + 1) * (1.0 - self.taste.envy * friends as f32 / 4.0);
        let loss = self.taste.envy * points(ours, foes) * foes as f32 / 2.0;
        Some(Battle { margin, doubt: variance.sqrt(), gain, loss })
    }

    fn rate_plays(&self, moves: &[Move], values: &mut Vec<f32>) {
        let card = self.glance.own_card();
        let house = if card == Some(ActionCard::Traitor) { self.own.other() } else { self.own };
        let battle = self.glance.battlefield().and_then(|lands| self.battle(lands, house));
        let strength = f32::from(card.map_or(0, ActionCard::strength));
        let mercenary = if card == Some(ActionCard::Mercenary) { 1.0 } else { 0.0 };
        let kept_back = Keeping::new(self, card);
        let hand = self.glance.hand();
        values.extend(moves.iter().map(|action| {
            let Move::PlaySupplies { cards } = action else { return 0.0 };
            let fight = battle.map_or(0.0, |battle| {
                let battle = Battle { gain: battle.gain + mercenary, ..battle };
                battle.value(strength + f32::from(cards.sum()))
            });
            let mut rest = hand;
            rest.remove(cards);
            fight + kept_back.value(&rest)
        }));
    }

    fn rate_cards(&self, moves: &[Move], values: &mut Vec<f32>) {
        let lands = self.glance.battlefield();
        let stay = lands.and_then(|lands| self.battle(lands, self.own));
        let change = lands.and_then(|lands| self.battle(lands, self.own.other()));
        let brings = f32::from(self.glance.hand().sum()) * self.taste.commitment;
        let fight = |battle: Option<Battle>, more: f32| battle.map_or(0.0, |battle| battle.value(brings + more));
        values.extend(moves.iter().map(|action| {
            let Move::TakeActionCard { card } = action else { return 0.0 };
            match card {
                ActionCard::Traitor => 1.0 + fight(change, 0.0),
                ActionCard::Strategist => {
                    2.0 + fight(stay, 0.0) + if self.rounds > 0.0 { self.taste.strategy_card } else { 0.0 }
                }
                ActionCard::Diplomat5 => fight(stay, 5.0),
                ActionCard::Diplomat2 => fight(stay, 2.0) + self.drawn_cards(1.0),
                ActionCard::Builder => fight(stay, 0.0) + self.builder(),
                ActionCard::Farmer => fight(stay, 0.0) + self.drawn_cards(3.0),
                ActionCard::Mercenary => {
                    let more = stay.map(|battle| Battle { gain: battle.gain + 1.0, ..battle });
                    fight(more, 3.0)
                }
            }
        }));
    }

    /// What it is worth to draw so many cards at the end of this round.
    fn drawn_cards(&self, count: f32) -> f32 {
        if self.rounds > 0.0 {
            return count * (self.taste.pip * self.mean + self.taste.card) * 0.8;
        }
        let room = 3.0 - (self.glance.hand_size(self.glance.seat) as f32 * 0.6);
        count.min(room.max(0.0)) * self.glance.bases(Face::TradingPost) as f32
    }

    /// What the best building is worth.
    fn builder(&self) -> f32 {
        let mut best = 0.0_f32;
        let has = self.glance.bases(Face::Estate) + self.glance.bases(Face::TradingPost);
        for plot in self.glance.plots() {
            match plot.base {
                None if has < 3 => {
                    for face in Face::BOTH {
                        if self.glance.bases(face) < usize::from(face.limit()) {
                            best = best.max(self.base_at(plot.place, face));
                        }
                    }
                }
                Some(base) if base.seat == self.glance.seat => {
                    let face = base.face.other();
                    if self.glance.bases(face) < usize::from(face.limit()) {
                        best = best.max(self.flip(plot.place));
                    }
                }
                _ => {}
            }
        }
        best
    }

    fn estate_at(&self, place: Place, rounds: f32) -> f32 {
        let Some(plot) = self.glance.plot(place) else { return 0.0 };
        let [at_home, abroad] = self.taste.draws;
        let draws = if plot.house == self.own { at_home } else { abroad };
        let lands = self.glance.plots().count() as u8;
        let (left, right) = (place.number() + 1, place.number() + lands - 1);
        let hostile = [left, right]
            .into_iter()
            .filter_map(|number| self.glance.plot(Place::new(number % lands.max(1))?))
            .filter(|neighbour| neighbour.house != plot.house)
            .count();
        let quiet = 1.0 - self.taste.neighbour * hostile as f32 * (1.0 - f32::from(plot.line.strength) / 20.0);
        let draws = if plot.house == self.own { draws * quiet } else { draws * (2.0 - quiet) };
        rounds * draws * self.taste.drawn
    }

    fn base_at(&self, place: Place, face: Face) -> f32 {
        match face {
            Face::Estate => self.estate_at(place, self.rounds),
            Face::TradingPost => self.trading_post(),
        }
    }

    fn trading_post(&self) -> f32 {
        if self.rounds > 0.0 {
            return self.taste.trading_post;
        }
        self.glance.hand_size(self.glance.seat).min(3) as f32
    }

    fn flip(&self, place: Place) -> f32 {
        let Some(base) = self.glance.plot(place).and_then(|plot| plot.base) else { return 0.0 };
        let (now, then) = (self.base_at(place, base.face), self.base_at(place, base.face.other()));
        then - now
    }

    fn battlefield(&self, lands: [Place; 2]) -> f32 {
        let brings = f32::from(self.glance.hand().sum()) * self.taste.commitment;
        self.battle(lands, self.own).map_or(0.0, |battle| battle.value(brings))
    }
}

/// What supply cards are worth that are not played.
struct Keeping {
    pip: f32,
    card: f32,
    /// How many of them are kept at the end of the round.
    room: usize,
    /// The trading posts, in the last round.
    trading_posts: f32,
    draws: usize,
    last_round: bool,
}

impl Keeping {
    fn new(estimate: &Estimate<'_>, card: Option<ActionCard>) -> Self {
        let glance = estimate.glance;
        let own = |plot: &Plot<'_>| plot.base.is_some_and(|base| base.seat == glance.seat && base.face == Face::Estate);
        let estates = glance.plots().filter(own).filter(|plot| plot.house == estimate.own).count();
        let draws = match card {
            Some(ActionCard::Farmer) => 3,
            Some(ActionCard::Diplomat2) => (estates + 1).min(3),
            _ => estates,
        };
        Self {
            pip: estimate.taste.pip,
            card: estimate.taste.card,
            room: 5_usize.saturating_sub(draws).max(1),
            trading_posts: glance.bases(Face::TradingPost) as f32,
            draws,
            last_round: estimate.rounds == 0.0,
        }
    }

    fn value(&self, rest: &Supplies) -> f32 {
        if self.last_round {
            return self.trading_posts * (rest.len() + self.draws).min(3) as f32 + 0.01 * rest.len() as f32;
        }
        let kept: u16 = rest.iter().rev().take(self.room).map(u16::from).sum();
        self.pip * f32::from(kept) + self.card * rest.len().min(self.room) as f32
    }
}

fn points(land: Plot<'_>, winners: usize) -> f32 {
    winners.checked_sub(1).and_then(|place| land.line.points.get(place)).map_or(0.0, |points| f32::from(*points))
}

/// A number around 0, `far` away from it at most, less likely the farther.
pub(super) fn whim(far: f32, rng: &mut impl Words) -> f32 {
    far * 3.0 * (rng.word() as f32 - rng.word() as f32) / 4_294_967_296.0
}

/// The number of the highest value.
pub(super) fn best(values: &[f32]) -> usize {
    let mut best = 0;
    for (number, value) in values.iter().enumerate() {
        if values.get(best).is_some_and(|highest| value > highest) {
            best = number;
        }
    }
    best
}
