package adjudicator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/adjudicator/tally"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// leagueCommands are those of a member that are about a league.
var leagueCommands = []string{"enter", "withdraw", "table", "schedule", "rating", "accept", "decline", "secretary", "appeal", "challenge", "bring", "protest", "pause-entries"}

// A leagueLetter is a letter of a member about a league.
type leagueLetter struct {
	clubLetter
	member *member.Member
	person log.Person
	league string
	season int // that it names; 0: none
}

// take does what a member's letter about a league says. The letter is marked in the same change
// as what it does.
func (l leagueLetter) take(ctx context.Context) (mail.Folder, error) {
	o := l.club.office
	var letter templates.Letter
	var err error
	wish, problems := l.form().Wish()
	var faults orders.Problems
	l.season, faults = l.form().Season()
	problems = append(problems, faults...)
	l.league = l.form().League()
	if l.league == "" {
		only, err := leagues{o}.only()
		if err != nil {
			return mail.Leave, err
		}
		l.league = only
	}
	var c store.Change
	if err := l.mark(&c, "", "command: "+l.doc.Command, mail.Processed); err != nil {
		return mail.Leave, err
	}
	if l.member.Unproven { // his key went to this address alone, and came back from there
		if err := l.prove(ctx); err != nil {
			return mail.Leave, err
		}
	}
	var act *actByLetter
	if l.doc.Command == "secretary" && len(problems) == 0 {
		act, problems = l.secretaryAct()
		if len(problems) == 0 {
			if problems, err = act.preview(ctx, l); err != nil {
				return mail.Leave, err
			}
		}
		if len(problems) > 0 {
			return l.refuse(ctx, l.person, problems)
		}
	}
	answers := l.bill.Answer(memberLetters+l.member.ID, l.Now, tally.AnswerWeight)
	err = leagues{o}.act(ctx, l.league, l.member.ID, log.HexOf(l.Mail.Digest), c, func(t *leagueTurn) error {
		s, err := t.setupOf(t.openBook)
		if err != nil {
			return err
		}
		wish = asNamed(s, wish)
		if problems = append(problems, wishFaults(l.form(), s, wish)...); len(problems) > 0 {
			return problems
		}
		if act != nil {
			letter, err = act.do(t, l)
		} else {
			letter, err = l.do(t, s, wish)
		}
		if err != nil {
			return err
		}
		if answers {
			t.outgoing = append(t.outgoing, l.notice(l.person, l.Mail, letter))
		}
		return nil
	})
	var refused *game.RefusedError
	switch {
	case errors.Is(err, ErrNoLeague):
		problems = append(problems, l.form().Fault("league", phrase.Say("league.none", phrase.Literal("league", l.league))))
	case errors.As(err, &refused):
		key := "command"
		if strings.HasPrefix(refused.Why.Code, "league.season.") {
			key = "season"
		}
		problems = append(problems, l.refused(key, refused))
	case err != nil && len(problems) == 0:
		return mail.Leave, err
	}
	if len(problems) > 0 {
		return l.refuse(ctx, l.person, problems)
	}
	o.log.Info("letter taken in", "what", "command: "+l.doc.Command, "msg_id", l.Mail.MessageID)
	return mail.Processed, nil
}

// refused is what is wrong with a letter that a league refuses, at one of its keys, with how to find out what can be done.
func (l leagueLetter) refused(key string, why *game.RefusedError) orders.Problem {
	p := l.form().Fault(key, why.Why)
	p.Remedy = phrase.Say("league.how")
	return p
}

// prove notes that the member has shown that he reads the letters of his address.
func (l leagueLetter) prove(ctx context.Context) error {
	o := l.club.office
	defer o.hold(rollLog)()
	m, err := l.get(l.member.ID)
	if err != nil || !m.Unproven {
		return err
	}
	var c store.Change
	if _, err := l.turn(&c, m, "member", log.HexOf(l.Mail.Digest), member.Proven{}); err != nil {
		return err
	}
	return o.store.Commit(ctx, c)
}

