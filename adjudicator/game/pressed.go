package game

import (
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
	"slices"
	"strings"
)

// SentPress is that a player writes to others, under the names of their sides: nobody learns
// an address. In a game whose game master reads such letters it waits for him. It has been
// found that the player may.
type SentPress struct {
	Side   engine.Side
	Press  log.Press
	Letter Reference
}

func (p SentPress) happen(t *Turn) error {
	s := t.Game.Seat(p.Side)
	if t.Game.MayWrite(PressGM) {
		return holdPress(t, s, p)
	}
	return sendPress(t, s, p.Press, p.Letter.Digest, "player")
}

// MasterWrote is that a game master writes to the players: to all, or to those whom he names. It goes to them
// whatever the game says of letters between players, and each has it in his history.
type MasterWrote struct {
	To     []engine.Side // none: all
	Text   string
	Letter Reference
}

func (m MasterWrote) happen(t *Turn) error {
	to := m.To
	for _, side := range to {
		if s := t.Game.Seat(side); s == nil || s.Person.Bot != "" {
			return Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
		}
	}
	if len(to) == 0 {
		for _, s := range t.Game.Seats {
			if s.Person.Bot == "" {
				to = append(to, s.Side)
			}
		}
	}
	if err := t.Log(log.Entry{Kind: log.KindPress, By: log.ByGM, Letter: m.Letter.Digest, Data: log.Press{To: to, Text: m.Text}}); err != nil {
		return err
	}
	lines := append([]phrase.Phrase{phrase.Say("office.press.from-gm")}, sayText(m.Text)...)
	for _, side := range to {
		t.TellSeat(t.Game.Seat(side), phrase.Say("office.press.subject-gm"), lines...)
	}
	return nil
}

// PassedPress is the game master's word on a letter that waits for him.
type PassedPress struct {
	Number int
	Cancel bool // it is not passed on
	Letter Reference
}

func (p PassedPress) happen(t *Turn) error {
	i := slices.IndexFunc(t.Game.Held, func(h HeldPress) bool { return h.Number == p.Number })
	if i < 0 {
		return Refuse("office.press.not-held", phrase.Number("letter", p.Number))
	}
	h := t.Game.Held[i]
	press := log.Press{To: h.To, Text: h.Text, Anonymous: h.Anonymous, Passed: "gm", Number: h.Number, Reply: h.Reply, Sender: h.Sender, Delay: h.Delay}
	s := t.Game.Seat(h.From)
	t.Game.Held = slices.Delete(slices.Clone(t.Game.Held), i, i+1)
	code := "office.press.passed"
	if p.Cancel {
		press.Passed, code = "dropped", "office.press.dropped"
		if err := t.Log(log.Entry{Kind: log.KindPress, Seat: s.Side, By: log.ByGM, Letter: p.Letter.Digest, Data: press}); err != nil {
			return err
		}
	} else if err := sendPress(t, s, press, p.Letter.Digest, log.ByGM); err != nil {
		return err
	}
	t.TellSeat(s, phrase.Say(code+".subject"), phrase.Say(code, SayReaders(h.To, h.Reply)))
	return nil
}

// sendPress gives a letter to those whom it is for: at once, or after as many stops of its writer as it says.
func sendPress(t *Turn, s *Seat, p log.Press, letter, by string) error {
	if p.Delay == 0 {
		return passOn(t, s, p, letter, by)
	}
	waiting := 0
	for _, d := range t.Game.Delayed {
		if d.From == s.Side {
			waiting++
		}
	}
	if waiting >= mostLater {
		return Refuse("office.press.later-full", phrase.Number("most", mostLater))
	}
	p.Passed = PressLater
	if err := t.Log(log.Entry{Kind: log.KindPress, Seat: s.Side, By: by, Letter: letter, Data: p}); err != nil {
		return err
	}
	t.Game.Delayed = append(slices.Clone(t.Game.Delayed), DelayedPress{From: s.Side, Asked: s.Stops + p.Delay, Press: p})
	return nil
}

// passDelayed passes on the letters whose stop has opened, as far as the rules let their writers talk now;
// once the game is over, all of them.
func passDelayed(t *Turn) error {
	var later []DelayedPress
	talker, restricted := t.Position.(engine.Talker)
	for _, d := range t.Game.Delayed {
		due := d.due(t.Game)
		if due && restricted && t.Game.Phase == Running {
			_, _, due = talker.Talk(d.From, d.Press.To)
		}
		if !due {
			later = append(later, d)
			continue
		}
		d.Press.Passed = PressCame
		if err := passOn(t, t.Game.Seat(d.From), d.Press, "", "office"); err != nil {
			return err
		}
	}
	t.Game.Delayed = later
	return nil
}

