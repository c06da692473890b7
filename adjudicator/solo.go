package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/adjudicator/setup"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A player who is no game master may have games against the bot by letter, as many as the
// configuration says. Nobody can use that to have the office write to somebody else: only the
// address that wrote gets a letter, only if it plays here or is on the club's list, and until
// it has sent back a code, that is a short one and there is no game.

// soloKeys are what a set-up of such a game may say. Nothing in it names another person.
var soloKeys = []string{"title", "system", "scenario", "options", "pace", "seats"}

// soloCodeFor is how long the code of a letter is good.
const soloCodeFor = 24 * time.Hour

// Solos tells whether the writer may ask for a game against the bot: anybody who plays in a
// game here, and whoever is on the club's list.
func (it *arrival) Solos(plays bool) bool {
	return it.office.opt.SoloGames > 0 && (plays || it.office.member(it.From) != nil)
}

// member is the person of the club's list with that address.
func (o *Office) member(address string) *log.Person {
	for i := range o.opt.Club {
		if o.opt.Club[i].Address == address {
			return &o.opt.Club[i]
		}
	}
	return nil
}

// A soloWish is a letter that asks for a game against the bot.
type soloWish struct {
	*arrival
	who log.Person
}

// solo takes in a letter that asks for a game against the bot. The first one is answered with
// the same lines and a code; the game begins when they come back.
func (it *arrival) solo(ctx context.Context, doc *orders.Document, problems orders.Problems) (mail.Folder, error) {
	p, err := it.someone(it.games)
	if err != nil {
		return mail.Leave, err
	}
	p.PGP = ""
	wish := soloWish{it, p}
	refuse := func(problems orders.Problems) (mail.Folder, error) {
		problems.Sort()
		return it.answerUnknown(ctx, p, "solo game refused", "refused", mail.Rejected, it.office.strangeWeight(), func(w report.Outside) templates.Letter {
			return w.Refused(report.Faults(&orders.Document{Source: intake.HideKeyLines(doc.Source), Command: doc.Command}, problems))
		})
	}
	if len(problems) > 0 {
		return refuse(problems)
	}
	req := &request{doc: doc}
	form := req.value("setup")
	if form == nil {
		return refuse(orders.Problems{req.fault("command", phrase.Say("office.gm.no-setup"))})
	}
	all, running, lately, err := wish.had()
	if err != nil {
		return mail.Leave, err
	}
	code, good := wish.code(all, it.Now), false
	if n := req.value("confirm"); n != nil {
		for _, at := range []time.Time{it.Now, it.Now.Add(-soloCodeFor)} {
			if one := wish.code(all, at); intake.SameKey(n.Text, one) {
				code, good = one, true
			}
		}
	}
	s, problems := wish.setup(form, "solo-"+strings.ToLower(strings.ReplaceAll(code, "-", "")))
	if len(problems) > 0 {
		return refuse(problems)
	}
	if most := it.office.opt.SoloGames; running >= most || lately >= most {
		return refuse(orders.Problems{req.fault("command", phrase.Say("office.solo.too-many", phrase.Number("most", most), phrase.Number("running", running)))})
	}
	if !good {
		again := orders.Mapping().Set("command", orders.Text("new")).Set("confirm", orders.Text(code)).Set("setup", form)
		return it.answerUnknown(ctx, p, "solo game asked for", "notice", mail.Processed, it.office.strangeWeight(), func(w report.Outside) templates.Letter {
			return w.Alert(phrase.Say("office.solo.subject"), []string{again.FormIn(p.Language).Encode()}, phrase.Say("office.solo.confirm"), phrase.Say("office.solo.not-you"))
		})
	}
	var c store.Change
	if err := it.mark(&c, s.Game, "solo game", mail.Processed); err != nil {
		return mail.Leave, err
	}
	err = it.office.Clerk().newGame(ctx, s, it.Mail, c)
	if errors.Is(err, ErrExists) {
		return refuse(orders.Problems{req.fault("confirm", phrase.Say("office.gm.exists", phrase.Literal("game", s.Game)))})
	}
	return mail.Processed, err
}