// asNamed is what a member wishes, with system and deadlines as the set-up spells them.
func asNamed(s *league.Setup, wish book.Wish) book.Wish {
	for _, d := range s.Divisions {
		if orders.Fold(d.System) == wish.System {
			wish.System = d.System
		}
	}
	for _, d := range s.Deadlines {
		if orders.Fold(d.Name) == wish.Deadlines {
			wish.Deadlines = d.Name
		}
	}
	return wish
}

// wishFaults are those of what a member wishes, in a league, at the keys of his letter.
func wishFaults(letter *intake.About, s *league.Setup, wish book.Wish) (problems orders.Problems) {
	var systems, paces []string
	for _, d := range s.Divisions {
		if !slices.Contains(systems, d.System) {
			systems = append(systems, d.System)
		}
	}
	for _, d := range s.Deadlines {
		paces = append(paces, d.Name)
	}
	if wish.System != "" && !slices.Contains(systems, wish.System) {
		problems = append(problems, letter.Fault("system", phrase.Say("league.no-system", phrase.Literal("system", wish.System), phrase.Literals("systems", systems))))
	}
	if wish.Deadlines != "" && !slices.Contains(paces, wish.Deadlines) {
		problems = append(problems, letter.Fault("deadlines", phrase.Say("league.no-pace", phrase.Literal("deadlines", wish.Deadlines), phrase.Literals("paces", paces))))
	}
	switch {
	case wish.Games > 0 && s.Concurrent:
		problems = append(problems, letter.Fault("games", phrase.Say("league.games-all")))
	case wish.Games > s.MostAtOnce:
		problems = append(problems, letter.Fault("games", phrase.Say("league.games-many", phrase.Number("most", s.MostAtOnce))))
	}
	return problems
}

// do does in a turn of the league what the letter says, and writes the answer.
func (l leagueLetter) do(t *leagueTurn, s *league.Setup, wish book.Wish) (templates.Letter, error) {
	w := l.outside(l.person)
	named := phrase.Literal("league", t.League)
	subject := phrase.Say("league.subject", named)
	switch l.doc.Command {
	case "enter":
		line, err := t.enter(s, l.member.ID, wish)
		if err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say(line, named), phrase.Say("league.lots", phrase.Literal("commitment", t.Season.Commitment))), nil
	case "withdraw":
		if l.season != 0 && l.season != t.Number { // his letter may come when that season is over
			return templates.Letter{}, game.Refuse("league.season.not-now", phrase.Number("season", l.season), phrase.Number("now", t.Number))
		}
		if err := t.withdraw(book.Withdrew{Member: l.member.ID}); err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say("league.withdrawn", named)), nil
	case "appeal":
		if err := t.appeal(l); err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say("league.appeal.taken")), nil
	case "protest":
		if err := (protests{t}).take(l); err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say("league.protest.taken", named)), nil
	case "pause-entries":
		line, err := l.rest(t)
		if err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say(line, named)), nil
	case "bring":
		if err := t.bring(l, s); err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say("league.bring.taken", named)), nil
	case "challenge":
		if err := t.challenge(l.member.ID, l.form().Against()); err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say("league.challenge.taken", named, phrase.Literal("member", l.form().Against()))), nil
	case "accept", "decline":
		if err := t.reply(l.member, l.form().Offer(), l.doc.Command == "accept"); err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, phrase.Say("league.offer."+l.doc.Command, named)), nil
	}
	if l.doc.Command == "rating" {
		all, err := t.ratings(t.openBook)
		if err != nil {
			return templates.Letter{}, err
		}
		return w.Rating(all, l.member.ID, sideIn(t.leagues, s)), nil
	}
	if t.Season == nil {
		return templates.Letter{}, game.Refuse("league.no-season")
	}
	shown := drawn(t.Book)
	switch {
	case l.season == t.Number:
		shown = t.Season
	case l.season > t.Number:
		return templates.Letter{}, game.Refuse("league.season.none", phrase.Number("season", l.season), phrase.Number("now", t.Number))
	case l.season > 0:
		shown = t.Past[l.season-1]
	}
	names, err := t.names(shown)
	if err != nil {
		return templates.Letter{}, err
	}
	if l.doc.Command == "schedule" {
		return w.Schedule(shown, l.member.ID, names), nil
	}
	return w.Tables(shown, l.form().Division(), names)
}

