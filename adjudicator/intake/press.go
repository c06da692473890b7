package intake

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"slices"
	"strings"
	"unicode/utf8"
)

// Press reads a letter to other players: to whom it goes, and what it says. Whether they may
// talk now, the rules say.
func (f *File) Press(s *game.Seat) (log.Press, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	g := f.Game
	to, reply := f.pressTo(r, s)
	text := f.pressText(r)
	hidden, _ := r.Bool(f.Value("anonymous"))
	if hidden && !g.MayWrite(game.PressAnonymous) {
		r.Refuse(f.Value("anonymous"), "", phrase.Say("office.press.no-anonymous"))
	}
	if g.MayWrite(game.PressAnonymous) && !g.MayWrite(game.PressSigned) && !g.MayWrite(game.PressOpen) {
		hidden = true
	}
	sender, delay := f.pressModes(r, s, to, hidden, reply)
	if g.MayWrite(game.PressNone) {
		r.Problems = orders.Problems{f.Fault("command", phrase.Say("office.press.none"))}
	} else if clause, why, may := game.MayTalk(f.Loaded, s, to, reply); !may {
		p := f.Fault("for", why)
		p.Clause = clause
		r.Problems = append(r.Problems, p)
	}
	r.Problems.Sort()
	return log.Press{To: to, Text: text, Anonymous: hidden, Reply: reply, Sender: sender, Delay: delay}, r.Problems
}

// pressModes reads under which other side's name a letter is to go, and how many stops later, where the game has
// such letters. A reply to a letter without a name takes no other name: which one is refused would tell whose letter that was.
func (f *File) pressModes(r *orders.Reader, s *game.Seat, to []engine.Side, hidden bool, unsigned int) (sender engine.Side, delay int) {
	if n := f.Value("delay"); n != nil {
		if delay, _ = r.Int(n, 1, game.MostDelay); !f.Game.MayWrite(game.PressDelayed) {
			r.Refuse(n, "", phrase.Say("office.press.no-delay"))
		}
	}
	n := f.Value("sender")
	if n == nil {
		return "", delay
	}
	text, _ := r.Text(n)
	i := slices.IndexFunc(f.Game.Seats, func(o *game.Seat) bool { return o != s && f.Means(text, o.Side) })
	switch {
	case !f.Game.MayWrite(game.PressFaked):
		r.Refuse(n, "", phrase.Say("office.press.no-fake"))
	case unsigned != 0:
		r.Refuse(n, "", phrase.Say("office.press.fake-reply", phrase.Number("letter", unsigned)))
	case hidden:
		r.Refuse(n, "", phrase.Say("office.press.fake-or-anonymous"))
	case i < 0:
		r.Refuse(n, "", phrase.Say("office.press.nobody-else", phrase.Literal("got", text), phrase.Names("sides", "side", f.others(s))))
	case slices.Contains(to, f.Game.Seats[i].Side):
		r.Refuse(n, "", phrase.Say("office.press.fake-to-himself", game.SideName(f.Game.Seats[i].Side)))
	default:
		sender = f.Game.Seats[i].Side
	}
	return sender, delay
}

// MasterPress reads what a game master writes to the players.
func (f *File) MasterPress() (text string, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	text = f.pressText(r)
	r.Problems.Sort()
	return text, r.Problems
}

// Passed reads the game master's word on a letter that waits for him: letter: 3, and
// cancel: yes if it is not to be passed on.
func (f *File) Passed() (h game.HeldPress, cancel bool, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	n := f.Value("letter")
	if n == nil {
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.press.which")))
	}
	number, ok := r.Int(n, 1, 1<<30)
	cancel, _ = r.Bool(f.Value("cancel"))
	i := slices.IndexFunc(f.Game.Held, func(h game.HeldPress) bool { return h.Number == number })
	if ok && i < 0 {
		r.Refuse(n, "", phrase.Say("office.press.not-held", phrase.Number("letter", number)))
	}
	if len(r.Problems) > 0 {
		return h, cancel, r.Problems
	}
	h = f.Game.Held[i]
	if talker, may := f.Position.(engine.Talker); may && !cancel {
		if clause, why, free := talker.Talk(h.From, h.To); !free {
			fault := f.Fault("letter", why)
			fault.Clause = clause
			problems = orders.Problems{fault}
		}
	}
	return h, cancel, problems
}

