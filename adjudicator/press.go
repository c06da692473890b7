package adjudicator

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Bounds of a letter that is passed on to other players.
const (
	longestPress = 4000 // bytes
	mostLines    = 100
	longestLine  = 1000 // characters; longer ones are broken
	mostFrom     = 200  // letters that can still be replied to
	mostHeld     = 100  // letters that wait for the game master
)

// Press is a letter of a player to others, as the log keeps it: as its readers
// saw it.
type Press struct {
	To        []engine.Side `json:"to"`
	Text      string        `json:"text"`
	Anonymous bool          `json:"anonymous,omitempty"` // the readers do not know who wrote it
	Passed    string        `json:"passed,omitempty"`    // "": at once; "waits": for the game master; "gm": he passed it on; "dropped": he did not
	Number    int           `json:"number,omitempty"`    // of a letter that waited
	Reply     int           `json:"reply,omitempty"`     // the letter without a name that it answers: its writer does not know whom it is for
}

// sayReaders says to its writer whom a letter is for. Of a reply to a letter
// without a name he knows only which letter that was.
func sayReaders(to []engine.Side, reply int) phrase.Arg {
	if reply > 0 {
		return phrase.Within("sides", phrase.Say("office.press.its-writer", phrase.Number("letter", reply)))
	}
	return phrase.Names("sides", "side", sideIDs(to))
}

// mayTalk tells whether the rules let a side write to others now, and if not the
// clause and the reason. Whether a letter without a name may be answered must
// not depend on who wrote it: it may be if the side may write to everybody who
// could have.
func (v *visit) mayTalk(s *game.Seat, to []engine.Side, reply int) (clause string, why phrase.Phrase, ok bool) {
	talker, is := v.Position.(engine.Talker)
	if !is || len(to) == 0 {
		return "", phrase.Phrase{}, true
	}
	if reply == 0 {
		return talker.Talk(s.Side, to)
	}
	for _, other := range v.Game.Seats {
		if other == s {
			continue
		}
		if _, _, may := talker.Talk(s.Side, []engine.Side{other.Side}); !may {
			return "", phrase.Say("office.press.not-unsigned"), false
		}
	}
	return "", phrase.Phrase{}, true
}

// press passes a player's words on to others, under the names of their sides:
// nobody learns an address. Whether they may talk now, the rules say.
func (v *visit) press(s *game.Seat) error {
	r := orders.NewReader(game.Vocabulary)
	g := v.Game
	to, reply := v.pressTo(r, s)
	text := v.pressText(r)
	hidden, _ := r.Bool(v.value("anonymous"))
	if hidden && !g.MayWrite(game.PressAnonymous) {
		r.Refuse(v.value("anonymous"), "", phrase.Say("office.press.no-anonymous"))
	}
	if g.MayWrite(game.PressAnonymous) && !g.MayWrite(game.PressSigned) && !g.MayWrite(game.PressOpen) {
		hidden = true
	}
	if g.MayWrite(game.PressNone) {
		r.Problems = orders.Problems{v.fault("command", phrase.Say("office.press.none"))}
	} else if clause, why, may := v.mayTalk(s, to, reply); !may {
		p := v.fault("for", why)
		p.Clause = clause
		r.Problems = append(r.Problems, p)
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return v.refuse(s, false, r.Problems)
	}
	if !v.mayAnswer() {
		v.done("press, too much", mail.Rejected)
		return nil
	}
	v.done("press", mail.Processed)
	p := Press{To: to, Text: text, Anonymous: hidden, Reply: reply}
	if g.MayWrite(game.PressGM) {
		return v.holdPress(s, p)
	}
	if err := v.passOn(s, p, log.HexOf(v.intake.Mail.Digest), "player"); err != nil {
		return err
	}
	v.reply(s, v.intake.Mail, "notice", phrase.Say("office.press.sent.subject"), false,
		phrase.Say("office.press.sent", sayReaders(to, reply)))
	return nil
}

