package adjudicator

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/orders"
)

// A Rewound is how a game went back to an earlier position, as the log keeps
// it. Nothing is erased: what was undone stays in the log, and From leads back
// to it.
type Rewound struct {
	From   uint64 `json:"from"` // log entry that led to the position before
	To     uint64 `json:"to"`   // log entry that led to the position gone back to
	Stop   int    `json:"stop"` // the stop that is open now
	Reason string `json:"reason,omitempty"`
	// Commitment is the SHA-256 of a new seed, drawn if the old one was
	// published already because the game had ended.
	Commitment string `json:"commitment,omitempty"`
	Same       bool   `json:"same,omitempty"`    // what was ordered after that moment is done again
	Dispute    uint64 `json:"dispute,omitempty"` // log entry of the dispute that it settles
	// InForce is as in [Ruling].
	InForce map[engine.Side]*Former `json:"in_force,omitempty"`
}

// goBack puts a game to a position of the past, with its stop open and no
// answer in force. Another position may take its place, as after a ruling; nil is
// the one that was. The caller has noted why in the log: players who changed seats
// since then change back, with new keys, by that entry.
func (d *desk) goBack(m milestone, position engine.Position) error {
	was, err := d.rules.Load(m.Snapshot)
	if err != nil {
		return fmt.Errorf("go back to entry %d of %s: %w", m.Seq, d.game.ID, err)
	}
	if position == nil {
		position = was
	}
	g := d.game
	known := len(g.Exchanges)
	if err := d.exchangeBack(m.Seq); err != nil {
		return err
	}
	for _, x := range g.Exchanges[known:] {
		if err := d.note(Entry{Kind: LogExchanged, By: "office", Data: x}); err != nil {
			return err
		}
	}
	for _, s := range g.Seats {
		if s.Owes != nil {
			d.keepAnswer(s.Side, nil)
			s.Owes = nil
		}
		s.Stops, s.Floor, s.Told = m.Stops[s.Side], s.Serial, nil
	}
	g.Head, g.Stop, g.Since, g.Resolve = m.Seq, m.Stop, d.now, time.Time{}
	g.Decided, g.DecidedBy = nil, 0
	if m.Options != nil {
		g.Options = maps.Clone(m.Options)
	}
	d.place(position)
	if _, ended := position.Outcome(); ended {
		return nil
	}
	g.Phase = running
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
		if s := g.seat(decision.Side); s != nil && asked[s.Side] {
			s.Stops--
		}
	}
	return d.openStop()
}

