package adjudicator

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
)

// goBack puts a game to a position of the past, with its stop open and no
// answer in force. Another position may take its place, as after a ruling; nil is
// the one that was. The caller has noted why in the log: players who changed seats
// since then change back, with new keys, by that entry.
func (d *desk) goBack(m log.Checkpoint, position engine.Position) error {
	was, err := d.Rules.Load(m.Snapshot)
	if err != nil {
		return fmt.Errorf("go back to entry %d of %s: %w", m.Seq, d.Game.ID, err)
	}
	if position == nil {
		position = was
	}
	g := d.Game
	known := len(g.Exchanges)
	if err := d.exchangeBack(m.Seq); err != nil {
		return err
	}
	for _, x := range g.Exchanges[known:] {
		if err := d.Log(log.Entry{Kind: log.KindExchanged, By: "office", Data: x}); err != nil {
			return err
		}
	}
	for _, s := range g.Seats {
		if s.Owes != nil {
			d.KeepAnswer(s.Side, nil)
			s.Owes = nil
		}
		s.Stops, s.Floor, s.Told = m.Stops[s.Side], s.Serial, nil
	}
	g.Head, g.Stop, g.Since, g.Resolve = m.Seq, m.Stop, d.Now, time.Time{}
	g.Decided, g.DecidedBy = nil, 0
	if m.Options != nil {
		g.Options = maps.Clone(m.Options)
	}
	d.Place(position)
	if _, ended := position.Outcome(); ended {
		return nil
	}
	g.Phase = game.Running
	if len(position.Owed()) == 0 {
		return nil // what comes before the first stop takes dice, and is done again at once
	}
	if _, ended := was.Outcome(); !ended {
		g.Stop-- // it is opened again
	}
	asked := map[engine.Side]bool{}
	for _, decision := range was.Owed() {
		asked[decision.Side] = true
	}
	for _, decision := range position.Owed() {
		if s := g.Seat(decision.Side); s != nil && asked[s.Side] {
			s.Stops--
		}
	}
	return game.OpenStop(d.Turn)
}

