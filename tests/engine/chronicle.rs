//! A second reading of the rules, written to be unlike the engine: one straight line through a round, on plain vectors,
//! and from public facts alone. What it foretells can therefore not depend on a secret (fairness F3).

use fereta::engine::*;

use crate::given::{Eagle, Rose, Traitor, place, seat};

type Number = usize;
/// The house that a land shows, what is printed on it, and whose base lies there.
type Land = (House, LandLine, Option<(Number, Face)>);

/// What everybody knows of a table.
pub(crate) struct Chronicle {
    set: CardSet,
    options: Options,
    players: Number,
    houses: Vec<House>,
    first: Number,
    strategist: Number,
    lands: Vec<Land>,
    hands: Vec<Number>,
    deck: Number,
    discards: Vec<u8>,
    reshuffles: u16,
    round: u8,
    pub(crate) scores: Vec<u16>,
    battlefield: [Number; 2],
    played: Vec<Vec<u8>>,
    cards: Vec<ActionCard>,
}

/// Who has to decide what.
type Next = Option<(Number, DecisionKind)>;

impl Chronicle {
    pub(crate) fn new(created: &TableCreated) -> Self {
        Self {
            set: CardSet::clone(&created.card_set),
            options: created.options,
            players: created.players.into(),
            houses: Vec::new(),
            first: 0,
            strategist: 0,
            lands: Vec::new(),
            hands: vec![0; created.players.into()],
            deck: 0,
            discards: Vec::new(),
            reshuffles: 0,
            round: 0,
            scores: vec![0; created.players.into()],
            battlefield: [0; 2],
            played: Vec::new(),
            cards: Vec::new(),
        }
    }

    /// What follows from what somebody did. Of `then`, what really followed, only that is read which chance or the
    /// turning up of cards brings.
    pub(crate) fn foretell(&mut self, done: &Fact, then: &[Fact]) -> (Vec<Fact>, Next) {
        match done {
            Fact::GameStarted(started) => self.start(started, then),
            Fact::EstatePlaced(placed) => {
                let owner = number(placed.seat);
                self.lands[index(placed.land)].2 = Some((owner, Face::Estate));
                match self.after(owner) {
                    Some(next) => (vec![], Some((next, DecisionKind::PlaceEstate))),
                    None => self.deal(),
                }
            }
            Fact::BattlefieldChosen(chosen) => {
                self.battlefield = chosen.lands.map(index);
                let shuffled = ActionCardsShuffled { count: self.action_cards() };
                let passed = ActionCardsPassed { count: self.action_cards() - 1, seat: seat(self.first as u8) };
                (vec![shuffled.into(), passed.into()], Some((self.first, DecisionKind::TakeActionCard)))
            }
            Fact::ActionCardKept(kept) => {
                let taken = self.order().position(|player| player == number(kept.seat)).unwrap() as u8 + 1;
                let count = self.action_cards() - 1 - taken;
                match self.after(number(kept.seat)) {
                    Some(next) => {
                        let passed = ActionCardsPassed { count, seat: seat(next as u8) };
                        (vec![passed.into()], Some((next, DecisionKind::TakeActionCard)))
                    }
                    None => {
                        let left = ActionCardsLeft { count, seat: kept.seat };
                        (vec![left.into()], Some((self.first, DecisionKind::PlaySupplies)))
                    }
                }
            }
            Fact::SuppliesPlayed(played) => {
                let player = number(played.seat);
                self.hands[player] -= played.cards.len();
                self.played.push(played.cards.iter().collect());
                match self.after(player) {
                    Some(next) => (vec![], Some((next, DecisionKind::PlaySupplies))),
                    None => self.battle(then),
                }
            }
            Fact::BaseBuilt(built) => {
                self.lands[index(built.land)].2 = Some((number(built.seat), built.face));
                self.finish_round(vec![])
            }
            Fact::BaseFlipped(flipped) => {
                self.lands[index(flipped.land)].2 = Some((number(flipped.seat), flipped.face));
                self.finish_round(vec![])
            }
            Fact::BuildPassed(_) => self.finish_round(vec![]),
            Fact::SuppliesDiscarded(discarded) => {
                self.hands[number(discarded.seat)] -= discarded.cards.len();
                self.discards.extend(discarded.cards.iter());
                self.adjust(vec![])
            }
            _ => (vec![], None),
        }
    }

