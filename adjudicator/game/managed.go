package game

import (
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Guarded is an input that a game master is shown before it counts.
type Guarded interface {
	Input
	// May tells why it can't happen now, as far as that can be known before.
	May(g *State) error
}

// Processed says that a game master has the present stop resolved before its time. For whoever has
// not answered the default is taken; who had time left was not silent.
type Processed struct{ Stop int } // that he means; 0: whichever is open

// May implements [Guarded].
func (p Processed) May(g *State) error {
	switch {
	case g.Phase != Running:
		return Refuse("office.gm.ended")
	case !g.Paused.IsZero():
		return Refuse("office.process.paused")
	case g.AsksLuck():
		return Refuse("office.process.luck")
	case p.Stop != 0 && p.Stop != g.Stop:
		return Refuse("office.process.stop", phrase.Number("stop", p.Stop), phrase.Number("open", g.Stop))
	}
	return nil
}

// without are the seats of persons for whom the default would be taken if the stop were resolved now.
func (g *State) without() (all []*Seat) {
	for _, s := range g.Seats {
		if s.Owes != nil && !s.Owes.Passed && s.Owes.Answer == nil && s.Played() {
			all = append(all, s)
		}
	}
	return all
}

// hasTime tells whether the time of what a seat owes is not up. For who could not get his report it
// never is: his clock stands still.
func (s *Seat) hasTime(now time.Time) bool {
	return s.Owes.Deadline.IsZero() || s.Stands() || s.Ends().After(now)
}

// WithoutAnswer are the sides of persons for whom the default would be taken: those who have time left, and those
// who are late.
func (g *State) WithoutAnswer(now time.Time) (inTime, late []engine.Side) {
	for _, s := range g.without() {
		if s.hasTime(now) {
			inTime = append(inTime, s.Side)
		} else {
			late = append(late, s.Side)
		}
	}
	return inTime, late
}

func (p Processed) happen(t *Turn) error {
	g := t.Game
	if err := p.May(g); err != nil {
		return err
	}
	waiting := map[engine.Side]int{}
	for _, s := range g.without() {
		waiting[s.Side] = s.Owes.Stop
		s.Owes.Excused = s.hasTime(t.Now)
	}
	if err := t.Log(log.Entry{Kind: log.KindProcessed, By: log.ByGM, Data: log.Processed{Waiting: waiting}}); err != nil {
		return err
	}
	for _, s := range g.Seats {
		if s.Person.Bot == "" {
			s.Told = append(s.Told, News{Say: phrase.Say("office.processed.told")})
		}
		if o := s.Owes; o != nil {
			o.Passed = true
			o.Runs()
		}
	}
	return settle(t)
}

// Vacated says that a game master takes a seat from its player: what plays for him plays for one who has
// resigned. His key is worth nothing from then on. A reserve takes the seat, if the game has one.
type Vacated struct {
	Side   engine.Side
	Reason string // told to him alone
}

// May implements [Guarded].
func (v Vacated) May(g *State) error {
	s := g.Seat(v.Side)
	switch {
	case g.Phase != Running:
		return Refuse("office.gm.ended")
	case s == nil:
		return Refuse("office.gm.no-side", phrase.Literal("side", string(v.Side)))
	case s.Person.Bot != "" || s.Vacated:
		return Refuse("office.vacate.nobody", SideName(v.Side))
	}
	return nil
}

func (v Vacated) happen(t *Turn) error {
	if err := v.May(t.Game); err != nil {
		return err
	}
	s := t.Game.Seat(v.Side)
	if err := TellVerdicts(t, s, true); err != nil { // the player leaves, and is told the results of his letters
		return err
	}
	t.TellSeat(s, phrase.Say("office.vacated.subject", SideName(s.Side)), phrase.Say("office.vacated.you", phrase.Literal("reason", v.Reason)))
	endAhead(s)
	s.Resigned, s.Vacated, s.Bot, s.Lent, s.Taken = true, true, false, nil, nil
	s.Epoch++
	s.Keys = 0
	if !t.Game.takesPart(s.Person.Address) {
		t.Left = append(t.Left, s.Person.Address)
	}
	if err := t.Log(log.Entry{Kind: log.KindVacated, Seat: s.Side, By: log.ByGM, Data: log.Leaving{Ends: true}, Private: map[string]any{"old": s.Person, "reason": v.Reason}}); err != nil {
		return err
	}
	if t.Game.Silence.Replace > 0 && t.Game.League == "" {
		if took, err := reserve(t, s); took || err != nil {
			if err != nil {
				return err
			}
			return settle(t)
		}
	}
	how := ""
	if t.Game.Silence.Bot > 0 {
		how = "-bot"
	}
	left := false
	for _, other := range t.Game.Seats {
		left = left || other.Played()
	}
	t.tellOthers(s, phrase.Say("office.vacated.subject", SideName(s.Side)), phrase.Say("office.vacated.other"+how, SideName(s.Side)))
	if !left { // nobody is there to play on for
		return t.Do(Paused{By: "office"})
	}
	return settle(t)
}

// Changed says that a game master changes what the set-up of a running game says. What it does not name stays
// as it is. A new rule for deadlines counts from the next stop on: no deadline that runs moves.
type Changed struct {
	Timing   *timing.Timing `json:"timing,omitempty"`
	Press    []string       `json:"press,omitempty"` // none: as before
	Silence  *log.Silence   `json:"silence,omitempty"`
	Reserves *[]log.Person  `json:"reserves,omitempty"`
}

// Nothing tells whether nothing is changed.
func (c Changed) Nothing() bool {
	return c.Timing == nil && len(c.Press) == 0 && c.Silence == nil && c.Reserves == nil
}

// May implements [Guarded].
func (c Changed) May(g *State) error {
	switch {
	case g.Phase != Running:
		return Refuse("office.gm.ended")
	case g.League != "" && (c.Silence != nil || c.Reserves != nil):
		return Refuse("office.change.league")
	case c.Nothing():
		return Refuse("office.change.nothing")
	}
	if c.Reserves != nil && len(*c.Reserves) > 0 {
		replace := g.Silence.Replace
		if c.Silence != nil {
			replace = c.Silence.Replace
		}
		if replace == 0 {
			return Refuse("office.setup.reserves-when")
		}
	}
	return nil
}

// Says is what everybody is told of the change.
func (c Changed) Says() (all []phrase.Phrase) {
	if r := c.Timing; r != nil {
		all = append(all, phrase.Say("office.changed.deadline", phrase.Literal("usual", timing.WriteDuration(r.Usual.Usual)), phrase.Literal("grace", written(r.Usual.Grace)), phrase.Literal("at", r.Usual.Clock)))
		if r.Usual.Wait {
			all = append(all, phrase.Say("office.changed.wait"))
		}
		if n := len(r.Kinds); n > 0 {
			all = append(all, phrase.Say("office.changed.kinds", phrase.Number("n", n)))
		}
	}
	if len(c.Press) > 0 {
		all = append(all, phrase.Say("office.changed.press", phrase.Keywords("kinds", c.Press)))
	}
	if s := c.Silence; s != nil {
		if s.Bot > 0 {
			all = append(all, phrase.Say("office.changed.bot", phrase.Number("n", s.Bot)))
		}
		if s.Replace > 0 {
			all = append(all, phrase.Say("office.changed.replace", phrase.Number("n", s.Replace)))
		}
		if s.Bot+s.Replace == 0 {
			all = append(all, phrase.Say("office.changed.no-steps"))
		}
	}
	if c.Reserves != nil && len(*c.Reserves) > 0 {
		all = append(all, phrase.Say("office.changed.reserves", phrase.Number("n", len(*c.Reserves))))
	} else if c.Reserves != nil {
		all = append(all, phrase.Say("office.changed.no-reserves"))
	}
	return all
}

// written writes a length of time; "": there is none.
func written(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return timing.WriteDuration(d)
}

// Names are the names and addresses of the new reserves, for the game master alone.
func (c Changed) Names() string {
	if c.Reserves == nil {
		return ""
	}
	var all []string
	for _, p := range *c.Reserves {
		all = append(all, strings.TrimSpace(p.Name+" "+p.Address))
	}
	return strings.Join(all, ", ")
}

func (c Changed) happen(t *Turn) error {
	g := t.Game
	if err := c.May(g); err != nil {
		return err
	}
	if c.Timing != nil {
		g.Timing = *c.Timing
	}
	if len(c.Press) > 0 {
		g.Press, g.NoPress = slices.Clone(c.Press), false
	}
	if c.Silence != nil {
		forfeit := g.Silence.Forfeit
		g.Silence = *c.Silence
		g.Silence.Forfeit = forfeit
	}
	data := log.Changed{Timing: c.Timing, Press: c.Press, Silence: c.Silence}
	entry := log.Entry{Kind: log.KindChanged, By: log.ByGM}
	if c.Reserves != nil {
		n := len(*c.Reserves)
		data.Reserves, g.Reserves = &n, slices.Clone(*c.Reserves)
		entry.Private = map[string]any{"reserves": g.Reserves}
	}
	entry.Data = data
	if err := t.Log(entry); err != nil {
		return err
	}
	t.TellSeats(phrase.Say("office.changed.subject"), append([]phrase.Phrase{phrase.Say("office.changed.what")}, c.Says()...)...)
	return settle(t)
}