// exchangeBack lets players who changed seats since an entry change back.
func (d *desk) exchangeBack(to uint64) error {
	trail, err := d.past.Branch()
	if err != nil {
		return err
	}
	branch, err := d.past.BranchTo(to)
	if err != nil {
		return err
	}
	stays := map[uint64]bool{}
	for _, m := range branch {
		stays[m.Seq] = true
	}
	for i := len(trail) - 1; i >= 0; i-- {
		if trail[i].Kind != log.KindResolved || stays[trail[i].Seq] {
			continue
		}
		var r log.Resolved
		if _, err := d.Entry(trail[i].Seq, &r); err != nil {
			return err
		}
		for j := len(r.Events) - 1; j >= 0; j-- {
			if pair := r.Events[j].Exchange; len(pair) > 0 {
				if err := game.Exchange(d.Turn, pair); err != nil {
					return err
				}
			}
		}
	}
	// A position of another branch may lie behind an exchange of its own.
	here := map[uint64]bool{}
	for _, m := range trail {
		here[m.Seq] = true
	}
	for _, m := range branch {
		if m.Kind != log.KindResolved || here[m.Seq] {
			continue
		}
		var r log.Resolved
		if _, err := d.Entry(m.Seq, &r); err != nil {
			return err
		}
		for _, event := range r.Events {
			if len(event.Exchange) > 0 {
				if err := game.Exchange(d.Turn, event.Exchange); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// A deed of the past is what moved a game from one checkpoint to the next: the
// answers of a stop, or standing orders that came between.
type deedOfThePast struct {
	seq      uint64
	stop     int         // that was resolved
	seat     engine.Side // of standing orders
	standing string      // their file; "" if there were none
	ruling   *log.Ruling // what a game master changed in the position
	resolved log.Resolved
	fresh    bool // its orders are others: its dice are rolled anew
}

// deedsAfter lists what moved the game after a checkpoint of its branch, the oldest
// first, and what game masters changed in the position in between.
func (d *desk) deedsAfter(branch []log.Checkpoint, seq uint64) ([]deedOfThePast, error) {
	var all []deedOfThePast
	i := slices.IndexFunc(branch, func(m log.Checkpoint) bool { return m.Seq == seq })
	if i < 0 {
		return nil, fmt.Errorf("read history of %s: entry %d is not of this branch", d.Game.ID, seq)
	}
	for _, m := range branch[i+1:] {
		deed := deedOfThePast{seq: m.Seq}
		var err error
		switch m.Kind {
		case log.KindResolved:
			var e log.Entry
			e, err = d.Entry(m.Seq, &deed.resolved)
			deed.stop = e.Stop
		case log.KindStanding:
			var t log.Taken
			var e log.Entry
			e, err = d.Entry(m.Seq, &t)
			deed.seat, deed.standing = e.Seat, t.File
		case log.KindRuling:
			deed.ruling = &log.Ruling{}
			if _, err = d.Entry(m.Seq, deed.ruling); err == nil && deed.ruling.Set == "" {
				continue
			}
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, deed)
	}
	return all, nil
}

// again does what was done before, from the present position on, as long as it
// still fits: as long as the same sides owe the same decisions, and their
// answers are legal. It tells how many of the deeds were done. At the first
// stop that no longer fits the game waits; answers that do fit there are in
// force, and can be replaced. The dice of a stop are the same as before if its
// answers are, with the rolls replaced that rulings of the past replaced, and those
// of d.ruled.
func (d *desk) again(deeds []deedOfThePast, asked map[engine.Side]bool) (int, error) {
	for i, deed := range deeds {
		if d.Game.Phase != game.Running || !d.Game.Paused.IsZero() && d.Game.Fault != "" {
			return i, nil
		}
		if deed.standing != "" {
			if err := d.instructAgain(deed); err != nil {
				return i, err
			}
			continue
		}
		if deed.ruling != nil {
			if ok, err := d.setAgain(deed); err != nil || !ok {
				return i, err
			}
			continue
		}
		if !d.sameOwed(deed.resolved.Answers) {
			return i, nil
		}
		whole := true
		for _, given := range deed.resolved.Answers {
			s := d.Game.Seat(given.Decision.Side)
			if !d.answersAgain(s, given) {
				whole = false
			}
		}
		if !whole {
			return i, nil
		}
		d.rule(d.Game.Stop, deed.resolved.Ruled)
		if !deed.fresh && d.Game.DiceScheme() != log.FirstScheme {
			if d.Repeats == nil {
				d.Repeats = map[int]uint64{}
			}
			d.Repeats[d.Game.Stop] = deed.seq
		}
		if err := game.Resolve(d.Turn, asked); err != nil {
			return i, err
		}
		if d.Game.Fault != "" {
			return i, nil
		}
	}
	return len(deeds), nil
}

// rule replaces rolls of a stop, where no newer ruling does.
func (d *desk) rule(stop int, rolls map[int]int) {
	for roll, result := range rolls {
		if d.Ruled == nil {
			d.Ruled = map[int]map[int]int{}
		}
		if d.Ruled[stop] == nil {
			d.Ruled[stop] = map[int]int{}
		}
		if _, ok := d.Ruled[stop][roll]; !ok {
			d.Ruled[stop][roll] = result
		}
	}
}

// sameOwed tells whether the decisions of a stop of the past are those that are
// owed now.
func (d *desk) sameOwed(answers []log.Given) bool {
	owed := d.Position.Owed()
	return slices.EqualFunc(owed, answers, func(o engine.Decision, a log.Given) bool { return o == a.Decision })
}

// answersAgain puts an answer of the past in force, if it is still legal.
func (d *desk) answersAgain(s *game.Seat, given log.Given) bool {
	doc, problems := orders.ParseAccepted(given.Orders)
	if len(problems) == 0 {
		_, problems = d.Rules.Read(d.View(s.Side), given.Decision, game.Dated(d.Turn, doc))
	}
	if len(problems) > 0 {
		return false
	}
	d.KeepAnswer(s.Side, []byte(given.Orders))
	s.Owes.Answer = &game.InForce{Sent: d.Now, Final: true, GM: given.By == "gm", By: given.By}
	return true
}

// instructAgain puts standing orders of the past in force again, if they are
// still legal; else those before them stay.
func (d *desk) instructAgain(deed deedOfThePast) error {
	rules, ok := d.Rules.(engine.Instructor)
	if !ok {
		return nil
	}
	doc, problems := orders.ParseAccepted(deed.standing)
	if len(problems) > 0 {
		return nil
	}
	given, problems := rules.ReadStanding(d.View(deed.seat), game.Dated(d.Turn, doc))
	next := d.Position.Clone()
	position, ok := next.(engine.Instructed)
	if len(problems) > 0 || !ok {
		return nil
	}
	if err := position.Instruct(deed.seat, given); err != nil {
		return nil // made for another game: it no longer fits
	}
	snapshot, err := next.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s again: %w", d.Game.ID, err)
	}
	if err := d.Log(log.Entry{Kind: log.KindStanding, Seat: deed.seat, By: "office", Data: log.Taken{File: deed.standing}}); err != nil {
		return err
	}
	d.Place(next)
	d.Remember(d.Last.Seq, log.KindStanding, snapshot)
	return nil
}