// enter lets a member enter, or ask to; it gives what to tell him.
func (t *leagueTurn) enter(s *league.Setup, id string, wish book.Wish) (string, error) {
	if s.Open != "invited" && t.Resting[id] { // he wants to play again
		if err := t.Do(book.Rested{Member: id}); err != nil {
			return "", err
		}
	}
	switch s.Open {
	case "invited":
		return "", game.Refuse("league.invited")
	case "confirm":
		m, err := t.club().get(id)
		if err != nil {
			return "", err
		}
		if _, _, err := mayEnter(t, s, m); err != nil {
			return "", err
		}
		return "league.asked", t.Do(book.Asked{Member: id, Wish: wish})
	}
	if t.Season == nil {
		return "", game.Refuse("league.no-season")
	}
	m, err := t.club().get(id)
	if err != nil {
		return "", err
	}
	return t.enteredAs(), t.entered(m, wish)
}

// enteredAs is what somebody is told who enters now.
func (t *leagueTurn) enteredAs() string {
	if t.Season.Phase != season.Entering {
		return "league.entered-late"
	}
	return "league.entered"
}

// entered enters a member, with the rating that he has now and how many games he has finished, where the set-up
// asks for that.
func (t *leagueTurn) entered(m *member.Member, wish book.Wish) error {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return err
	}
	if len(m.Addresses) > s.Members.Addresses {
		return game.Refuse("league.addresses", phrase.Literal("member", m.ID), phrase.Number("most", s.Members.Addresses))
	}
	kept, most, err := mayEnter(t, s, m)
	if err != nil {
		return err
	}
	if most > 0 && most < cmp.Or(wish.Games, s.MostAtOnce) {
		wish.Games = most
		if err := t.tell(m.ID, phrase.Say("league.entry.limited", phrase.Literal("league", t.League), phrase.Number("finished", kept.Finished), phrase.Number("abandoned", kept.Abandoned), phrase.Number("most", most))); err != nil {
			return err
		}
	}
	in := book.Entered{Member: m.ID, Wish: wish}
	if in.Start, err = t.startOf(m.ID, wish.System); err != nil {
		return err
	}
	if s.Members.Probation > 0 {
		if in.Finished, err = t.finished(m); err != nil {
			return err
		}
	}
	return t.Do(in)
}

// mayEnter refuses who is not as reliable as the set-up asks, or has abandoned so many games that he may play none. It
// gives how many he may play at once; 0: as many as anybody.
func mayEnter(t *leagueTurn, s *league.Setup, m *member.Member) (kept member.Kept, most int, err error) {
	if s.Entry == (league.Entry{}) {
		return kept, 0, nil
	}
	served, err := t.club().served(m)
	if err != nil {
		return kept, 0, err
	}
	now, who := t.office.now(), phrase.Literal("member", m.ID)
	if is := member.Reliability(served, now); is < s.Entry.Reliability {
		return kept, 0, game.Refuse("league.entry.reliability", who, phrase.Number("percent", is), phrase.Number("least", s.Entry.Reliability))
	}
	kept = member.KeptIn(served)
	most, limited := kept.AtOnce(now)
	switch {
	case !limited || !s.Entry.Abandoned:
		return kept, 0, nil
	case most == 0:
		return kept, 0, game.Refuse("league.entry.abandoned", who, phrase.Number("finished", kept.Finished), phrase.Number("abandoned", kept.Abandoned), phrase.Within("at", game.Moment(kept.Last)))
	}
	return kept, most, nil
}

