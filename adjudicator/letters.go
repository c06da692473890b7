package adjudicator

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// heading is what stands on all letters to a seat. A player gets the hash of a
// log entry without its number, which would tell how much the other side has
// written in between; when the game is over, with it. For the same reason it is the last entry's only in a
// report and when that entry is about him: otherwise two letters with different
// hashes would tell that the other side has written.
func (d *desk) heading(s *game.Seat) templates.Heading {
	return templates.Heading{
		Reader: readerOf(s.Person), Game: d.Game.ID, Title: d.Game.Title, System: d.Game.System,
		Side: s.Side, Spell: spellWith(d.View(s.Side).Spell), Entry: int(s.Entry), Hash: s.Hash, Now: d.Now,
		News: d.office.restoredNews(s),
	}
}

// spellWith names things as a game does, and keywords that only the office knows
// as the office does. Nil: there is no game.
func spellWith(theGame func(kind, id, language string) string) func(kind, id, language string) string {
	return func(kind, id, language string) string {
		name := id
		if theGame != nil {
			name = theGame(kind, id, language)
		}
		if kind == phrase.KindKeyword && name == id {
			return game.Vocabulary.Spell(id, language)
		}
		return name
	}
}

// gmHeading is what stands on letters to a game master. One who plays, and may not
// see what is hidden, does not get the end of the log: it would tell him when the
// other players write.
func (d *desk) gmHeading() templates.Heading {
	h := templates.Heading{
		Reader: readerOf(d.Game.GM), Game: d.Game.ID, Title: d.Game.Title, System: d.Game.System,
		Side: engine.GM, Spell: spellWith(d.View(engine.GM).Spell), Entry: int(d.Last.Seq), Hash: d.Hash(), Now: d.Now,
	}
	if _, blind := d.Blind(d.Game.GM.Address); blind {
		h.Entry, h.Hash = 0, ""
	}
	return h
}

// owed is what a seat owes, as letters tell it; nil if nothing. With a template
// the letter gets a serial number of its own.
func (d *desk) owed(s *game.Seat, template bool) *templates.Owed {
	if s.Owes == nil {
		return nil
	}
	o := &templates.Owed{
		Stop: s.Owes.Stop, Decision: s.Owes.Decision, Deadline: s.Owes.Deadline, Answered: s.Owes.Answer != nil,
		Calendar: templates.Calendar{UID: d.office.calendarID(d.Game.ID, s), Organizer: d.office.opt.From.Addr, Sequence: s.Owes.Moves},
	}
	if template {
		if !d.reading {
			s.Serial++
		}
		o.Template = d.template(s)
	}
	return o
}

// calendarID is what calendars know the deadline of a seat's present stop by.
func (o *Office) calendarID(id string, s *game.Seat) string {
	return o.box.ID("stop", "calendar", id, string(s.Side), fmt.Sprint(s.Owes.Stop))
}

// template is the whole order file of what a seat owes, ready to fill in.
func (d *desk) template(s *game.Seat) *orders.Node {
	file := orders.Mapping().
		Set("game", orders.Text(d.Game.ID)).
		Set("side", orders.Text(string(s.Side))).
		Set("stop", stopNode(s.Owes)).
		Set("key", orders.Text(d.office.seatKey(d.Game, s))).
		Set("serial", orders.Number(s.Serial))
	body := d.Rules.Template(d.View(s.Side), s.Owes.Decision)
	if body != nil {
		for _, p := range body.Pairs {
			file.Pairs = append(file.Pairs, orders.Pair{Key: p.Key, Value: p.Value})
		}
	}
	return file
}

// stopNode is a stop as order files write it: its number and name.
func stopNode(o *game.Owes) *orders.Node {
	return orders.Text(strconv.Itoa(o.Stop) + " " + o.Decision.Kind)
}

// waits tells whether the game waits for others, as far as a seat may know: it does
// if it goes on and the seat itself owes nothing. To a seat that owes an answer
// nothing is said of others: whether they are asked, too, may hang on standing
// orders, which are secret.
func (d *desk) waits(s *game.Seat) bool { return d.Game.Phase == game.Running && s.Owes == nil }

