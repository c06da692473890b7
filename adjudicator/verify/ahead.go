package verify

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders"
)

// What was filed ahead is followed as the office follows it: which file it came in, when it
// waits, what it answers, and when it lapses. An export that withholds files withholds what
// they file ahead; then only the seals of what was used are compared.

// A waiting is what a seat has filed ahead.
type waiting struct {
	ahead.Filed        // without a text if that is withheld
	entry       uint64 // of the file
	epoch       int    // of the seat: a later one has another player
}

// A fileAhead is a file that files something ahead, and who has sent it.
type fileAhead struct {
	log.Taken
	by     string    // player, gm, office
	at     time.Time // when it came
	player int       // his number
	term   int       // how many seats he had left before
}

// aheads follow what was filed ahead through a replay.
type aheads struct{ r *replay }

// known tells whether it can be read.
func (w *waiting) known() bool { return w != nil && w.Text != "" }

func (w *waiting) clone() *waiting {
	c := *w
	c.Filed = *w.Filed.Clone()
	return &c
}

// cloneWaiting copies what waits for all seats.
func cloneWaiting(all map[engine.Side]*waiting) map[engine.Side]*waiting {
	c := map[engine.Side]*waiting{}
	for side, w := range all {
		c[side] = w.clone()
	}
	return c
}

// filesAhead notes what a file files ahead, and checks its seal, and that the file says so.
func (fd *filed) filesAhead(e numbered, t *log.Taken) {
	fd.saysAhead(e, t)
	if t.Ahead == "" && t.AheadSeal == "" {
		return
	}
	if t.Ahead != "" && fd.r.made.DiceScheme() != log.FirstScheme && log.SealOf(t.AheadSalt, t.Ahead) != t.AheadSeal {
		fd.r.answers.fault("entry %d: the seal of what it files ahead is of something else", e.n)
	}
	if fd.ahead == nil {
		fd.ahead = map[uint64]fileAhead{}
	}
	n := fd.r.player(e.seat)
	file := fileAhead{*t, e.by, e.at, n, fd.r.terms[n]}
	if old, ok := fd.sameAhead(t); ok && t.AheadSeal != "" { // it is filed again
		file.player, file.term = old.player, old.term
	}
	fd.ahead[e.n] = file
}

// accepted notes what a file files ahead that a ruling has let count: one that was refused.
func (fd *filed) accepted(entry uint64, side engine.Side, text string) {
	if fd.ahead == nil {
		fd.ahead = map[uint64]fileAhead{}
	}
	n := fd.r.player(side)
	if _, known := fd.ahead[entry]; !known {
		fd.ahead[entry] = fileAhead{Taken: log.Taken{Ahead: text}, by: log.ByGM, player: n, term: fd.r.terms[n]}
	}
}

// sinceThen checks that there is a letter by which the file of an answer can have been overtaken in what it files ahead: it may
// have been written later. Which was is known to who has both.
func (fd *filed) sinceThen(e numbered, t *log.Taken) {
	if t.Late && !fd.alone[fd.r.player(e.seat)] {
		fd.r.answers.fault("entry %d: what the file of %s files ahead is said to be overtaken, and nothing was filed ahead by itself", e.n, e.seat)
	}
	if m := fd.r.now(); m == nil || m.position == nil || !fd.r.same() {
		return
	}
	for _, kind := range t.Since {
		if !slices.Contains(fd.spoken[fd.r.player(e.seat)], kind) {
			fd.r.answers.fault("entry %d: what the file of %s files ahead of %s is said to be set aside, and nothing has changed that", e.n, e.seat, kind)
		}
	}
}

// sameAhead finds the first file that files the same ahead as another.
func (fd *filed) sameAhead(t *log.Taken) (fileAhead, bool) {
	for _, n := range slices.Sorted(maps.Keys(fd.ahead)) {
		if old := fd.ahead[n]; old.Ahead == t.Ahead && old.AheadSeal == t.AheadSeal {
			return old, true
		}
	}
	return fileAhead{}, false
}

// saysAhead checks that a file files ahead what it is said to file, and nothing is said of
// one that does not.
func (fd *filed) saysAhead(e numbered, t *log.Taken) {
	m := fd.r.now()
	if t.File == "" || fd.r.rules == nil || !fd.r.same() || m == nil || m.position == nil {
		return
	}
	doc, problems := orders.Parse(t.File, nil)
	if len(problems) > 0 {
		if t.Ahead != "" {
			fd.r.answers.fault("entry %d: something is filed ahead, and the file can't be read: %v", e.n, problems)
		}
		return
	}
	if says, faults := ahead.Read(fd.r.rules, m.position.View(e.seat), doc.Ahead); len(faults) > 0 || says != t.Ahead {
		fd.r.answers.fault("entry %d: the file of %s files something else ahead than the log says", e.n, e.seat)
	}
}