// passOn gives a letter to those whom it is for, and to the log.
func (d *desk) passOn(s *game.Seat, p Press, letter, by string) error {
	if err := d.Log(log.Entry{Kind: log.KindPress, Seat: s.Side, By: by, Letter: letter, Data: p}); err != nil {
		return err
	}
	subject, from := phrase.Say("office.press.subject", game.SideName(s.Side)), phrase.Say("office.press.from", game.SideName(s.Side))
	if p.Anonymous {
		subject, from = phrase.Say("office.press.subject-anonymous"), phrase.Say("office.press.from-anonymous")
	}
	lines := []phrase.Phrase{from}
	for _, line := range strings.Split(p.Text, "\n") {
		if line != "" {
			lines = append(lines, phrase.Say("office.press.line", phrase.Literal("text", line)))
		}
	}
	for _, side := range p.To {
		other := d.Game.Seat(side)
		if other == nil {
			continue
		}
		other.Letters++
		other.From = append(other.From, game.HeardFrom{Letter: other.Letters, Side: s.Side, Anonymous: p.Anonymous})
		if n := len(other.From) - mostFrom; n > 0 {
			other.From = slices.Delete(other.From, 0, n)
		}
		head := lines
		if len(p.To) > 1 && !p.Anonymous {
			head = append([]phrase.Phrase{phrase.Say("office.press.to-all", game.SideName(s.Side), phrase.Names("sides", "side", sideIDs(p.To)))}, lines[1:]...)
		}
		d.post(other, "press", nil, d.office.words.Notice(templates.Notice{
			Heading: d.heading(other), Subject: subject, Lines: head, Form: d.pressForm(other),
		}))
	}
	if d.Game.MayWrite(game.PressOpen) && len(p.To) == len(d.Game.Seats)-1 {
		d.TellGM(subject, lines...)
	}
	return nil
}

// pressForm is a letter with which a player replies to the last one that he got.
func (d *desk) pressForm(s *game.Seat) string {
	return orders.Mapping().Set("game", orders.Text(d.Game.ID)).Set("key", orders.Text(d.office.seatKey(d.Game, s))).
		Set("command", orders.Text("press")).Set("reply", orders.Number(s.Letters)).Encode() + "text: |\n  \n"
}

// holdPress keeps a letter for the game master.
func (v *visit) holdPress(s *game.Seat, p Press) error {
	g := v.Game
	if _, blind := v.Blind(g.GM.Address); blind {
		return v.refuse(s, false, orders.Problems{v.fault("command", phrase.Say("office.press.gm-plays"))})
	}
	if len(g.Held) >= mostHeld {
		return v.refuse(s, false, orders.Problems{v.fault("command", phrase.Say("office.press.full"))})
	}
	g.HeldUpTo++
	p.Passed, p.Number = "waits", g.HeldUpTo
	if err := v.Log(log.Entry{Kind: log.KindPress, Seat: s.Side, By: "player", Letter: log.HexOf(v.intake.Mail.Digest), Data: p}); err != nil {
		return err
	}
	g.Held = append(g.Held, game.HeldPress{Number: p.Number, From: s.Side, To: p.To, Text: p.Text, Anonymous: p.Anonymous, Reply: p.Reply})
	lines := []phrase.Phrase{phrase.Say("office.press.held", game.SideName(s.Side), phrase.Names("sides", "side", sideIDs(p.To)), phrase.Number("letter", p.Number))}
	if p.Anonymous {
		lines = append(lines, phrase.Say("office.press.held-anonymous"))
	}
	for _, line := range strings.Split(p.Text, "\n") {
		if line != "" {
			lines = append(lines, phrase.Say("office.press.line", phrase.Literal("text", line)))
		}
	}
	v.postGM("press", nil, v.office.words.Notice(templates.Notice{
		Heading: v.gmHeading(), Subject: phrase.Say("office.press.held.subject", game.SideName(s.Side)), Lines: append(lines, phrase.Say("office.press.held.do")),
		Form: orders.Mapping().Set("game", orders.Text(g.ID)).Set("key", orders.Text(v.office.gmKey(g))).
			Set("command", orders.Text("pass")).Set("letter", orders.Number(p.Number)).Encode(),
	}))
	v.reply(s, v.intake.Mail, "notice", phrase.Say("office.press.sent.subject-gm"), false,
		phrase.Say("office.press.sent-gm", sayReaders(p.To, p.Reply)))
	return nil
}

