package ruling

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A new seed is drawn by the chance of the turn, and the entry of the act has its SHA-256.
func TestANewSeedIsToldByTheEntryOfTheAct(t *testing.T) {
	k := begun(t)
	r := k.run(NewSeed{}, Enter{Ruling: &log.Ruling{Kind: log.ActPosition}})
	if bytes.Equal(r.turn.Game.Seed, k.Game.Seed) {
		t.Error("the seed is the old one")
	}
	var noted log.Ruling
	if _, err := r.turn.Entry(r.entry, &noted); err != nil || noted.Commitment != log.Commitment(r.turn.Game.Seed) {
		t.Errorf("the entry has %q, %v", noted.Commitment, err)
	}
}

// A rewind is noted as one, a ruling as one; of several the first is the act.
func TestAnActIsNoted(t *testing.T) {
	k := begun(t)
	r := k.run(Enter{Rewind: &log.Rewound{To: 1, Reason: "a power cut"}}, Enter{Ruling: &log.Ruling{Kind: log.ActPosition}})
	if got := r.turn.Kinds; !slices.Equal(got, []string{log.KindRewound, log.KindRuling}) {
		t.Errorf("the log has %q", got)
	}
	if r.entry != k.Last.Seq+1 || r.noted != k.Last.Seq+2 || r.kind != log.KindRuling {
		t.Errorf("the act is entry %d, the last one %d, a %s", r.entry, r.noted, r.kind)
	}
}

// Who goes back has the position of then, with nothing owed and no answer in force; what
// seats had been asked is as it was.
func TestBackToAStop(t *testing.T) {
	k := begun(t)
	was := text(t, k.Position)
	k.stops(2)
	k.answer("red", "{bid: none}")
	r := k.run(Back{k.before(1)})
	if got := text(t, r.turn.Position); got != was {
		t.Errorf("the position is\n%s\nwas\n%s", got, was)
	}
	for _, s := range r.turn.Game.Seats {
		if s.Owes != nil || s.Stops != 1 || s.Floor != s.Serial {
			t.Errorf("%s: %+v", s.Side, s)
		}
	}
	if file, ok := r.turn.Answers["red"]; !ok || file != nil {
		t.Errorf("the answer of red is still kept: %q", file)
	}
}

// exchange lets two players change seats by a stop, and gives its entry.
func (k *toyGame) exchange(pair ...engine.Side) uint64 {
	k.Helper()
	snapshot, err := k.Position.Marshal()
	if err != nil {
		k.Fatal(err)
	}
	events := []engine.Event{{Exchange: pair, Tellings: []engine.Telling{{To: pair[:1], Say: phrase.Say("lots.passed")}}}}
	if err := k.Log(log.Entry{Kind: log.KindResolved, By: "office", Data: log.Resolved{Events: events}}); err != nil {
		k.Fatal(err)
	}
	seq := k.Last.Seq
	if err := game.TellEvents(k.Turn, events); err != nil {
		k.Fatal(err)
	}
	k.Remember(seq, log.KindResolved, snapshot)
	k.commit()
	return seq
}

// seated lists who sits where.
func seated(t *game.Turn) string {
	all := ""
	for _, side := range t.Position.Sides() {
		name, _, _ := strings.Cut(t.Game.Seat(side).Person.Address, "@")
		all += string(side) + ": " + name + "\n"
	}
	return all
}

// Players who changed seats by stops that are undone change back, by entries of the log, the
// last change first; those of stops of another branch change again.
func TestBackBehindAChangeOfSeats(t *testing.T) {
	k := begunBy(t, enginetest.New(), "three")
	sides := k.Position.Sides()
	first, was := k.Game.Head, seated(k.Turn)
	k.exchange(sides[0], sides[1])
	second := k.exchange(sides[1], sides[2])
	is := seated(k.Turn)
	back := k.run(Back{first})
	if got := seated(back.turn); got != was || is == was || !slices.Equal(back.turn.Kinds, []string{log.KindExchanged, log.KindExchanged}) {
		t.Errorf("seated\n%s\nwas\n%s\nmeanwhile\n%s\nthe log has %q", got, was, is, back.turn.Kinds)
	}
	again := k.run(Back{first}, Open{}, Back{second})
	if got := seated(again.turn); got != is {
		t.Errorf("seated\n%s\nafter going there again, not\n%s", got, is)
	}
}

