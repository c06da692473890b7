package intake

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"strings"
	"time"
)

// SideNamed finds the side that a game master's letter is about.
func (f *File) SideNamed() (engine.Side, orders.Problems) {
	n := f.Value("side")
	if n == nil {
		return "", nil
	}
	r := orders.NewReader(game.Vocabulary)
	id, _ := r.Pick(n, "setup-side", SideChoices(f.Position, f.Languages))
	return engine.Side(id), r.Problems
}

// Extension reads by how much, or until when: by: 2d, days: 2, hours: 12,
// until: 2026-03-01 18:00 (in the game master's zone).
func (f *File) Extension(r *orders.Reader) (game.Extended, bool) {
	var by time.Duration
	if n := f.Value("by"); n != nil {
		by, _ = ReadDuration(r, n)
	}
	for _, unit := range []struct {
		key string
		d   time.Duration
	}{{"days", 24 * time.Hour}, {"hours", time.Hour}} {
		if n := f.Value(unit.key); n != nil {
			count, _ := r.Int(n, 1, 8784)
			by += time.Duration(count) * unit.d
		}
	}
	until, n := time.Time{}, f.Value("until")
	if n != nil {
		text, _ := r.Text(n)
		for _, form := range []string{"2006-01-02 15:04", "2006-01-02T15:04", time.RFC3339} {
			if t, err := time.ParseInLocation(form, strings.TrimSpace(text), timing.Zone(f.Game.GM.Zone)); err == nil {
				until = t
			}
		}
		if until.IsZero() {
			r.Refuse(n, "", phrase.Say("office.gm.until", phrase.Literal("got", text)))
		}
	}
	if len(r.Problems) == 0 && (by == 0) == until.IsZero() {
		r.Refuse(f.Value("command"), "", phrase.Say("office.gm.extend-how"))
	}
	if len(r.Problems) > 0 {
		return game.Extended{}, false
	}
	return game.Extended{By: by, Until: until}, true
}

// NewPlayer reads who is to have a seat.
func (f *File) NewPlayer(r *orders.Reader) log.Person {
	p := log.Person{
		Name: ReadName(r, f.Value("name")), Language: ReadLanguage(r, f.Value("language"), f.Languages), Zone: ReadZone(r, f.Value("zone")),
		PGP: f.PublicKey(r),
	}
	address := f.Value("address")
	if bot := f.Value("bot"); bot != nil {
		if address != nil {
			r.Refuse(address, "", phrase.Say("office.bot.no-address"))
		}
		return log.Person{Bot: ReadBot(r, bot)}
	}
	if address == nil {
		r.Refuse(f.Value("command"), "", phrase.Say("office.gm.no-address"))
	}
	p.Address = ReadAddress(r, address)
	return p
}

// ReadBot reads which bot is to have a seat.
func ReadBot(r *orders.Reader, n *orders.Node) string {
	bot, _ := r.Word(n, log.SensibleBot, log.RandomBot)
	return bot
}

// PublicKey is the public key that comes with a letter: below pgp-key:, or, since
// the rules around it look like the end of an order file, anywhere in what the
// letter proves; "" if there is none.
func (f *File) PublicKey(r *orders.Reader) string {
	n := f.Value("pgp-key")
	for _, p := range f.Letter.Believed() {
		_, rest, ok := strings.Cut("\n"+p.Text, "-----BEGIN PGP PUBLIC KEY BLOCK-----")
		block, _, closed := strings.Cut(rest, "-----END PGP PUBLIC KEY BLOCK-----")
		if !ok || !closed || len(block) > mail.MaxPublicKey {
			continue
		}
		var b strings.Builder
		b.WriteString("-----BEGIN PGP PUBLIC KEY BLOCK-----\n")
		for _, line := range strings.Split(strings.TrimPrefix(block, "\n"), "\n") {
			b.WriteString(strings.TrimSpace(line) + "\n")
		}
		b.WriteString("-----END PGP PUBLIC KEY BLOCK-----\n")
		if n == nil {
			n = f.Value("command")
		}
		at := *n
		at.Kind, at.Text = orders.Scalar, b.String()
		return ReadPublicKey(r, &at, f.Now)
	}
	if n == nil {
		return ""
	}
	return ReadPublicKey(r, n, f.Now)
}

// Bounds of observers.
const (
	mostObservers = 20
	usualDelay    = 7 * 24 * time.Hour
	leastDelay    = time.Hour
)

// Observer reads who is to look on, and what he may see; with view: none he may no longer.
func (f *File) Observer() (game.Observer, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	o := game.Observer{View: game.ViewPublic, Person: log.Person{
		Name: ReadName(r, f.Value("name")), Language: ReadLanguage(r, f.Value("language"), f.Languages), Zone: ReadZone(r, f.Value("zone")),
	}}
	address := f.Value("address")
	if address == nil {
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.observe.no-address")))
	}
	o.Person.Address = ReadAddress(r, address)
	if n := f.Value("view"); n != nil {
		o.View, _ = r.Word(n, game.ViewPublic, game.ViewFull, game.ViewNone)
	}
	delay := f.Value("delay")
	if delay != nil {
		o.Delay, _ = ReadDuration(r, delay)
	}
	switch {
	case len(r.Problems) > 0:
	case delay != nil && o.View != game.ViewFull:
		r.Refuse(delay, "", phrase.Say("office.observe.delay-what"))
	case delay != nil && o.Delay < leastDelay:
		r.Refuse(delay, "", phrase.Say("office.observe.delay", phrase.Literal("least", timing.WriteDuration(leastDelay))))
	case o.View == game.ViewFull && delay == nil:
		o.Delay = usualDelay
	}
	if f.Game.Plays(o.Person.Address) || mailbox.Same(f.Game.GM.Address, o.Person.Address) {
		r.Refuse(address, "", phrase.Say("office.observe.plays"))
	}
	switch {
	case len(r.Problems) > 0:
	case o.View == game.ViewNone && !f.Game.Observing(o.Person.Address):
		r.Refuse(address, "", phrase.Say("office.observe.nobody"))
	case !f.Game.Observing(o.Person.Address) && len(f.Game.Observers) >= mostObservers:
		r.Refuse(f.Value("command"), "", phrase.Say("office.observe.many", phrase.Number("most", mostObservers)))
	}
	return o, r.Problems
}