    fn start(&mut self, started: &GameStarted, then: &[Fact]) -> (Vec<Fact>, Next) {
        self.first = number(started.first_player);
        self.strategist = number(started.strategy_card);
        assert_eq!(self.strategist, (self.first + 1) % self.players);
        self.houses = started.allegiances.values().copied().collect();
        for (step, player) in self.order().enumerate() {
            assert_eq!(self.houses[player], if step % 2 == 0 { Eagle } else { Rose });
        }
        let Some(Fact::LandsLaid(laid)) = then.first() else { panic!("lands") };
        let used = |line: &LandLine| self.players == 5 || !line.five_players_only;
        for (at, line) in self.set.lands.iter().enumerate() {
            for house in [Eagle, Rose] {
                let count = laid.lands.iter().filter(|land| land.house == house && land.line == at as u8).count();
                assert_eq!(count, usize::from(used(line)));
            }
        }
        self.lands =
            laid.lands.iter().map(|land| (land.house, self.set.lands[usize::from(land.line)].clone(), None)).collect();
        (vec![then[0].clone()], Some((self.first, DecisionKind::PlaceEstate)))
    }

    fn deal(&mut self) -> (Vec<Fact>, Next) {
        let all = self.supply_cards();
        let dealt = 3 * self.players;
        let hands = self.order().map(|player| Fact::from(SuppliesDealt { count: 3, seat: seat(player as u8) }));
        let deck = |count: Number| Fact::from(DeckShuffled { count: count as u8, reshuffle: 0 });
        let facts: Vec<Fact> = match self.options.opening_hand {
            OpeningHand::Dealt => [deck(all)].into_iter().chain(hands).collect(),
            OpeningHand::Fixed => hands.chain([deck(all - dealt)]).collect(),
        };
        self.deck = all - dealt;
        self.hands.fill(3);
        self.start_round(facts)
    }

    fn start_round(&mut self, mut facts: Vec<Fact>) -> (Vec<Fact>, Next) {
        if self.round > 0 {
            self.first = (self.first + 1) % self.players;
        }
        self.round += 1;
        self.played.clear();
        self.cards.clear();
        facts.push(RoundStarted { first_player: seat(self.first as u8), round: self.round }.into());
        (facts, Some((self.strategist, DecisionKind::ChooseBattlefield)))
    }

    fn battle(&mut self, then: &[Fact]) -> (Vec<Fact>, Next) {
        let Some(Fact::ActionCardsRevealed(revealed)) = then.first() else { panic!("cards turned up") };
        self.cards = revealed.cards.values().copied().collect();
        let mut facts = vec![then[0].clone()];
        for card in [Traitor, ActionCard::Diplomat5] {
            let united = self.houses.iter().all(|house| *house == self.houses[0]);
            if let Some(holder) = self.holder(card)
                && (card == Traitor || united)
            {
                self.houses[holder] = self.houses[holder].other();
                facts.push(AllegianceChanged { card, house: self.houses[holder], seat: seat(holder as u8) }.into());
            }
        }
        let [mut eagle, mut rose] = [0_u16; 2];
        for at in self.battlefield {
            let (house, line, _) = &self.lands[at];
            *if *house == Eagle { &mut eagle } else { &mut rose } += u16::from(line.strength);
        }
        for (step, player) in self.order().enumerate() {
            let cards: u16 = self.played[step].iter().map(|value| u16::from(*value)).sum();
            let action = match self.cards[player] {
                ActionCard::Diplomat5 => 5,
                ActionCard::Diplomat2 => 2,
                ActionCard::Mercenary => 3,
                _ => 0,
            };
            *if self.houses[player] == Eagle { &mut eagle } else { &mut rose } += cards + action;
        }
        let winner = if eagle == rose { None } else { Some(if eagle > rose { Eagle } else { Rose }) };
        facts.push(BattleFought { eagle, rose, winner }.into());
        let mut paid = Vec::new();
        if let Some(winner) = winner {
            let turned = self.battlefield.into_iter().find(|at| self.lands[*at].0 != winner).unwrap();
            self.lands[turned].0 = winner;
            facts.push(LandTurned { house: winner, land: place(turned as u8) }.into());
            let winners: Vec<_> = self.order().filter(|player| self.houses[*player] == winner).collect();
            let points = self.lands[turned].1.points;
            paid.extend(winners.iter().map(|player| (*player, points[winners.len() - 1], AwardReason::Land)));
        }
        let holder = |card| self.holder(card);
        paid.extend(holder(Traitor).map(|player| (player, 1, AwardReason::Traitor)));
        paid.extend(holder(ActionCard::Strategist).map(|player| (player, 2, AwardReason::Strategist)));
        let victor = holder(ActionCard::Mercenary).filter(|player| winner == Some(self.houses[*player]));
        paid.extend(victor.map(|player| (player, 1, AwardReason::Mercenary)));
        self.pay(&mut facts, paid);
        match self.holder(ActionCard::Builder) {
            Some(builder) => (facts, Some((builder, DecisionKind::Build))),
            None => self.finish_round(facts),
        }
    }