// Another position takes the place of the one gone back to, and its stop is opened: by the
// same number as before, for the game and for the sides.
func TestAnotherPositionIsOpenedAndKept(t *testing.T) {
	k := begun(t)
	k.stops(1)
	stop, owed := k.Game.Stop, k.Position.Owed()[0]
	asked := k.Game.Seat(owed.Side).Stops
	next, _, err := checked(k.Rules, k.Position, "{rounds: 3}")
	if err != nil {
		t.Fatal(err)
	}
	r := k.run(append([]Change{Enter{Ruling: &log.Ruling{Kind: log.ActPosition}}}, setting(k.Game.Head, next, &log.Ruling{Option: "Rounds", Value: "3"})...)...)
	g := r.turn.Game
	if text(t, r.turn.Position) != text(t, next) || g.Stop != stop || g.Seat(owed.Side).Stops != asked || g.Seat(owed.Side).Owes == nil {
		t.Errorf("stop %d, %s asked %d times, owes %+v; was %d and %d", g.Stop, owed.Side, g.Seat(owed.Side).Stops, g.Seat(owed.Side).Owes, stop, asked)
	}
	c := r.turn.Checkpoints[0]
	if len(r.turn.Checkpoints) != 1 || c.Seq != r.entry || c.Kind != log.KindRuling || c.Parent != k.Game.Head || g.Head != r.entry {
		t.Errorf("kept: %+v", r.turn.Checkpoints)
	}
	if !maps.Equal(g.Options, map[string]string{"Rounds": "3"}) || !maps.Equal(c.Options, g.Options) {
		t.Errorf("options %v, kept %v", g.Options, c.Options)
	}
}

// A position at which the game is over is not opened.
func TestThePositionOfAnEndIsNotOpened(t *testing.T) {
	k := begun(t)
	for k.Game.Phase == game.Running {
		k.stops(1)
	}
	r := k.run(Enter{Ruling: &log.Ruling{}}, Back{k.Game.Head}, Open{})
	if r.turn.Game.Phase != game.Over || r.turn.Game.Seat("red").Owes != nil {
		t.Errorf("%s, red owes %+v", r.turn.Game.Phase, r.turn.Game.Seat("red").Owes)
	}
	r = k.run(Enter{Ruling: &log.Ruling{}}, Back{k.before(1)}, Open{})
	if r.turn.Game.Phase != game.Running || r.turn.Game.Stop != 1 || r.turn.Game.Seat("red").Owes.Stop != 1 {
		t.Errorf("%s at stop %d, red owes %+v", r.turn.Game.Phase, r.turn.Game.Stop, r.turn.Game.Seat("red").Owes)
	}
}

// openAt goes back to a stop and opens it.
func (k *toyGame) openAt(stop int) []Change {
	k.Helper()
	return append([]Change{Enter{Rewind: &log.Rewound{}}}, setting(k.before(stop), nil, nil)...)
}

// redo is a stop, to be done again.
func (k *toyGame) redo(stop int) Redo {
	k.Helper()
	seq, r := k.resolved(stop)
	return Redo{Entry: seq, Answers: r.Answers, Ruled: r.Ruled, Rolls: r.Rolls}
}

// A stop that is done again with the same answers rolls the same dice, and the log names the
// entry that it repeats; a ruling replaces one of them and leaves the others.
func TestAStopIsDoneAgain(t *testing.T) {
	k := begun(t)
	k.stops(1)
	seq, was := k.resolved(1)
	r := k.run(append(k.openAt(1), k.redo(1))...)
	if text(t, r.turn.Position) != text(t, k.Position) || !slices.Equal(r.anew, []int{1}) || r.left != 0 {
		t.Errorf("stops %v anew, %d left; it came out as\n%s\nnot as\n%s", r.anew, r.left, text(t, r.turn.Position), text(t, k.Position))
	}
	var again log.Resolved
	if _, err := r.turn.Entry(r.turn.Game.Head, &again); err != nil || again.Again != seq || again.Rolls[0].Result != was.Rolls[0].Result {
		t.Errorf("again: %+v, %v", again, err)
	}
	other := was.Rolls[0].Result%6 + 1
	r = k.run(append(k.openAt(1), SetDie{1, other}, k.redo(1))...)
	if _, err := r.turn.Entry(r.turn.Game.Head, &again); err != nil || again.Rolls[0].Result != other || again.Rolls[1].Result != was.Rolls[1].Result || !maps.Equal(again.Ruled, map[int]int{1: other}) {
		t.Errorf("with another die: %+v, %v", again, err)
	}
}

