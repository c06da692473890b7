package adjudicator

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of a letter that is passed on to other players.
const (
	longestPress = 4000 // bytes
	mostLines    = 100
)

// Press is a letter of a player to others, as the log keeps it.
type Press struct {
	To   []engine.Side `json:"to"`
	Text string        `json:"text"`
}

// press passes a player's words on to others, under the names of their sides:
// nobody learns an address. Whether they may talk now, the rules say.
func (v *visit) press(s *seat) error {
	r := orders.NewReader(vocabulary)
	to := v.pressTo(r, s)
	text := v.pressText(r)
	if v.game.NoPress {
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.press.none")))
	} else if talker, ok := v.position.(engine.Talker); ok && len(to) > 0 {
		if clause, why, may := talker.Talk(s.Side, to); !may {
			p := v.fault("for", why)
			p.Clause = clause
			r.Problems = append(r.Problems, p)
		}
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
	e := Entry{Kind: LogPress, Seat: s.Side, By: "player", Letter: hexOf(v.intake.letter.Digest), Data: Press{To: to, Text: text}}
	if err := v.note(e); err != nil {
		return err
	}
	lines := []phrase.Phrase{phrase.Say("office.press.from", sideName(s.Side))}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, phrase.Say("office.press.line", phrase.Literal("text", line)))
		}
	}
	for _, side := range to {
		v.tell(v.game.seat(side), phrase.Say("office.press.subject", sideName(s.Side)), lines...)
	}
	v.notice(s, v.intake.letter, "notice", phrase.Say("office.press.sent.subject"), false,
		phrase.Say("office.press.sent", phrase.Names("sides", "side", sideIDs(to))))
	return nil
}

func sideIDs(sides []engine.Side) []string {
	ids := make([]string, len(sides))
	for i, side := range sides {
		ids[i] = string(side)
	}
	return ids
}

// pressTo reads for whom a letter is. In a game of two it need not say.
func (v *visit) pressTo(r *orders.Reader, s *seat) []engine.Side {
	n := v.value("for")
	if n == nil {
		if len(v.game.Seats) == 2 {
			for _, other := range v.game.Seats {
				if other != s {
					return []engine.Side{other.Side}
				}
			}
		}
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.press.to", phrase.Names("sides", "side", v.others(s)))))
		return nil
	}
	var to []engine.Side
	for _, item := range r.List(n) {
		text, ok := r.Text(item)
		if !ok {
			continue
		}
		i := slices.IndexFunc(v.game.Seats, func(o *seat) bool { return o != s && v.means(text, o.Side) })
		if i < 0 {
			r.Refuse(item, "", phrase.Say("office.press.nobody", phrase.Literal("got", text), phrase.Names("sides", "side", v.others(s))))
		} else if side := v.game.Seats[i].Side; !slices.Contains(to, side) {
			to = append(to, side)
		}
	}
	if len(to) == 0 && len(r.Problems) == 0 {
		r.Refuse(n, "", phrase.Say("office.press.to", phrase.Names("sides", "side", v.others(s))))
	}
	return to
}

// others are the sides besides a seat's.
func (v *visit) others(s *seat) []string {
	var ids []string
	for _, o := range v.game.Seats {
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
	text, ok := r.Text(n)
	text = strings.TrimSpace(text)
	switch {
	case !ok:
	case text == "":
		r.Refuse(n, "", phrase.Say("office.press.text"))
	case len(text) > longestPress || strings.Count(text, "\n") >= mostLines:
		r.Refuse(n, "", phrase.Say("office.press.long", phrase.Number("most", longestPress), phrase.Number("lines", mostLines)))
	}
	return text
}