    fn pay(&mut self, facts: &mut Vec<Fact>, payments: Vec<(Number, u8, AwardReason)>) {
        for (player, points, reason) in payments {
            if points > 0 {
                self.scores[player] += u16::from(points);
                facts.push(PointsAwarded { points, reason, seat: seat(player as u8) }.into());
            }
        }
    }

    fn finish_round(&mut self, mut facts: Vec<Fact>) -> (Vec<Fact>, Next) {
        if let Some(strategist) = self.holder(ActionCard::Strategist) {
            self.strategist = strategist;
            facts.push(StrategyCardGiven { seat: seat(strategist as u8) }.into());
        }
        let mut cards = self.played.concat();
        cards.sort_unstable();
        self.discards.extend(&cards);
        facts.push(PlayedSuppliesDiscarded { cards: cards.into_boxed_slice() }.into());

        // One card at a time (R3.9.2): who should draw which, in order.
        let mut wanted = Vec::new();
        wanted.extend(
            self.holder(ActionCard::Farmer).map(|player| [(player, DrawSource::Farmer); 3]).into_iter().flatten(),
        );
        for player in self.order() {
            for (house, _, base) in &self.lands {
                if *house == self.houses[player] && *base == Some((player, Face::Estate)) {
                    wanted.push((player, DrawSource::Estates));
                }
            }
        }
        wanted.extend(self.holder(ActionCard::Diplomat2).map(|player| (player, DrawSource::Diplomat2)));
        let mut drawn = vec![0; self.players];
        for (player, source) in wanted {
            if drawn[player] == 3 {
                continue;
            }
            drawn[player] += 1;
            if self.deck == 0 && !self.discards.is_empty() {
                self.deck = self.discards.len();
                self.discards.clear();
                self.reshuffles += 1;
                facts.push(DeckShuffled { count: self.deck as u8, reshuffle: self.reshuffles }.into());
            }
            let owner = seat(player as u8);
            if self.deck == 0 {
                facts.push(DrawLost { seat: owner, source }.into());
                continue;
            }
            self.deck -= 1;
            self.hands[player] += 1;
            match facts.last_mut() {
                Some(Fact::SuppliesDrawn(last)) if last.seat == owner && last.source == source => last.count += 1,
                _ => facts.push(SuppliesDrawn { count: 1, seat: owner, source }.into()),
            }
        }
        self.adjust(facts)
    }

    fn adjust(&mut self, mut facts: Vec<Fact>) -> (Vec<Fact>, Next) {
        if let Some(player) = self.order().find(|player| self.hands[*player] > 5) {
            return (facts, Some((player, DecisionKind::DiscardSupplies)));
        }
        let rounds = [self.set.rounds.three, self.set.rounds.four, self.set.rounds.five][self.players - 3];
        let one_house = self.lands.iter().all(|(house, ..)| *house == self.lands[0].0);
        if self.round < rounds && !one_house {
            return self.start_round(facts);
        }
        let posts = |player| self.lands.iter().filter(|land| land.2 == Some((player, Face::TradingPost))).count();
        let bonus = |player: Number| (posts(player) * self.hands[player].min(3)) as u8;
        let paid = self.order().map(|player| (player, bonus(player), AwardReason::TradingPosts)).collect();
        self.pay(&mut facts, paid);
        let rank = |score: &u16| 1 + self.scores.iter().filter(|other| *other > score).count() as u8;
        let ranks: Vec<_> = self.scores.iter().map(rank).collect();
        let reason = if self.round == rounds { EndReason::LastRound } else { EndReason::OneHouse };
        let of = |number: Seat| usize::from(number.number());
        facts.push(
            GameEnded {
                ranks: BySeat::new(self.players as u8, |number| ranks[of(number)]),
                reason,
                scores: BySeat::new(self.players as u8, |number| self.scores[of(number)]),
            }
            .into(),
        );
        (facts, None)
    }

    fn supply_cards(&self) -> Number {
        let extra = |line: &SupplyLine| if self.players == 5 { line.five_players_extra } else { 0 };
        self.set.supplies.iter().map(|line| usize::from(line.count) + usize::from(extra(line))).sum()
    }

    fn action_cards(&self) -> u8 {
        if self.options.mercenary { 7 } else { 6 }
    }

    fn holder(&self, card: ActionCard) -> Option<Number> {
        self.cards.iter().position(|kept| *kept == card)
    }

    fn order(&self) -> impl Iterator<Item = Number> + use<> {
        let (first, players) = (self.first, self.players);
        (0..players).map(move |step| (first + step) % players)
    }

    /// Who follows in turn order, but for the last.
    fn after(&self, player: Number) -> Option<Number> {
        Some((player + 1) % self.players).filter(|next| *next != self.first)
    }
}

fn number(seat: Seat) -> Number {
    seat.number().into()
}

fn index(place: Place) -> Number {
    place.number().into()
}