// A die is replaced at the stop that is open, and at no other.
func TestADieIsReplacedAtOneStop(t *testing.T) {
	k := begun(t)
	for k.Game.Stop < 4 {
		k.stops(1)
	}
	redos, changes := 0, k.openAt(1)
	for stop := 1; stop < 4; stop++ {
		seq, r := k.resolved(stop)
		if stop == 1 {
			changes = append(changes, SetDie{2, r.Rolls[1].Result%6 + 1})
		}
		redos, changes = redos+len(r.Rolls), append(changes, Redo{Entry: seq, Answers: r.Answers, Rolls: r.Rolls, AsFell: true})
	}
	r := k.run(changes...)
	if redos < 3 || r.left > 0 {
		t.Fatalf("%d dice, %d stops left", redos, r.left)
	}
	for i, e := range r.turn.Entries {
		var done log.Resolved
		if r.turn.Kinds[i] != log.KindResolved {
			continue
		}
		if _, err := r.turn.Entry(e.Seq, &done); err != nil {
			t.Fatal(err)
		}
		if _, old := k.resolved(i); i > 1 && !reflect.DeepEqual(done.Rolls, old.Rolls) {
			t.Errorf("the dice of stop %d are %+v, were %+v", i, done.Rolls, old.Rolls)
		}
	}
}

// With a new seed dice stay as they fell, but those of answers that are others.
func TestDiceStayAsTheyFellWithANewSeed(t *testing.T) {
	k := begun(t)
	k.stops(1)
	_, was := k.resolved(1)
	results := func(fresh bool) (all []int) {
		d := k.redo(1)
		d.AsFell, d.Fresh = true, fresh
		r := k.run(append([]Change{NewSeed{}}, append(k.openAt(1), d)...)...)
		var again log.Resolved
		if _, err := r.turn.Entry(r.turn.Game.Head, &again); err != nil {
			t.Fatal(err)
		}
		for _, roll := range again.Rolls {
			all = append(all, roll.Result)
		}
		return all
	}
	var fell []int
	for _, roll := range was.Rolls {
		fell = append(fell, roll.Result)
	}
	if got := results(false); !slices.Equal(got, fell) {
		t.Errorf("the dice are %v, were %v", got, fell)
	}
	for range 20 { // each has a seed of its own
		if !slices.Equal(results(true), fell) {
			return
		}
	}
	t.Error("other answers have the dice of those before")
}

// What does not fit ends what is done again: answers that do fit are in force, nothing
// after it is done, and an act that makes no sense without it is refused.
func TestWhatDoesNotFitEndsWhatIsDoneAgain(t *testing.T) {
	k := begun(t)
	k.stops(2)
	d := k.redo(1)
	d.Answers = slices.Clone(d.Answers)
	d.Answers[1].Orders = "orders: {bid: R-9}"
	r := k.run(append(k.openAt(1), d, k.redo(2), Stay{Player: "blue", Stop: 1, Decision: d.Answers[1].Decision, File: "orders: {bid: none}"})...)
	red, blue := r.turn.Game.Seat("red"), r.turn.Game.Seat("blue")
	if r.left != 2 || len(r.anew) > 0 || red.Owes.Answer == nil || blue.Owes.Answer != nil {
		t.Errorf("%d left, anew %v, red %+v, blue %+v", r.left, r.anew, red.Owes.Answer, blue.Owes.Answer)
	}
	d.Must = true
	if _, err := k.try(append(k.openAt(1), d)...); refusal(err) != "office.rule.cannot-resolve" {
		t.Errorf("%v", err)
	}
	d = k.redo(2)
	if r = k.run(append(k.openAt(1), d)...); r.left != 1 {
		t.Errorf("%d left of a stop at which others are asked", r.left)
	}
}

// A ruling that changed the position changes it again, by an entry that names it, or ends
// what is done again where it no longer fits.
func TestARulingOfThePastIsRepeated(t *testing.T) {
	k := begun(t)
	r := k.run(NewSeed{}, Enter{Rewind: &log.Rewound{}}, Repeat{7, &log.Ruling{Kind: log.ActPosition, Set: "{rounds: 3}", Commitment: "of that time"}})
	var again log.Ruling
	if _, err := r.turn.Entry(r.turn.Game.Head, &again); err != nil || again.Repeats != 7 || again.From != k.Game.Head || again.Commitment != "" {
		t.Errorf("%+v, %v", again, err)
	}
	if !strings.Contains(text(t, r.turn.Position), "rounds: 3") || r.turn.Game.Stop != k.Game.Stop {
		t.Errorf("stop %d:\n%s", r.turn.Game.Stop, text(t, r.turn.Position))
	}
	r = k.run(Repeat{7, &log.Ruling{Kind: log.ActPosition, Set: "{rounds: 5}"}})
	if r.left != 1 || len(r.turn.Entries) > 0 {
		t.Errorf("%d left of a ruling that changes nothing any more; the log has %q", r.left, r.turn.Kinds)
	}
}