// passPress is the game master's word on a letter that waits for him: letter: 3,
// and cancel: yes if it is not to be passed on.
func (v *visit) passPress() error {
	r := orders.NewReader(game.Vocabulary)
	n := v.value("letter")
	if n == nil {
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.press.which")))
	}
	number, ok := r.Int(n, 1, 1<<30)
	cancel, _ := r.Bool(v.value("cancel"))
	i := slices.IndexFunc(v.Game.Held, func(h game.HeldPress) bool { return h.Number == number })
	if ok && i < 0 {
		r.Refuse(n, "", phrase.Say("office.press.not-held", phrase.Number("letter", number)))
	}
	if len(r.Problems) > 0 {
		return v.refuseGM(r.Problems)
	}
	h := v.Game.Held[i]
	p := Press{To: h.To, Text: h.Text, Anonymous: h.Anonymous, Passed: "gm", Number: h.Number, Reply: h.Reply}
	s := v.Game.Seat(h.From)
	letter := log.HexOf(v.intake.Mail.Digest)
	if talker, may := v.Position.(engine.Talker); may && !cancel {
		if clause, why, free := talker.Talk(h.From, h.To); !free {
			fault := v.fault("letter", why)
			fault.Clause = clause
			return v.refuseGM(orders.Problems{fault})
		}
	}
	v.Game.Held = slices.Delete(v.Game.Held, i, i+1)
	code := "office.press.passed"
	if cancel {
		p.Passed, code = "dropped", "office.press.dropped"
		if err := v.Log(log.Entry{Kind: log.KindPress, Seat: s.Side, By: "gm", Letter: letter, Data: p}); err != nil {
			return err
		}
	} else if err := v.passOn(s, p, letter, "gm"); err != nil {
		return err
	}
	v.TellSeat(s, phrase.Say(code+".subject"), phrase.Say(code, sayReaders(h.To, h.Reply)))
	return v.sendGM(templates.Notice{Heading: v.gmHeading(), Subject: phrase.Say(code + ".subject"),
		Lines: []phrase.Phrase{phrase.Say(code, phrase.Names("sides", "side", sideIDs(h.To)))}})
}

func sideIDs(sides []engine.Side) []string {
	ids := make([]string, len(sides))
	for i, side := range sides {
		ids[i] = string(side)
	}
	return ids
}

// pressTo reads for whom a letter is: for: with sides or all, or reply: with the
// number of the letter that it answers. Where it can be for one alone it need not
// say. If it answers a letter without a name, the number of that letter is given
// too.
func (v *visit) pressTo(r *orders.Reader, s *game.Seat) (to []engine.Side, unsigned int) {
	n, reply := v.value("for"), v.value("reply")
	readers := v.readers(s)
	onlyOpen := v.Game.MayWrite(game.PressOpen) && !v.Game.MayWrite(game.PressSigned) && !v.Game.MayWrite(game.PressAnonymous)
	switch {
	case len(readers) == 0:
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.press.no-allies")))
	case reply != nil && n != nil:
		r.Refuse(reply, "", phrase.Say("office.press.reply-or-for"))
	case reply != nil:
		number, ok := r.Int(reply, 1, 1<<30)
		i := slices.IndexFunc(s.From, func(h game.HeardFrom) bool { return h.Letter == number })
		switch {
		case !ok:
		case i < 0:
			r.Refuse(reply, "", phrase.Say("office.press.no-letter", phrase.Number("letter", number)))
		case onlyOpen:
			to = readers
		default:
			to = []engine.Side{s.From[i].Side}
			if s.From[i].Anonymous {
				unsigned = number
			}
		}
	case onlyOpen && (n == nil || r.Is(n, "all")), n != nil && r.Is(n, "all"):
		to = readers
	case onlyOpen:
		r.Refuse(n, "", phrase.Say("office.press.open-only"))
	case n == nil && (len(readers) == 1 || v.Game.MayWrite(game.PressAllies)):
		to = readers
	case n == nil:
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.press.to", phrase.Names("sides", "side", v.others(s)))))
	default:
		to = v.sidesFor(r, s, n)
	}
	for _, side := range to {
		if reply == nil && !slices.Contains(readers, side) {
			r.Refuse(n, "", phrase.Say("office.press.allies-only", game.SideName(side)))
		}
	}
	return to, unsigned
}

// readers are those to whom a seat may write at all.
func (v *visit) readers(s *game.Seat) []engine.Side {
	var list []engine.Side
	for _, other := range v.Game.Seats {
		if other != s && (!v.Game.MayWrite(game.PressAllies) || v.allied(s.Side, other.Side)) {
			list = append(list, other.Side)
		}
	}
	return list
}