// finished counts the games of a member that were played to their end.
func (t *leagueTurn) finished(m *member.Member) (n int, err error) {
	err = t.office.read(func(tx store.Reader) error {
		return eachGameOf(tx, m, func(g *game.State) {
			if g.Phase == game.Over && slices.ContainsFunc(g.Seats, func(x *game.Seat) bool { return m.Has(x.Person.Address) }) {
				n++
			}
		})
	})
	return n, err
}

// drawn is the season whose tables are shown: the present one, or the one before it as long as its divisions
// have not been drawn.
func drawn(b *book.Book) *season.Season {
	if len(b.Season.Divisions) == 0 && len(b.Past) > 0 {
		return b.Past[len(b.Past)-1]
	}
	return b.Season
}

// names gives the names of all who have entered a season, by their ids.
func (l leagues) names(s *season.Season) (map[string]string, error) {
	names := map[string]string{}
	for _, e := range s.Entries {
		m, err := l.club().now(e.Member)
		if err != nil {
			return nil, err
		}
		names[e.Member] = m.Name
	}
	return names, nil
}

// only gives the id of the league, if the office has only one.
func (l leagues) only() (string, error) {
	ids, err := l.all()
	if err != nil || len(ids) != 1 {
		return "", err
	}
	return ids[0], nil
}

// wish notes in the change that makes somebody a member that he wants to enter a league.
func (l leagues) wish(c *store.Change, id, member string, wish book.Wish) error {
	data, err := json.Marshal(wish)
	if err != nil {
		return fmt.Errorf("write wish of %s: %w", member, err)
	}
	c.PutValue(wishPrefix+id+" "+member, store.Value{Data: data})
	if c.Wake == nil {
		c.Wake = map[string]time.Time{}
	}
	c.Wake[leaguePrefix+id] = l.office.now()
	return nil
}

// takeWishes lets those enter who asked for it when they became members.
func (l leagues) takeWishes(ctx context.Context, id string) error {
	prefix := wishPrefix + id + " "
	who, wishes, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	for i, one := range who {
		m, err := l.club().get(one)
		if err != nil {
			return err
		}
		err = l.act(ctx, id, one, "", without(prefix+one, wishes[i]), func(t *leagueTurn) error { return t.takeWish(m, wishes[i]) })
		if err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
	}
	return nil
}

// takeWish lets a new member enter, and tells him what came of it.
func (t *leagueTurn) takeWish(m *member.Member, data []byte) error {
	var wish book.Wish
	if err := json.Unmarshal(data, &wish); err != nil {
		return fmt.Errorf("read wish of %s: %w", m.ID, err)
	}
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return err
	}
	wish = asNamed(s, wish)
	named := phrase.Literal("league", t.League)
	lines := []phrase.Phrase{phrase.Say("league.wish-lapsed", named)}
	line, err := "", error(nil)
	faults := wishFaults(&intake.About{Doc: &orders.Document{}}, s, wish) // his letter is gone
	for _, f := range faults {
		lines = append(lines, f.Why)
	}
	if len(faults) == 0 {
		line, err = t.enter(s, m.ID, wish)
	}
	var refused *game.RefusedError
	switch {
	case errors.As(err, &refused):
		lines = append(lines, refused.Why)
	case err != nil:
		return err
	case line != "":
		lines = []phrase.Phrase{phrase.Say(line, named), phrase.Say("league.lots", phrase.Literal("commitment", t.Season.Commitment))}
	}
	return t.tell(m.ID, lines...)
}

// tellAll tells all who have entered, and not withdrawn, something.
func (t *leagueTurn) tellAll(lines ...phrase.Phrase) error {
	for _, e := range t.Season.Entries {
		if e.Withdrawn {
			continue
		}
		if err := t.tell(e.Member, lines...); err != nil {
			return err
		}
	}
	return nil
}