// code is what shows that whoever asks for a game reads the letters of his address. It is
// good for one day and one game, the next after so many.
func (it soloWish) code(games int, at time.Time) string {
	day := at.Unix() / int64(soloCodeFor/time.Second)
	return it.office.keys.Of("", "solo "+it.From, int(day), games)
}

// had counts the games against the bot that the writer has had: all, those that run, and
// those that began within a day.
func (it soloWish) had() (all, running, lately int, err error) {
	err = it.office.read(func(tx store.Reader) error {
		for _, id := range tx.GamesOf(it.From, mostGames) {
			g, err := game.Read(tx.Game(id))
			if err != nil {
				return fmt.Errorf("read game %s: %w", id, err)
			}
			if !g.Solo {
				continue
			}
			plays := func(s *game.Seat) bool { return s.Person.Address == it.From && !s.Resigned }
			if all++; g.Phase == game.Running && slices.ContainsFunc(g.Seats, plays) {
				running++
			}
			if it.Now.Sub(g.Created) < 24*time.Hour {
				lately++
			}
		}
		return nil
	})
	return all, running, lately, err
}

// setup reads the set-up of a game against the bot: its one person is the writer, who is its
// game master, too, and as such sees no more than he does as a player.
func (it soloWish) setup(form *orders.Node, id string) (*setup.Setup, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	f := r.Fields(form, soloKeys...)
	whole := orders.Mapping().Set("game", orders.Text(id))
	for _, key := range soloKeys {
		if n := f.Get(key); n != nil && key != "seats" {
			whole.Set(key, n)
		}
	}
	seats := it.seats(r, f)
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	whole.Set("seats", seats).Set("deadline", orders.Text("none"))
	s, problems := it.office.Clerk().setReader().ReadNode(whole, nil, &it.who)
	if s != nil {
		s.PlayedAlone(it.who)
	}
	return s, problems
}

// sides are those of the game that a set-up asks for; none if there is no such game, which is
// told when the set-up is read as a whole.
func (it soloWish) sides(f orders.Fields) []engine.Side {
	system := f.Get("system")
	if system == nil || it.office.systems[system.Text] == nil {
		return nil
	}
	at := engine.Setup{Options: map[string]string{}}
	if n := f.Get("scenario"); n != nil {
		at.Scenario = n.Text
	}
	if n := f.Get("options"); n != nil {
		for _, o := range n.Pairs {
			at.Options[o.Key.Text] = o.Value.Text
		}
	}
	position, err := it.office.systems[system.Text].New(at)
	if err != nil {
		return nil
	}
	return position.Sides()
}

// seats gives every side to the bot but the writer's: the one that his file leaves out, or
// the first.
func (it soloWish) seats(r *orders.Reader, f orders.Fields) *orders.Node {
	seats, mine := orders.Mapping(), orders.Inline().Set("address", orders.Text(it.who.Address))
	sides, said := it.sides(f), f.Get("seats")
	bots := map[string]*orders.Node{}
	if said != nil && said.Kind != orders.Map {
		r.RefuseWith(said, "", phrase.Say("office.solo.bots"), phrase.Say("office.solo.bots-do"))
	} else if said != nil {
		for _, pair := range said.Pairs {
			if _, ok := r.Text(r.Fields(pair.Value, "bot").Get("bot")); !ok {
				r.RefuseWith(pair.Value, "", phrase.Say("office.solo.bots"), phrase.Say("office.solo.bots-do"))
			}
			bots[orders.Fold(pair.Key.Text)] = pair.Value
		}
	}
	own := slices.IndexFunc(sides, func(side engine.Side) bool { return bots[orders.Fold(string(side))] == nil })
	for i, side := range sides {
		seat := bots[orders.Fold(string(side))]
		switch {
		case i == own:
			seat = mine
		case seat == nil:
			seat = orders.Inline().Set("bot", orders.Text(log.SensibleBot))
		}
		seats.Set(string(side), seat)
	}
	if len(sides) > 0 && own < 0 {
		r.Refuse(said, "", phrase.Say("office.solo.no-seat"))
	}
	return seats
}