// obedient lets lots take standing orders: any text but "never".
type obedient struct{ enginetest.Lots }

type obeying struct {
	engine.Position
	said string
}

type said string

func (s said) Orders() *orders.Node { return orders.Mapping().Set("standing", orders.Text(string(s))) }

func (o obedient) New(s engine.Setup) (engine.Position, error) {
	p, err := o.Lots.New(s)
	return &obeying{Position: p}, err
}

func (obedient) ReadStanding(_ engine.View, file *orders.Document) (engine.Answer, orders.Problems) {
	if file.Standing.Text == "never" {
		return nil, orders.Problems{{Why: phrase.Say("order.want-text")}}
	}
	return said(file.Standing.Text), nil
}

func (obedient) Answers(engine.View, engine.Decision) (engine.Answer, bool) { return nil, false }

func (p *obeying) Clone() engine.Position { return &obeying{p.Position.Clone(), p.said} }

func (p *obeying) Instruct(_ engine.Side, given engine.Answer) error {
	p.said = string(given.(said))
	return nil
}

// Standing orders are given again, if they are legal; else those before stay, and what comes
// after them is done all the same.
func TestStandingOrdersAreGivenAgain(t *testing.T) {
	k := begunBy(t, obedient{enginetest.New()}, "two")
	r := k.run(Instruct{Side: "red", File: "standing: hold"})
	if p := r.turn.Position.(*obeying); p.said != "hold" || !slices.Equal(r.turn.Kinds, []string{log.KindStanding}) || r.turn.Game.Head != r.turn.Last.Seq {
		t.Errorf("%q; the log has %q", p.said, r.turn.Kinds)
	}
	r = k.run(Instruct{Side: "red", File: "standing: never"})
	if p := r.turn.Position.(*obeying); p.said != "" || len(r.turn.Entries) > 0 || r.left != 0 {
		t.Errorf("%q, %d left; the log has %q", p.said, r.left, r.turn.Kinds)
	}
}

// An answer counts again where the same is owed and it is legal, whoever gave it.
func TestAnAnswerOfTheStopCountsAgain(t *testing.T) {
	k := begun(t)
	owed := k.Position.Owed()[0]
	for _, c := range []struct {
		given log.Given
		want  bool
	}{
		{log.Given{Decision: owed, Orders: "orders: {bid: R-1}", By: log.ByGM}, true},
		{log.Given{Decision: owed, Orders: "orders: {bid: B-1}"}, false},
		{log.Given{Decision: engine.Decision{Side: owed.Side, Kind: "discard"}, Orders: "orders: {discard: R-1}"}, false},
		{log.Given{Decision: engine.Decision{Side: "green", Kind: "bid"}, Orders: "orders: {bid: none}"}, false},
	} {
		r := k.run(Count{c.given})
		answer := r.turn.Game.Seat(owed.Side).Owes.Answer
		if (answer != nil) != c.want || answer != nil && (!answer.GM || !answer.Final) {
			t.Errorf("%+v is in force: %+v", c.given, answer)
		}
	}
}

// An answer is put back, or stays, as it counted: with its entry, and of whom it was. It does
// neither where another one is in force, where another stop is open, or where it is not legal.
func TestAnswersArePutBackAndStay(t *testing.T) {
	k := begun(t)
	owed := k.Position.Owed()[0]
	former := log.Former{Orders: "orders: {bid: R-2}", By: log.ByGM, Final: true, Serial: 3, Entry: 9}
	illegal := former
	illegal.Orders = "orders: {bid: B-2}"
	stay := Stay{Player: owed.Side, Stop: 1, Decision: owed, File: former.Orders, As: game.InForce{GM: true, Final: true, Serial: 3, Entry: 9, Number: 1}}
	later, unlike := stay, stay
	later.Stop, unlike.Decision.Kind = 2, "discard"
	bad := stay
	bad.File = illegal.Orders
	for _, c := range []struct {
		name    string
		changes []Change
		entry   uint64
	}{
		{"put back", []Change{PutBack{owed.Side, former}}, 9},
		{"not legal", []Change{PutBack{owed.Side, illegal}}, 0},
		{"no seat", []Change{PutBack{"green", former}}, 0},
		{"stays", []Change{stay}, 9},
		{"of another stop", []Change{later}, 0},
		{"of another decision", []Change{unlike}, 0},
		{"stays, not legal", []Change{bad}, 0},
		{"something newer", []Change{PutAnswer{Side: owed.Side, Orders: "orders: {bid: none}", As: game.InForce{Entry: 4}}, PutBack{owed.Side, former}, stay}, 4},
	} {
		r := k.run(c.changes...)
		answer := r.turn.Game.Seat(owed.Side).Owes.Answer
		switch {
		case c.entry == 0 && answer != nil, c.entry != 0 && (answer == nil || answer.Entry != c.entry):
			t.Errorf("%s: %+v is in force", c.name, answer)
		case c.entry == 9 && (!answer.GM || answer.By != "" || answer.Serial != 3 || string(r.turn.Answers[owed.Side]) != former.Orders):
			t.Errorf("%s: %+v, %q", c.name, answer, r.turn.Answers[owed.Side])
		}
	}
}

