package intake

import (
	netmail "net/mail"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of values in set-ups and commands.
const (
	longestName  = 80
	longestWait  = game.LongestWait
	shortestWait = time.Minute
)

// SideChoices are the sides of a position with their names in every language.
func SideChoices(p engine.Position, languages []string) []orders.Choice {
	var all []orders.Choice
	for _, side := range p.Sides() {
		c := orders.Choice{ID: string(side)}
		view := p.View(side)
		for _, language := range languages {
			c.Names = append(c.Names, view.Spell("side", string(side), language))
		}
		all = append(all, c)
	}
	return all
}

// ReadName reads the name of a person or a game, of one line.
func ReadName(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	text = strings.Join(strings.Fields(text), " ")
	if len([]rune(text)) > longestName || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		r.Refuse(n, "", phrase.Say("office.setup.name", phrase.Number("most", longestName)))
		return ""
	}
	return text
}

// ReadAddress reads a mail address.
func ReadAddress(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	a, err := netmail.ParseAddress(text)
	if err == nil {
		_, err = mailbox.Wire(a.Address)
	}
	if err != nil || a.Name != "" || len(a.Address) > 254 || strings.ContainsFunc(a.Address, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '"' }) {
		r.Refuse(n, "", phrase.Say("office.setup.address", phrase.Literal("address", text)))
		return ""
	}
	return mailbox.Clean(a.Address)
}

// ReadLanguage reads one of the languages that the office writes.
func ReadLanguage(r *orders.Reader, n *orders.Node, languages []string) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	text = strings.ToLower(strings.TrimSpace(text))
	if !slices.Contains(languages, text) {
		r.Refuse(n, "", phrase.Say("office.setup.language", phrase.Literal("language", text), phrase.Literals("languages", languages)))
		return ""
	}
	return text
}

// ReadZone reads a time zone.
func ReadZone(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	text = strings.TrimSpace(text)
	if _, err := time.LoadLocation(text); err != nil || text == "" || text == "Local" {
		r.Refuse(n, "", phrase.Say("office.setup.zone", phrase.Literal("zone", text)))
		return ""
	}
	return text
}

// ReadWait reads how long to wait for an answer; none means for ever.
func ReadWait(r *orders.Reader, n *orders.Node) (time.Duration, bool) {
	if r.Is(n, "none") {
		return 0, true
	}
	return ReadDuration(r, n)
}

// ReadDuration reads a length of time.
func ReadDuration(r *orders.Reader, n *orders.Node) (time.Duration, bool) {
	text, ok := r.Text(n)
	if !ok {
		return 0, false
	}
	d, ok := timing.ParseDuration(text)
	if !ok || d < shortestWait || d > longestWait {
		r.Refuse(n, "", phrase.Say("office.duration", phrase.Literal("got", text)))
		return 0, false
	}
	return d, true
}

// ReadPublicKey reads an armoured OpenPGP public key.
func ReadPublicKey(r *orders.Reader, n *orders.Node, now time.Time) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	if _, err := mail.CheckPublicKey(text, now); err != nil {
		r.Refuse(n, "", phrase.Say("office.setup.pgp-key", phrase.Literal("error", err.Error())))
		return ""
	}
	return strings.TrimSpace(text) + "\n"
}
