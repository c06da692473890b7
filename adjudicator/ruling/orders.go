package ruling

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A file is an order file that an act is about.
type file struct {
	side  engine.Side
	taken log.Taken
	stop  int           // that it is for, as the side counts
	open  bool          // that stop is open
	at    int           // place in the branch of the position after that stop; -1: it was not resolved
	done  *log.Resolved // how it was resolved
}

// orders plans that a file counts, or does not.
func (m *maker) orders() error {
	a := m.act
	var f file
	e, err := m.fileEntry(a.Entry, &f.taken)
	if err != nil {
		return err
	}
	doc, problems := orders.Parse(f.taken.File, nil)
	doc.Accepted = e.Kind == log.KindTaken
	f.side, f.stop = e.Seat, f.taken.SeatStop
	if a.Kind == log.ActAccept && doc != nil && doc.Stop > 0 {
		f.stop = doc.Stop // a file that was late was not for the stop that was owed when it came
	}
	f.at, f.done, err = m.past.Resolved(m.branch, func(_ log.Entry, r *log.Resolved) bool {
		return slices.ContainsFunc(r.Answers, func(g log.Given) bool { return g.Decision.Side == f.side && g.SeatStop == f.stop })
	})
	if err != nil {
		return err
	}
	s := m.turn.Game.Seat(f.side)
	f.open = s != nil && s.Owes != nil && s.Owes.Stop == f.stop && m.turn.Game.Phase == game.Running
	if f.at < 0 && !f.open {
		return game.Refuse("office.rule.no-stop-of-file", phrase.Number("entry", int(a.Entry)), phrase.Number("stop", f.stop))
	}
	m.plan.Orders = &RuledOrders{Side: f.side, Stop: f.stop, Counts: a.Kind == log.ActAccept}
	if a.Kind == log.ActRefuse {
		return m.refuse(&f)
	}
	if a.Set != "" { // the orders that are carried out instead
		i := len(m.branch) - 1
		if !f.open {
			i = f.at - 1
		}
		if err := m.to(i); err != nil {
			return err
		}
		m.stay = m.ruling.To == 0
		return m.set(a.Set)
	}
	if a.Orders != "" {
		doc, problems = orders.Parse(a.Orders, nil)
	}
	return m.accept(&f, doc, problems)
}

// accept plans that what a file says counts.
func (m *maker) accept(f *file, doc *orders.Document, problems orders.Problems) error {
	position, decision, err := m.askedThen(f)
	if err != nil {
		return err
	}
	var answer engine.Answer
	if doc.Root != nil && doc.Command == "" {
		var faults orders.Problems
		if answer, faults = m.turn.Rules.Read(position.View(f.side), decision, game.Dated(m.turn, doc)); len(faults) > 0 {
			problems = append(problems, faults...)
		}
		problems = append(problems, game.MissingOrders(doc)...)
	}
	if len(problems) > 0 || answer == nil {
		// A rule of the game speaks against the file, not only the office.
		problems = append(problems, orders.Problem{Why: phrase.Say("office.rule.by-the-rules"), Remedy: phrase.Say("office.rule.carry-out")})
		return problems
	}
	text := game.Normal(m.turn, answer)
	files, err := m.filesToo(f)
	if err != nil {
		return err
	}
	if !f.open {
		return m.putIn(f.at, log.Given{Decision: decision, By: log.ByGM, Orders: text, Files: files})
	}
	s := m.turn.Game.Seat(f.side)
	now, ok, err := m.turn.Answer(s)
	if err != nil {
		return err
	}
	if ok && game.Normal(m.turn, now) == text {
		return game.Refuse("office.rule.same-in-force")
	}
	return m.swap(s, &log.Former{Orders: text, By: log.ByGM, Sent: m.turn.Now, Final: true, Serial: s.Serial, Entry: m.act.Entry, Files: files})
}