// takes lets what the file of an entry files ahead wait for a seat.
func (a aheads) takes(m *waypoint, side engine.Side, entry uint64) {
	t, ok := a.r.files.ahead[entry]
	if !ok {
		return
	}
	delete(m.ahead, side)
	if t.Ahead == "none" || t.term < a.r.ended[t.player] || a.r.own && !a.waitsYet(side, entry) {
		return
	}
	w := &waiting{Filed: ahead.Filed{Text: t.Ahead}, entry: entry, epoch: a.r.epochs[side]}
	if m.position != nil {
		w.Filed = ahead.File(a.r.rules, m.position, side, t.Ahead)
	}
	m.ahead[side] = w
}

// waitsYet tells whether the player of a side has filed what a file files ahead, and has not
// left since.
func (a aheads) waitsYet(side engine.Side, entry uint64) bool {
	t, ok := a.r.files.ahead[entry]
	n := a.r.player(side)
	return ok && t.player == n && t.term == a.r.terms[n]
}

// filedAhead reads that something was filed ahead without an answer.
func (a aheads) filedAhead(e numbered) {
	was := a.r.now()
	var t log.Taken
	if err := json.Unmarshal(e.data, &t); err != nil || was == nil {
		a.r.answers.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	if e.by == "office" { // it is filed again where the game went back
		_, again := a.r.files.sameAhead(&t)
		if a.r.back == 0 || !e.at.Equal(a.r.atOf(a.r.back)) || !again {
			a.r.answers.fault("entry %d: something is filed ahead for %s that nobody has sent", e.n, e.seat)
		}
	}
	a.r.files.filesAhead(e, &t)
	m := was.copied()
	m.position = was.position
	a.takes(m, e.seat, e.n)
	a.alone(m, e)
	a.try(m, e.seat)
	a.r.move(e, m)
}

// alone notes that what was filed in an entry without an answer takes the place of what the
// answer in force files ahead, and takes back one that came from what waited.
func (a aheads) alone(m *waypoint, e numbered) {
	if a.r.files.alone == nil {
		a.r.files.alone = map[int]bool{}
	}
	a.r.files.alone[a.r.player(e.seat)] = true
	delete(m.tried, e.seat)
	delete(m.stays, e.seat)
	if p := a.r.files.pending[e.seat]; p != nil {
		p.files, p.aside = e.n, nil
	}
}

// copied is a waypoint at the same stop.
func (m *waypoint) copied() *waypoint {
	return &waypoint{place: m.place, asked: maps.Clone(m.asked), seats: maps.Clone(m.seats), kept: m.kept, die: m.die, dieBy: m.dieBy, put: m.put,
		ahead: cloneWaiting(m.after()), tried: maps.Clone(m.tried), stays: maps.Clone(m.stays)}
}

// after is what waits where a game stands, once the open stop has been tried.
func (m *waypoint) after() map[engine.Side]*waiting {
	if m.left != nil {
		return m.left
	}
	return m.ahead
}

// try answers the open stop by what waits, as the office does when the stop opens: for all
// seats, or for one that has filed something since.
func (a aheads) try(m *waypoint, only ...engine.Side) {
	if m.position == nil || a.r.rules == nil {
		return
	}
	if m.tried == nil {
		m.tried = map[engine.Side]ahead.Outcome{}
	}
	m.left = cloneWaiting(m.ahead)
	for _, d := range m.position.Owed() {
		w := m.left[d.Side]
		if !w.known() || len(only) > 0 && (!slices.Contains(only, d.Side) || a.r.files.pending[d.Side] != nil) || a.r.gone[a.r.player(d.Side)] {
			continue
		}
		m.tried[d.Side] = a.answersAhead(m, w, d)
	}
}

// answersAhead is what something that waits comes to; nothing if the ruleset panics.
func (a aheads) answersAhead(m *waypoint, w *waiting, d engine.Decision) (found ahead.Outcome) {
	defer func() {
		if recover() != nil {
			found = ahead.Outcome{}
		}
	}()
	return w.Answer(a.r.rules, m.position.View(d.Side), d, a.r.made.Former())
}

// waits gives what waits once the answers of a stop count, and checks which stops the log
// says to open because of it.
func (a aheads) waits(e numbered, was *waypoint, s *log.Resolved, normal map[engine.Side]engine.Answer) map[engine.Side]*waiting {
	m := &waypoint{position: was.position, ahead: cloneWaiting(was.after())}
	for _, g := range s.Answers {
		side := g.Decision.Side
		switch p := a.r.files.pending[side]; {
		case s.Again != 0 && g.Part != nil:
			if w := m.ahead[side]; w.known() && w.Text == g.Part.Text && a.r.rules != nil {
				w.Use(a.r.rules, g.Part.Mark)
			}
		case s.Again != 0:
			from := cmp.Or(g.Files, g.Entry)
			if a.late(&g) {
				continue
			}
			a.takes(m, side, from)
			if w := m.ahead[side]; w != nil && w.entry == from {
				w.Used = slices.Clone(g.Aside)
			}
			if _, files := a.r.files.ahead[from]; !files && normal[side] != nil && g.By != log.ByAhead {
				a.aside(m, side, normal[side])
			}
		case p == nil && (g.By == "player" || g.By == log.ByGM):
			a.stands(m, &g, normal[side])
		case p != nil && p.files != g.Files && (p.files != 0 || g.Files != p.entry && g.Files != p.put):
			a.r.answers.fault("entry %d: the answer of %s is said to leave waiting what entry %d filed ahead, and that is entry %d", e.n, side, g.Files, p.files)
		case p != nil && p.files != 0:
			a.takes(m, side, p.files)
			a.asideSince(e, m, &g, p)
		case p != nil && p.put != 0:
			a.takes(m, side, p.put)
			a.asideSince(e, m, &g, p)
		case p != nil && p.late: // what waits stays
		case p != nil && p.entry != 0:
			if _, files := a.r.files.ahead[p.entry]; files {
				a.takes(m, side, p.entry)
				a.asideSince(e, m, &g, p)
			} else {
				a.aside(m, side, normal[side])
			}
		case normal[side] != nil && g.By != log.ByAhead:
			a.aside(m, side, normal[side])
		}
	}
	a.asked(e, m, s)
	return m.ahead
}

// late tells whether what the file of an answer files ahead counts for nothing, and nothing was filed since.
func (a aheads) late(g *log.Given) bool { return g.Files == 0 && a.r.files.ahead[g.Entry].Late }

// stands takes up what an answer files ahead that has stayed in force since before the game went
// back, or is in force again. Where it was put back, the log of then says what it files.
func (a aheads) stands(m *waypoint, g *log.Given, given engine.Answer) {
	if a.late(g) {
		return
	}
	from := cmp.Or(g.Files, g.Entry)
	if f := a.r.files.back[g.Decision.Side]; g.Files == 0 && f != nil && f.Entry == g.Entry && f.Orders == g.Orders {
		from = f.Files
	}
	if _, files := a.r.files.ahead[from]; files {
		if a.takes(m, g.Decision.Side, from); m.ahead[g.Decision.Side] != nil {
			m.ahead[g.Decision.Side].Used = slices.Clone(g.Aside)
		}
	} else {
		a.aside(m, g.Decision.Side, given)
	}
}

// aside sets aside what later standing orders or policies speak of, and what was to follow a
// stop that its player has now answered himself.
func (a aheads) aside(m *waypoint, side engine.Side, given engine.Answer) {
	if w := m.ahead[side]; w.known() && given != nil && m.position != nil {
		sheet, _ := ahead.Sheet(a.r.rules)
		w.Aside(sheet, ahead.Changed(a.r.rules, m.position.View(side), given))
		w.Void(sheet)
	}
}

// asideSince sets aside what an answer files ahead of stops of which a letter has spoken since.
// Logs of before don't say so: there it waited all the same.
func (a aheads) asideSince(e numbered, m *waypoint, g *log.Given, p *pending) {
	w := m.ahead[g.Decision.Side]
	if len(g.Aside) == 0 || !w.known() {
		return
	}
	sheet, _ := ahead.Sheet(a.r.rules)
	w.Aside(sheet, p.aside)
	if p.put != 0 { // a ruling has put it back with what was set aside before
		for _, mark := range g.Aside {
			if !slices.Contains(w.Used, mark) {
				w.Used = append(w.Used, mark)
			}
		}
	}
	if !alike(slices.Sorted(slices.Values(w.Used)), slices.Sorted(slices.Values(g.Aside))) {
		a.r.otherwise(&a.r.answers, e, "of what %s had filed ahead %v is said to be set aside, and that is %v", g.Decision.Side, g.Aside, w.Used)
	}
}

// asked checks which stops open because something waits for them.
func (a aheads) asked(e numbered, m *waypoint, s *log.Resolved) {
	if a.r.rules == nil || m.position == nil || s.Again != 0 {
		return
	}
	sheet, _ := ahead.Sheet(a.r.rules)
	for _, side := range m.position.Sides() {
		w := m.ahead[side]
		if w != nil && !w.known() {
			continue // it is withheld
		}
		var kinds []string
		if w != nil {
			kinds = w.Kinds(sheet)
		}
		if !slices.Equal(kinds, s.Asked[side]) {
			a.r.otherwise(&a.r.answers, e, "the stops %v are said to open for %s because something is filed ahead of them, and they are %v", s.Asked[side], side, kinds)
		}
	}
}

// leaves drops what a seat has filed ahead, since it has another player or none. An answer
// that came from it stays in force.
func (a aheads) leaves(e numbered) {
	n, m := a.r.player(e.seat), a.r.now()
	a.r.terms[n]++
	var left log.Leaving
	ends := len(e.data) > 0 && json.Unmarshal(e.data, &left) == nil && left.Ends
	if ends {
		a.r.ended[n] = a.r.terms[n]
	}
	if m == nil {
		return
	}
	if w := m.after()[e.seat]; w != nil {
		if m.stays == nil {
			m.stays = map[engine.Side]*waiting{}
		}
		m.stays[e.seat] = w
		delete(m.after(), e.seat)
	}
	if m.tried[e.seat].Answer == nil {
		delete(m.tried, e.seat)
	}
	if p := a.r.files.pending[e.seat]; p != nil && ends {
		p.files, p.put = 0, 0
	}
}

// lapse lets what waits lapse where its time is over, or nothing of it is left.
func (a aheads) lapse(m *waypoint) {
	if m.position == nil || a.r.rules == nil {
		return
	}
	sheet, _ := ahead.Sheet(a.r.rules)
	for side, w := range m.ahead {
		if w.known() && (w.Lapsed(m.position) || len(w.Waiting(sheet)) == 0) {
			delete(m.ahead, side)
		}
	}
}

// opens checks that a file files what an answer is said to have been filed in.
func (fd *filed) opens(g *log.Given, fault func(string, ...any)) bool {
	t, ok := fd.ahead[g.Entry]
	switch {
	case g.Part == nil || !ok:
		fault("the answer is said to have been filed ahead, and no file files anything")
		return false
	case t.Ahead != "" && t.Ahead != g.Part.Text, t.AheadSeal != "" && log.SealOf(g.Salt, g.Part.Text) != t.AheadSeal:
		fault("the answer is said to have been filed ahead otherwise than the file of entry %d does", g.Entry)
		return false
	}
	return true
}

// behind is what was filed ahead from which an answer at a stop may come: it waits, or who filed
// it has left since.
func (m *waypoint) behind(side engine.Side, entry uint64) *waiting {
	if w := m.stays[side]; w != nil && w.entry == entry {
		return w
	}
	return m.after()[side]
}

// inForce lists the answers in force at a stop that were filed ahead; what is withheld may be one.
func (a aheads) inForce(m *waypoint) map[engine.Side]*pending {
	all := map[engine.Side]*pending{}
	for _, from := range []map[engine.Side]*waiting{m.after(), m.stays} {
		for side, w := range from {
			found := m.tried[side]
			switch {
			case a.r.files.pending[side] != nil:
			case !w.known():
				all[side] = &pending{by: log.ByAhead, entry: w.entry, unknown: true}
			case found.Answer != nil:
				all[side] = &pending{by: log.ByAhead, entry: w.entry, orders: a.r.normal(found.Answer)}
			}
		}
	}
	return all
}

// byAhead checks that an answer was filed ahead: that it stands in a file that was waiting,
// and that this file comes to it where the stop is.
func (fd *filed) byAhead(was *waypoint, g *log.Given, fault func(string, ...any)) {
	if !fd.opens(g, fault) {
		return
	}
	w := was.behind(g.Decision.Side, g.Entry)
	if w == nil || w.entry != g.Entry {
		fault("what the file of entry %d files ahead was not waiting", g.Entry)
		return
	}
	if was.position == nil {
		return
	}
	found, ok := was.tried[g.Decision.Side]
	if !w.known() { // what was withheld until it was used
		w.Text = g.Part.Text
		found, ok = aheads{fd.r}.answersAhead(was, w, g.Decision), true
	}
	if !ok || found.Answer == nil || found.Mark != g.Part.Mark || fd.r.normal(found.Answer) != g.Orders {
		if fd.r.same() {
			fault("the file of entry %d does not come to this answer", g.Entry)
		} else {
			fd.r.differing++
		}
	}
}

// passedOver tells whether an answer that was filed ahead, and would have counted, was
// passed over for the default or the bot.
func (fd *filed) passedOver(was *waypoint, g *log.Given) bool {
	found, ok := was.tried[g.Decision.Side]
	return ok && found.Answer != nil && !fd.redoing && fd.r.same()
}