// allied tells whether two sides fight together.
func (v *visit) allied(a, b engine.Side) bool {
	p, ok := v.Position.(engine.Allied)
	return ok && slices.Contains(p.Allies(a), b)
}

// sidesFor reads a list of sides.
func (v *visit) sidesFor(r *orders.Reader, s *game.Seat, n *orders.Node) []engine.Side {
	var to []engine.Side
	for _, item := range r.List(n) {
		text, ok := r.Text(item)
		if !ok {
			continue
		}
		i := slices.IndexFunc(v.Game.Seats, func(o *game.Seat) bool { return o != s && v.means(text, o.Side) })
		if i < 0 {
			r.Refuse(item, "", phrase.Say("office.press.nobody", phrase.Literal("got", text), phrase.Names("sides", "side", v.others(s))))
		} else if side := v.Game.Seats[i].Side; !slices.Contains(to, side) {
			to = append(to, side)
		}
	}
	if len(to) == 0 && len(r.Problems) == 0 {
		r.Refuse(n, "", phrase.Say("office.press.to", phrase.Names("sides", "side", v.others(s))))
	}
	return to
}

// others are the sides besides a seat's.
func (v *visit) others(s *game.Seat) []string {
	var ids []string
	for _, o := range v.Game.Seats {
		if o != s {
			ids = append(ids, string(o.Side))
		}
	}
	return ids
}

func (v *visit) pressText(r *orders.Reader) string {
	n := v.value("text")
	if n == nil {
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.press.text")))
		return ""
	}
	raw, ok := r.Text(n)
	text := cleanPress(raw)
	switch {
	case !ok:
	case text == "":
		r.Refuse(n, "", phrase.Say("office.press.text"))
	case len(raw) > longestPress || strings.Count(text, "\n") >= mostLines:
		r.Refuse(n, "", phrase.Say("office.press.long", phrase.Number("most", longestPress), phrase.Number("lines", mostLines)))
	}
	return text
}

// cleanPress is a text as its readers will see it, line by line. What could
// pass for something else is gone: hidden characters, signs that turn the
// writing around, rows of signs like those around an order file.
func cleanPress(text string) string {
	var lines []string
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)) {
		for line = templates.Clean(line); line != ""; {
			piece := line
			if utf8.RuneCountInString(line) > longestLine {
				piece = string([]rune(line)[:longestLine])
				if i := strings.LastIndexByte(piece, ' '); i > 0 {
					piece = piece[:i]
				}
			}
			lines = append(lines, strings.TrimSpace(piece))
			line = strings.TrimSpace(line[len(piece):])
		}
	}
	return strings.Join(lines, "\n")
}

// saidInPress is a letter as the one of its history sees it; false if it is none
// of his.
func saidInPress(e log.Entry, p *Press, reader engine.Side) (phrase.Phrase, bool) {
	text := phrase.Literal("text", strings.ReplaceAll(p.Text, "\n", " / "))
	switch {
	case e.Seat == reader && p.Passed != "gm" && p.Passed != "dropped":
		return phrase.Say("office.history.you-wrote", sayReaders(p.To, p.Reply), text), true
	case e.Seat == reader || !slices.Contains(p.To, reader) || p.Passed == "waits" || p.Passed == "dropped":
		return phrase.Phrase{}, false
	case p.Anonymous:
		return phrase.Say("office.history.somebody-wrote", text), true
	}
	return phrase.Say("office.history.wrote", game.SideName(e.Seat), text), true
}

// pressOf lists the letters of players that a seat wrote or got, the oldest
// first.
func (d *desk) pressOf(s *game.Seat) (list []phrase.Phrase, err error) {
	err = d.office.read(func(tx store.Reader) error {
		return tx.Entries(d.Game.ID, 1, func(e chain.Entry) error {
			if !bytes.Contains(e.Body, []byte(`"kind":"`+log.KindPress+`"`)) && !bytes.Contains(e.Private, []byte(`"kind":"`+log.KindPress+`"`)) {
				return nil
			}
			var p Press
			entry, err := log.Read(e, &p)
			if err != nil || entry.Kind != log.KindPress {
				return err
			}
			if say, ok := saidInPress(entry, &p, d.SideAt(s, e.Seq)); ok {
				list = append(list, say)
			}
			return nil
		})
	})
	return list, err
}