// filesToo plans that what a file files ahead that is accepted waits with its orders, if its player still has his seat, and wrote
// nothing later that files something ahead. It gives the entry of the file; 0: it files nothing that counts.
func (m *maker) filesToo(f *file) (uint64, error) {
	seats := m.turn.Game.Seats
	i := slices.IndexFunc(seats, func(s *game.Seat) bool { return m.turn.SideAt(s, m.act.Entry) == f.side })
	if i < 0 || f.taken.Ahead == "" {
		return 0, nil
	}
	r := &run{turn: m.turn, past: m.past}
	if err := r.readFilers(); err != nil || !r.filedBy(seats[i], m.act.Entry, f.taken) {
		return 0, err
	}
	before := m.turn.Last.Seq + 1
	if !f.open {
		before = m.branch[f.at].Seq
	}
	later := false
	err := m.past.EachFrom(m.act.Entry+1, func(e chain.Entry) error {
		var t log.Taken
		head, err := log.Read(e, nil)
		if err != nil || later || e.Seq >= before || head.By == "office" || head.Seat != f.side || head.Kind != log.KindAhead && head.Kind != log.KindStanding {
			return err
		}
		_, err = log.Read(e, &t)
		later = t.Ahead != "" && !t.Sent.Before(f.taken.Sent)
		return err
	})
	if err != nil || later {
		return 0, err
	}
	m.ruling.Ahead, m.plan.Orders.Ahead = f.taken.Ahead, f.taken.Ahead
	return m.act.Entry, nil
}

// askedThen gives the position at which a file counts, and the decision that it answers:
// at the open stop, or where it was resolved.
func (m *maker) askedThen(f *file) (engine.Position, engine.Decision, error) {
	if f.open {
		return m.turn.Position, m.turn.Game.Seat(f.side).Owes.Decision, nil
	}
	position, err := m.past.Position(m.branch[f.at-1].Seq)
	return position, f.done.Of(f.side).Decision, err
}

// refuse plans that a file that counted does not: at the open stop, or where it was
// resolved.
func (m *maker) refuse(f *file) error {
	none := game.Refuse("office.rule.not-in-force", phrase.Number("entry", int(m.act.Entry)))
	if f.open {
		s := m.turn.Game.Seat(f.side)
		answer, ok, err := m.turn.Answer(s)
		if err != nil {
			return err
		}
		if !ok || s.Owes.Answer.Entry != m.act.Entry &&
			(s.Owes.Answer.Entry != 0 || !m.means(m.turn.Position, s.Owes.Decision, f.taken.File, game.Normal(m.turn, answer))) {
			return none
		}
		return m.swap(s, nil)
	}
	given := f.done.Of(f.side)
	last, err := m.lastTaken(f.side, f.stop, m.branch[f.at-1].Seq, m.branch[f.at].Seq)
	if err != nil {
		return err
	}
	if last != m.act.Entry { // perhaps the stop was resolved anew
		position, err := m.past.Position(m.branch[f.at-1].Seq)
		if err != nil {
			return err
		}
		if last != 0 || !m.means(position, given.Decision, f.taken.File, given.Orders) {
			return none
		}
	}
	if given.By == log.ByDefault || given.By == log.ByBot {
		return none
	}
	return m.takeOut(f.at, f.done, f.side)
}

// means tells whether a file says at a position what an answer in normal form
// says.
func (m *maker) means(position engine.Position, decision engine.Decision, file, normal string) bool {
	doc, problems := orders.ParseAccepted(file)
	if len(problems) > 0 || doc.Root == nil {
		return false
	}
	answer, problems := m.turn.Rules.Read(position.View(decision.Side), decision, game.Dated(m.turn, doc))
	return len(problems) == 0 && game.Normal(m.turn, answer) == normal
}