// Bounds of a letter that is passed on to other players.
const (
	LongestPress = 4000 // bytes
	mostLines    = 100
	longestLine  = 1000 // characters; longer ones are broken
)

// pressTo reads for whom a letter is: for: with sides or all, or reply: with the
// number of the letter that it answers. Where it can be for one alone it need not
// say. If it answers a letter without a name, the number of that letter is given
// too.
func (f *File) pressTo(r *orders.Reader, s *game.Seat) (to []engine.Side, unsigned int) {
	n, reply := f.Value("for"), f.Value("reply")
	readers := game.Readers(f.Loaded, s)
	onlyOpen := f.Game.MayWrite(game.PressOpen) && !f.Game.MayWrite(game.PressSigned) && !f.Game.MayWrite(game.PressAnonymous)
	switch {
	case len(readers) == 0:
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.press.no-allies")))
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
	case n == nil && (len(readers) == 1 || f.Game.MayWrite(game.PressAllies)):
		to = readers
	case n == nil:
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.press.to", phrase.Names("sides", "side", f.others(s)))))
	default:
		to = f.sidesFor(r, s, n)
	}
	for _, side := range to {
		if reply == nil && !slices.Contains(readers, side) {
			r.Refuse(n, "", phrase.Say("office.press.allies-only", game.SideName(side)))
		}
	}
	return to, unsigned
}

// sidesFor reads a list of sides.
func (f *File) sidesFor(r *orders.Reader, s *game.Seat, n *orders.Node) []engine.Side {
	var to []engine.Side
	for _, item := range r.List(n) {
		text, ok := r.Text(item)
		if !ok {
			continue
		}
		i := slices.IndexFunc(f.Game.Seats, func(o *game.Seat) bool { return o != s && f.Means(text, o.Side) })
		if i < 0 {
			r.Refuse(item, "", phrase.Say("office.press.nobody", phrase.Literal("got", text), phrase.Names("sides", "side", f.others(s))))
		} else if side := f.Game.Seats[i].Side; !slices.Contains(to, side) {
			to = append(to, side)
		}
	}
	if len(to) == 0 && len(r.Problems) == 0 {
		r.Refuse(n, "", phrase.Say("office.press.to", phrase.Names("sides", "side", f.others(s))))
	}
	return to
}

// others are the sides besides a seat's.
func (f *File) others(s *game.Seat) []string {
	var ids []string
	for _, o := range f.Game.Seats {
		if o != s {
			ids = append(ids, string(o.Side))
		}
	}
	return ids
}

func (f *File) pressText(r *orders.Reader) string {
	n := f.Value("text")
	if n == nil {
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.press.text")))
		return ""
	}
	raw, ok := r.Text(n)
	text := CleanPress(raw, f.Clean)
	switch {
	case !ok:
	case text == "":
		r.Refuse(n, "", phrase.Say("office.press.text"))
	case len(raw) > LongestPress || strings.Count(text, "\n") >= mostLines:
		r.Refuse(n, "", phrase.Say("office.press.long", phrase.Number("most", LongestPress), phrase.Number("lines", mostLines)))
	}
	return text
}

// CleanPress is a text as its readers will see it, line by line. What could
// pass for something else is gone: hidden characters, signs that turn the
// writing around, rows of signs like those around an order file.
func CleanPress(text string, clean func(string) string) string {
	var lines []string
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)) {
		for line = clean(line); line != ""; {
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