// passOn gives a letter to those whom it is for, and to the log.
func passOn(t *Turn, s *Seat, p log.Press, letter, by string) error {
	if err := t.Log(log.Entry{Kind: log.KindPress, Seat: s.Side, By: by, Letter: letter, Data: p}); err != nil {
		return err
	}
	under := s.Side
	if p.Sender != "" {
		under = p.Sender
	}
	subject, from := phrase.Say("office.press.subject", SideName(under)), phrase.Say("office.press.from", SideName(under))
	if p.Anonymous {
		subject, from = phrase.Say("office.press.subject-anonymous"), phrase.Say("office.press.from-anonymous")
	}
	lines := append([]phrase.Phrase{from}, sayText(p.Text)...)
	if t.Game.MayWrite(PressFaked) {
		lines = append(lines, phrase.Say("office.press.maybe-faked"))
	}
	for _, side := range p.To {
		other := t.Game.Seat(side)
		if other == nil {
			continue
		}
		other.Letters++
		other.From = append(slices.Clone(other.From), HeardFrom{Letter: other.Letters, Side: under, Anonymous: p.Anonymous})
		if n := len(other.From) - mostFrom; n > 0 {
			other.From = slices.Delete(other.From, 0, n)
		}
		head := lines
		if len(p.To) > 1 && !p.Anonymous {
			head = append([]phrase.Phrase{phrase.Say("office.press.to-all", SideName(under), phrase.Names("sides", "side", SideIDs(p.To)))}, lines[1:]...)
		}
		t.toSeat(other, Notice{Kind: "press", Subject: subject, Lines: head, Reply: true})
	}
	if t.Game.MayWrite(PressOpen) && len(p.To) == len(t.Game.Seats)-1 {
		t.TellGM(subject, lines...)
	}
	return nil
}

// holdPress keeps a letter for the game master, who is not one who plays.
func holdPress(t *Turn, s *Seat, sent SentPress) error {
	g, p := t.Game, sent.Press
	if _, blind := t.Blind(g.GM.Address); blind {
		return Refuse("office.press.gm-plays")
	}
	if len(g.Held) >= mostHeld {
		return Refuse("office.press.full")
	}
	g.HeldUpTo++
	p.Passed, p.Number = "waits", g.HeldUpTo
	if err := t.Log(log.Entry{Kind: log.KindPress, Seat: s.Side, By: "player", Letter: sent.Letter.Digest, Data: p}); err != nil {
		return err
	}
	g.Held = append(g.Held, HeldPress{Number: p.Number, From: s.Side, To: p.To, Text: p.Text, Anonymous: p.Anonymous, Reply: p.Reply, Sender: p.Sender, Delay: p.Delay})
	lines := []phrase.Phrase{phrase.Say("office.press.held", SideName(s.Side), phrase.Names("sides", "side", SideIDs(p.To)), phrase.Number("letter", p.Number))}
	if p.Anonymous {
		lines = append(lines, phrase.Say("office.press.held-anonymous"))
	}
	if p.Sender != "" {
		lines = append(lines, phrase.Say("office.press.held-sender", SideName(p.Sender)))
	}
	if p.Delay > 0 {
		lines = append(lines, phrase.Say("office.press.held-delay", phrase.Number("stops", p.Delay)))
	}
	lines = append(append(lines, sayText(p.Text)...), phrase.Say("office.press.held.do"))
	t.Tell(engine.GM, g.GM, Notice{Kind: "press", Subject: phrase.Say("office.press.held.subject", SideName(s.Side)), Lines: lines, Pass: p.Number})
	return nil
}

// sayText is the text of a letter, line by line.
func sayText(text string) []phrase.Phrase {
	var lines []phrase.Phrase
	for _, line := range strings.Split(text, "\n") {
		if line != "" {
			lines = append(lines, phrase.Say("office.press.line", phrase.Literal("text", line)))
		}
	}
	return lines
}

// SayReaders says to its writer whom a letter is for. Of a reply to a letter
// without a name he knows only which letter that was.
func SayReaders(to []engine.Side, reply int) phrase.Arg {
	if reply > 0 {
		return phrase.Within("sides", phrase.Say("office.press.its-writer", phrase.Number("letter", reply)))
	}
	return phrase.Names("sides", "side", SideIDs(to))
}

// SideIDs are the ids of sides, for a phrase.
func SideIDs(sides []engine.Side) []string {
	ids := make([]string, len(sides))
	for i, side := range sides {
		ids[i] = string(side)
	}
	return ids
}