// exchangeBack lets players who changed seats since an entry change back.
func (d *desk) exchangeBack(to uint64) error {
	trail, err := d.trail()
	if err != nil {
		return err
	}
	branch, err := d.trailTo(to)
	if err != nil {
		return err
	}
	stays := map[uint64]bool{}
	for _, m := range branch {
		stays[m.Seq] = true
	}
	for i := len(trail) - 1; i >= 0; i-- {
		if trail[i].Kind != LogResolved || stays[trail[i].Seq] {
			continue
		}
		var r Resolved
		if _, err := d.entry(trail[i].Seq, &r); err != nil {
			return err
		}
		for j := len(r.Events) - 1; j >= 0; j-- {
			if pair := r.Events[j].Exchange; len(pair) > 0 {
				if err := d.exchange(pair); err != nil {
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
		if m.Kind != LogResolved || here[m.Seq] {
			continue
		}
		var r Resolved
		if _, err := d.entry(m.Seq, &r); err != nil {
			return err
		}
		for _, event := range r.Events {
			if len(event.Exchange) > 0 {
				if err := d.exchange(event.Exchange); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// place puts another position on the table.
func (d *desk) place(position engine.Position) {
	d.position, d.moved = position, true
	d.views = map[engine.Side]engine.View{}
	d.readings = nil
}

// A deed of the past is what moved a game from one milestone to the next: the
// answers of a stop, or standing orders that came between.
type deedOfThePast struct {
	seq      uint64
	stop     int         // that was resolved
	seat     engine.Side // of standing orders
	standing string      // their file; "" if there were none
	ruling   *Ruling     // what a game master changed in the position
	resolved Resolved
	fresh    bool // its orders are others: its dice are rolled anew
}

// deedsAfter lists what moved the game after a milestone of its branch, the oldest
// first, and what game masters changed in the position in between.
func (d *desk) deedsAfter(branch []milestone, seq uint64) ([]deedOfThePast, error) {
	var all []deedOfThePast
	i := slices.IndexFunc(branch, func(m milestone) bool { return m.Seq == seq })
	if i < 0 {
		return nil, fmt.Errorf("read history of %s: entry %d is not of this branch", d.game.ID, seq)
	}
	for _, m := range branch[i+1:] {
		deed := deedOfThePast{seq: m.Seq}
		var err error
		switch m.Kind {
		case LogResolved:
			var e Entry
			e, err = d.entry(m.Seq, &deed.resolved)
			deed.stop = e.Stop
		case LogStanding:
			var t Taken
			var e Entry
			e, err = d.entry(m.Seq, &t)
			deed.seat, deed.standing = e.Seat, t.File
		case LogRuling:
			deed.ruling = &Ruling{}
			if _, err = d.entry(m.Seq, deed.ruling); err == nil && deed.ruling.Set == "" {
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

// entry reads an entry of the log, its data into a type by kind.
func (d *desk) entry(seq uint64, data any) (Entry, error) {
	for _, e := range d.entries { // not yet committed
		if e.Seq == seq {
			return readEntry(e, data)
		}
	}
	var entry store.Entry
	err := d.office.store.View(func(tx *store.Tx) error {
		e, ok, err := tx.Entry(d.game.ID, seq)
		if err == nil && !ok {
			err = fmt.Errorf("read log of %s: there is no entry %d", d.game.ID, seq)
		}
		entry = e
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	return readEntry(entry, data)
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
		if d.game.Phase != running || !d.game.Paused.IsZero() && d.game.Fault != "" {
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
			s := d.game.seat(given.Decision.Side)
			if !d.answersAgain(s, given) {
				whole = false
			}
		}
		if !whole {
			return i, nil
		}
		d.rule(d.game.Stop, deed.resolved.Ruled)
		if !deed.fresh && d.game.scheme() != schemeOld {
			if d.repeats == nil {
				d.repeats = map[int]uint64{}
			}
			d.repeats[d.game.Stop] = deed.seq
		}
		if err := d.resolve(asked); err != nil {
			return i, err
		}
		if d.game.Fault != "" {
			return i, nil
		}
	}
	return len(deeds), nil
}

// rule replaces rolls of a stop, where no newer ruling does.
func (d *desk) rule(stop int, rolls map[int]int) {
	for roll, result := range rolls {
		if d.ruled == nil {
			d.ruled = map[int]map[int]int{}
		}
		if d.ruled[stop] == nil {
			d.ruled[stop] = map[int]int{}
		}
		if _, ok := d.ruled[stop][roll]; !ok {
			d.ruled[stop][roll] = result
		}
	}
}

// sameOwed tells whether the decisions of a stop of the past are those that are
// owed now.
func (d *desk) sameOwed(answers []Given) bool {
	owed := d.position.Owed()
	return slices.EqualFunc(owed, answers, func(o engine.Decision, a Given) bool { return o == a.Decision })
}

// answersAgain puts an answer of the past in force, if it is still legal.
func (d *desk) answersAgain(s *seat, given Given) bool {
	doc, problems := orders.ParseAccepted(given.Orders)
	if len(problems) == 0 {
		_, problems = d.rules.Read(d.view(s.Side), given.Decision, d.dated(doc))
	}
	if len(problems) > 0 {
		return false
	}
	d.keepAnswer(s.Side, []byte(given.Orders))
	s.Owes.Answer = &inForce{Sent: d.now, Final: true, GM: given.By == "gm", By: given.By}
	return true
}

// instructAgain puts standing orders of the past in force again, if they are
// still legal; else those before them stay.
func (d *desk) instructAgain(deed deedOfThePast) error {
	rules, ok := d.rules.(engine.Instructor)
	if !ok {
		return nil
	}
	doc, problems := orders.ParseAccepted(deed.standing)
	if len(problems) > 0 {
		return nil
	}
	given, problems := rules.ReadStanding(d.view(deed.seat), d.dated(doc))
	next := d.position.Clone()
	position, ok := next.(engine.Instructed)
	if len(problems) > 0 || !ok {
		return nil
	}
	if err := position.Instruct(deed.seat, given); err != nil {
		return nil // made for another game: it no longer fits
	}
	snapshot, err := next.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s again: %w", d.game.ID, err)
	}
	if err := d.note(Entry{Kind: LogStanding, Seat: deed.seat, By: "office", Data: Taken{File: deed.standing}}); err != nil {
		return err
	}
	d.place(next)
	d.remember(d.last.Seq, LogStanding, snapshot)
	return nil
}
