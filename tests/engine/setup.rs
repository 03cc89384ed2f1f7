//! R2: the setup, and what comes before it.

use fereta::engine::*;

use crate::given::*;

fn table_of(players: u8, options: Options, first_player: u8) -> Table {
    let mut table =
        Table { state: State::default(), events: Vec::new(), chance: Stacked { first_player, ..Stacked::default() } };
    ask(&mut table, Command::Create(NewTable { players, options, ..NewTable::default() })).unwrap();
    for _ in 0..players {
        ask(&mut table, sit_down(None)).unwrap();
    }
    table
}

fn ask(table: &mut Table, command: Command) -> Result<Vec<Fact>, RuleError> {
    let before = table.events.len();
    table.state.advance(&command, &mut table.chance, &mut table.events)?;
    Ok(facts(&table.events[before..]))
}

fn sit_down(wanted: Option<u8>) -> Command {
    Command::TakeSeat { seat: wanted.map(seat), entropy: Bytes32([7; 32]), entropy_from: EntropySource::Player }
}

#[test]
fn houses_alternate_from_the_first_player_on() {
    let expected = [
        (3, 2, vec![Rose, Eagle, Eagle], 0),
        (4, 1, vec![Rose, Eagle, Rose, Eagle], 2),
        (5, 4, vec![Rose, Eagle, Rose, Eagle, Eagle], 0),
    ];
    for (players, first_player, houses, strategy_card) in expected {
        let mut table = table_of(players, Options::default(), first_player);
        let then = ask(&mut table, Command::Start).unwrap();
        let started = GameStarted {
            allegiances: by_seat(&houses),
            first_player: seat(first_player),
            strategy_card: seat(strategy_card),
        };
        assert_eq!(then[0], started.into(), "{players} players");
        assert!(matches!(&then[1..], [Fact::LandsLaid(_)]));
        assert_eq!(table.decider(), (first_player, DecisionKind::PlaceEstate));
    }
}

#[test]
fn the_lands_before_the_shuffle_are_eagle_s_and_then_rose_s() {
    for (players, lines) in [(3, 6), (4, 6), (5, 7)] {
        let mut table = table_of(players, Options::default(), 0);
        let then = ask(&mut table, Command::Start).unwrap();
        let lands = House::BOTH.into_iter().flat_map(|house| (0..lines).map(move |line| LaidLand { house, line }));
        assert_eq!(then[1], LandsLaid { lands: lands.collect() }.into());
    }
}

#[test]
fn hands_are_dealt_from_the_top_in_turn_order() {
    let mut table = table_of(3, Options::default(), 1);
    ask(&mut table, Command::Start).unwrap();
    table.act(1, Move::PlaceEstate { land: place(0) });
    table.act(2, Move::PlaceEstate { land: place(5) });
    let then = facts(&table.act(0, Move::PlaceEstate { land: place(11) }));
    assert_eq!(
        then,
        [
            EstatePlaced { land: place(11), seat: seat(0) }.into(),
            DeckShuffled { count: 23, reshuffle: 0 }.into(),
            SuppliesDealt { count: 3, seat: seat(1) }.into(),
            SuppliesDealt { count: 3, seat: seat(2) }.into(),
            SuppliesDealt { count: 3, seat: seat(0) }.into(),
            RoundStarted { first_player: seat(1), round: 1 }.into(),
        ]
    );
    assert_eq!([1, 2, 0].map(|number| table.hand(number)), [[2, 2, 2], [2, 2, 3], [3, 3, 3]]);
    assert_eq!(table.state.view(Viewer::Spectator).deck_size, 14);
}

#[test]
fn fixed_hands_come_before_the_deck_and_not_from_it() {
    for (players, left) in [(3, 14), (4, 11), (5, 12)] {
        let options = Options { opening_hand: OpeningHand::Fixed, ..Options::default() };
        let mut table = table_of(players, options, 0);
        ask(&mut table, Command::Start).unwrap();
        let mut then = Vec::new();
        for number in 0..players {
            then = table.act(number, Move::PlaceEstate { land: place(number) });
        }
        let mut expected: Vec<Fact> =
            (0..players).map(|number| SuppliesDealt { count: 3, seat: seat(number) }.into()).collect();
        expected.push(DeckShuffled { count: left, reshuffle: 0 }.into());
        expected.push(RoundStarted { first_player: seat(0), round: 1 }.into());
        assert_eq!(facts(&then)[1..], expected);
        assert!((0..players).all(|number| table.hand(number) == [3, 4, 5]));
        let Some(Secret::Deck(deck)) = &then[usize::from(players) + 1].secret else { panic!("a deck") };
        let count = |value| deck.order.iter().filter(|card| **card == value).count() as u8;
        let of_each = if players == 5 { 6 } else { 5 };
        assert_eq!(
            [2, 3, 4, 5, 6, 8].map(count),
            [of_each, of_each - players, of_each - players, of_each - players, 2, 1]
        );
        // Sizes only: what everybody can know of the hands is still not said.
        assert!(
            table.state.view(Viewer::Spectator).seats.iter().all(|seat| seat.hand.is_none() && seat.hand_size == 3)
        );
    }
}