// swap plans that another answer is in force at the open stop, or none.
func (m *maker) swap(s *game.Seat, next *log.Former) error {
	m.ruling.Seat, m.ruling.SeatStop = s.Side, s.Owes.Stop
	var err error
	if m.ruling.Was, err = m.former(s); err != nil {
		return err
	}
	if next == nil {
		m.force = Reopen{s.Side}
		return nil
	}
	put := PutAnswer{s.Side, next.Orders, putBack(next), next.Files, next.Aside}
	if s.Owes.Answer != nil {
		put.As.Number = s.Owes.Answer.Number + 1
	}
	m.force, m.ruling.Orders, m.plan.Orders.Say = put, next.Orders, next.Orders
	return nil
}

// former is the answer in force of a seat, as a ruling keeps it; nil if there is
// none.
func (m *maker) former(s *game.Seat) (*log.Former, error) {
	answer, ok, err := m.turn.Answer(s)
	if err != nil || !ok {
		return nil, err
	}
	a := s.Owes.Answer
	f := &log.Former{Orders: game.Normal(m.turn, answer), By: a.By, Sent: a.Sent, Final: a.Final, Serial: a.Serial, Entry: a.Entry}
	if f.By == "" && a.GM {
		f.By = log.ByGM
	}
	if f.Part = a.Part; a.Files != nil {
		f.Files, f.Aside = a.Files.Entry, slices.Clone(a.Files.Used)
	}
	return f, nil
}

// takeOut plans that an answer with which a stop was resolved does not count: its
// side owes again, the others' answers stay.
func (m *maker) takeOut(at int, r *log.Resolved, side engine.Side) error {
	if err := m.to(at - 1); err != nil {
		return err
	}
	m.later = nil
	for _, g := range r.Answers {
		if g.Decision.Side != side {
			m.others = append(m.others, g)
		}
	}
	return nil
}

// putIn plans that a stop is resolved again with another answer of a side, and with what that files ahead.
func (m *maker) putIn(at int, put log.Given) error {
	if err := m.to(at - 1); err != nil {
		return err
	}
	first := m.later[0].(Redo) // the first thing after the position before a stop is that stop
	first.Answers = slices.Clone(first.Answers)
	for i, g := range first.Answers {
		if g.Decision.Side == put.Decision.Side {
			if g.Orders == put.Orders {
				return game.Refuse("office.rule.same-orders")
			}
			put.Decision, put.SeatStop = g.Decision, g.SeatStop
			first.Answers[i] = put
		}
	}
	first.Ruled, first.Fresh = nil, true // those dice belong to other orders
	m.later[0] = first
	m.ruling.Put, m.ruling.PutSide, m.plan.Orders.Say = put.Orders, put.Decision.Side, put.Orders
	return nil
}

// fileEntry reads an entry of an order file.
func (m *maker) fileEntry(seq uint64, t *log.Taken) (log.Entry, error) {
	none := game.Refuse("office.rule.no-file", phrase.Number("entry", int(seq)))
	if seq == 0 || seq > m.turn.Last.Seq {
		return log.Entry{}, none
	}
	e, err := m.past.Entry(seq, nil)
	if err != nil {
		return e, err
	}
	if e.Kind != log.KindTaken && e.Kind != log.KindRefused {
		return e, none
	}
	return m.past.Entry(seq, t)
}

// lastTaken finds the last file of a seat that counted for a stop, between the
// positions before and after it.
func (m *maker) lastTaken(side engine.Side, stop int, after, before uint64) (uint64, error) {
	var last uint64
	err := m.past.EachFrom(after+1, func(e chain.Entry) error {
		if e.Seq >= before {
			return nil
		}
		if entry, err := log.Decode(e.Body, nil); err != nil || entry.Kind != log.KindTaken || entry.Seat != side {
			return err
		}
		var t log.Taken
		if _, err := log.Decode(e.Body, &t); err != nil {
			return err
		}
		if t.SeatStop == stop {
			last = e.Seq
		}
		return nil
	})
	return last, err
}