// Whose answer is taken out owes again, and has time to answer.
func TestASideOwesAgain(t *testing.T) {
	k := begun(t)
	k.answer("red", "{bid: R-1}")
	k.Game.Seat("red").Owes.Passed = true
	k.Now = noon.Add(48 * 3600e9)
	r := k.run(Reopen{"red"})
	o := r.turn.Game.Seat("red").Owes
	if o.Answer != nil || o.Passed || !o.Deadline.Equal(noon.Add(72*3600e9)) {
		t.Errorf("%+v", o)
	}
	if file, ok := r.turn.Answers["red"]; !ok || file != nil {
		t.Errorf("its file is kept: %q", file)
	}
}

// A game that is decided is so by the entry of the act, and nobody owes anything.
func TestAGameIsDecided(t *testing.T) {
	k := begun(t)
	r := k.run(Enter{Ruling: &log.Ruling{}}, Decide{engine.Outcome{Winners: []engine.Side{"blue"}}})
	g := r.turn.Game
	if g.DecidedBy != r.entry || g.Decided.Winners[0] != "blue" || g.Seat("red").Owes != nil || g.Seat("blue").Owes != nil {
		t.Errorf("%+v by %d", g.Decided, g.DecidedBy)
	}
}

// Disputes are opened again and settled.
func TestDisputesAreSettledAndOpenedAgain(t *testing.T) {
	k := begun(t)
	k.Game.Disputes = []uint64{3, 5}
	if r := k.run(Dispute{9}, Settle{3}); !slices.Equal(r.turn.Game.Disputes, []uint64{5, 9}) {
		t.Errorf("%v are open", r.turn.Game.Disputes)
	}
}

// A player disputes an event that he was told, once, whatever seat he has by now; and not
// more than so many of them at once.
func TestAnEventIsDisputedOnce(t *testing.T) {
	k := begun(t)
	k.stops(1)
	red := k.Game.Seat("red")
	dispute := func(n int) error {
		about, told, err := Disputed(k.Turn, k, red, n, "the die fell off the table")
		if err != nil {
			return err
		}
		if seq, _ := k.resolved(1); about.Resolved != seq || told.Number != n {
			t.Errorf("event %d is %+v of entry %d", n, told, about.Resolved)
		}
		k.does(game.Disputed{Side: red.Side, About: about, What: told.Say})
		return nil
	}
	if err := dispute(1); err != nil {
		t.Fatal(err)
	}
	k.exchange("red", "blue")
	if err := dispute(1); refusal(err) != "office.dispute.already" {
		t.Errorf("an event that is disputed: %v", err)
	}
	if err := dispute(99); refusal(err) != "office.dispute.no-such" {
		t.Errorf("an event that there is not: %v", err)
	}
	for len(k.Game.Disputes) < mostDisputes {
		if err := k.Log(log.Entry{Kind: log.KindDispute, Seat: red.Side, Data: log.Disputed{Event: 100 + len(k.Game.Disputes)}}); err != nil {
			t.Fatal(err)
		}
		k.Game.Disputes = append(k.Game.Disputes, k.Last.Seq)
		k.commit()
	}
	if err := dispute(2); refusal(err) != "office.dispute.many" {
		t.Errorf("one more than the most: %v", err)
	}
	if _, _, err := Disputed(k.Turn, k, k.Game.Seat("red"), 1, "r"); err != nil {
		t.Errorf("the other player's event: %v", err)
	}
}