#[test]
fn seats_before_the_start() {
    let mut table = Table { state: State::default(), events: Vec::new(), chance: Stacked::default() };
    for command in [sit_down(None), Command::LeaveSeat { seat: seat(0) }, Command::Start] {
        assert_eq!(ask(&mut table, command), Err(RuleError::NotCreated));
    }
    let move_ = Command::Act { seat: seat(0), action: Move::PassBuild };
    assert_eq!(ask(&mut table, move_.clone()), Err(RuleError::NotStarted));
    for players in [0, 1, 2, 6] {
        let create = Command::Create(NewTable { players, ..NewTable::default() });
        assert_eq!(ask(&mut table, create), Err(RuleError::PlayerCount));
    }
    let create = Command::Create(NewTable { players: 3, ..NewTable::default() });
    ask(&mut table, create.clone()).unwrap();
    assert_eq!(ask(&mut table, create), Err(RuleError::AlreadyCreated));
    let taken = |number| {
        SeatTaken { entropy: Bytes32([7; 32]), entropy_from: EntropySource::Player, seat: seat(number) }.into()
    };
    assert_eq!(ask(&mut table, sit_down(Some(1))), Ok(vec![taken(1)]));
    assert_eq!(ask(&mut table, sit_down(Some(1))), Err(RuleError::SeatTaken));
    assert_eq!(ask(&mut table, sit_down(Some(3))), Err(RuleError::NoSuchSeat));
    assert_eq!(ask(&mut table, sit_down(None)), Ok(vec![taken(0)]));
    assert_eq!(ask(&mut table, Command::Start), Err(RuleError::SeatsFree));
    assert_eq!(ask(&mut table, move_), Err(RuleError::NotStarted));
    assert_eq!(ask(&mut table, Command::LeaveSeat { seat: seat(2) }), Err(RuleError::SeatEmpty));
    assert_eq!(ask(&mut table, Command::LeaveSeat { seat: seat(3) }), Err(RuleError::NoSuchSeat));
    let left = SeatLeft { seat: seat(0) }.into();
    assert_eq!(ask(&mut table, Command::LeaveSeat { seat: seat(0) }), Ok(vec![left]));
    ask(&mut table, sit_down(None)).unwrap();
    ask(&mut table, sit_down(None)).unwrap();
    assert_eq!(ask(&mut table, sit_down(None)), Err(RuleError::TableFull));
    ask(&mut table, Command::Start).unwrap();
    for command in [sit_down(None), Command::LeaveSeat { seat: seat(0) }, Command::Start] {
        assert_eq!(ask(&mut table, command), Err(RuleError::AlreadyStarted));
    }
}

#[test]
fn a_table_is_closed_before_the_start_and_for_good() {
    for (taken, reason) in [(0, CloseReason::Expired), (2, CloseReason::Creator), (3, CloseReason::Creator)] {
        let mut table = table_of(3, Options::default(), 0);
        for number in taken..3 {
            ask(&mut table, Command::LeaveSeat { seat: seat(number) }).unwrap();
        }
        let before = table.state.view(Viewer::Spectator);
        assert_eq!(ask(&mut table, Command::Close { reason }).unwrap(), [TableClosed { reason }.into()]);
        assert_eq!(table.state.status(), Status::Closed);
        let refused = [
            Command::Close { reason },
            Command::Start,
            sit_down(None),
            Command::LeaveSeat { seat: seat(0) },
            Command::Act { seat: seat(0), action: Move::PassBuild },
        ];
        for command in refused {
            assert_eq!(ask(&mut table, command), Err(RuleError::Closed));
        }
        assert!(table.state.decision().is_none() && table.state.legal_moves(seat(0)).is_empty());
        // It counts as ended in everything said of secrets; there never were any.
        let after = table.state.view(Viewer::Spectator);
        assert_eq!((&after.deck, &after.left_over), (&Some(vec![]), &Some(ActionCards::default())));
        assert_eq!((after.first_player, after.strategy_card, after.seats), (None, None, before.seats));
        assert_eq!(check_history(&table.events).unwrap(), table.state);
        assert_eq!(State::fold(&table.events), table.state);
    }
    let mut running = given(3).laid();
    let close = Command::Close { reason: CloseReason::Creator };
    assert_eq!(ask(&mut running, close.clone()), Err(RuleError::AlreadyStarted));
    assert_eq!(State::default().decide(&close, &mut Stacked::default()), Err(RuleError::NotCreated));
    assert!(Viewer::Spectator.may_know(Audience::Nobody, Status::Closed));
}