// report is the report of a seat: what happened, as far as it was told, its
// position, and what it owes.
func (d *desk) report(s *game.Seat, happened []game.News) templates.Letter {
	r := templates.Report{
		Heading: d.heading(s), Happened: asTold(happened), Page: d.View(s.Side).Page(), Owed: d.owed(s, true), Waiting: d.waits(s),
	}
	if s.Reports == 0 && d.Game.GMPlays {
		r.Happened = append([]templates.Told{{Say: phrase.Say("office.gm-plays")}}, r.Happened...)
	}
	if r.Owed == nil && d.Game.Phase == game.Running && (s.Reports == 0 || s.Moved) {
		r.Contact = orders.Mapping().Set("game", orders.Text(d.Game.ID)).
			Set("key", orders.Text(d.office.seatKey(d.Game, s))).Set("command", orders.Text("report"))
	}
	if o, ended := d.Outcome(); ended {
		r.Outcome = &o
		r.Rolled = hex.EncodeToString(d.Game.Seed)
		r.Looked = d.sayPreviews()
		r.Whole = d.packs(s)
	} else if s.Reports == 0 {
		r.Rolled, r.Scheme, r.Fixed, r.Luck = log.Commitment(d.Game.Seed), d.Game.DiceScheme(), d.Game.Fixed, d.Game.Luck != nil
	}
	return d.office.words.Report(r)
}

// asTold is what was told, for a letter.
func asTold(all []game.News) []templates.Told {
	list := make([]templates.Told, len(all))
	for i, t := range all {
		list[i] = templates.Told(t)
	}
	return list
}

// toldAgain is what the last report of a seat told, read from the log, and what
// it was told since.
func (d *desk) toldAgain(s *game.Seat) ([]game.News, error) {
	trail, err := d.past.Branch()
	if err != nil {
		return nil, err
	}
	chapters, err := d.past.Told(s, trail, s.Since+1)
	all := slices.Clone(s.Ruled)
	for _, c := range chapters {
		if c.Seq > s.Upto {
			break
		}
		all = append(all, c.All()...)
	}
	return append(all, s.Told...), err
}

// post queues a letter to a seat; to is the letter that it answers, or nil.
func (d *desk) post(s *game.Seat, kind string, to *mail.Letter, letter templates.Letter) {
	d.send(&outbox.Outgoing{Seat: s.Side, Epoch: s.Epoch, Kind: kind, Name: s.Person.Name, Address: s.Person.Address, Letter: &letter}, to)
}

// postGM queues a letter to the game master.
func (d *desk) postGM(kind string, to *mail.Letter, letter templates.Letter) {
	p := d.Game.GM
	if to != nil && d.reader != nil {
		p = *d.reader
	}
	d.send(&outbox.Outgoing{Seat: engine.GM, Epoch: d.Game.Epoch, Kind: kind, Name: p.Name, Address: p.Address, Letter: &letter}, to)
}

func (d *desk) send(r *outbox.Outgoing, to *mail.Letter) {
	d.carry() // what was told before goes before
	if s := d.Game.Seat(r.Seat); s != nil && s.Failures >= game.MostBounces && s.Person.Address == r.Address {
		r.Stop("too many letters came back")
	} else if s != nil && s.Person.Address == r.Address && r.Letter != nil && !s.Restored.IsZero() && d.office.tellsRestore(s, r.Letter) {
		s.Restored = time.Time{}
	}
	r.Game, r.Written = d.Game.ID, d.Now
	r.Answers(to, d.office.box.Thread(r.Game, r.Seat, r.Epoch))
	d.rows = append(d.rows, r)
}

// reply queues a short letter to a seat that answers one, with what it owes if it owes
// anything, and with the template of that if asked for.
func (d *desk) reply(s *game.Seat, to *mail.Letter, kind string, subject phrase.Phrase, template bool, lines ...phrase.Phrase) {
	n := templates.Notice{Heading: d.heading(s), Subject: subject, Lines: lines, Owed: d.owed(s, template)}
	d.post(s, kind, to, d.office.words.Notice(n))
}
