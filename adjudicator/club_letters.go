package adjudicator

import (
	"context"
	"errors"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/adjudicator/tally"
	"berthier/adjudicator/timing"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A writer is the writer of a letter, as intake asks about him.
type writer struct{ *arrival }

// Joins tells whether anybody may become a member by letter.
func (w writer) Joins() bool { return w.office.opt.JoinByLetter }

// IsMember tells whether the letter comes from the address of a member.
func (w writer) IsMember() (bool, error) {
	m, err := club{w.office}.at(w.From)
	return m != nil, err
}

// HasMemberKey tells whether a key is that of the member who has the letter's address.
func (w writer) HasMemberKey(key string) (bool, error) {
	c := club{w.office}
	m, err := c.at(w.From)
	return err == nil && m != nil && intake.SameKey(key, c.key(m)), err
}

// HasStopCode tells whether a code is that of the weekly letters of the member who has the letter's address.
func (w writer) HasStopCode(code string) (bool, error) {
	c := club{w.office}
	m, err := c.at(w.From)
	return err == nil && m != nil && intake.SameKey(code, c.stopCode(m)), err
}

// A clubLetter is a letter about none of its writer's games, but about himself.
type clubLetter struct {
	club
	*arrival
	doc *orders.Document
}

// memberCommands are those that a member may give.
var memberCommands = []string{"member", "address", "vacation", "record", "new-key", "help"}

// form reads the file of the letter.
func (l clubLetter) form() *intake.About {
	return &intake.About{Doc: l.doc, Now: l.Now, Languages: templates.Languages}
}

// outside writes to a person about no game.
func (l clubLetter) outside(p log.Person) report.Outside {
	return l.club.office.letters.Outside(p, l.Now)
}

// join takes in a letter whose writer is to be shown to read the letters of his address: one who
// wants to become a member, or a member who has another address. Until he has sent a code
// back nothing is kept of him, and he gets one letter a day at most.
func (l clubLetter) join(ctx context.Context, problems orders.Problems) (mail.Folder, error) {
	if l.doc.Command == "address" {
		return l.showAddress(ctx)
	}
	p, more := l.form().Person()
	p.Address = l.From
	problems = append(problems, more...)
	release := l.club.office.hold(rollLog)
	defer release()
	m, err := l.at(l.From)
	if err != nil {
		return mail.Leave, err
	}
	changed := 0 // a code that made somebody a member makes no other
	if m != nil {
		changed = m.Entries
		p = m.Person()
		p.Address = l.From
	}
	typed := ""
	if n := l.doc.Field("confirm"); n != nil {
		typed = n.Text
	}
	good := l.isCode(typed, "join", l.From, changed)
	switch {
	case len(problems) > 0:
		problems.Sort()
		refused := l.outside(p).Refused(report.Faults(&orders.Document{Source: intake.HideKeyLines(l.doc.Source), Root: l.doc.Root, Command: l.doc.Command}, problems))
		return l.onceToday(ctx, l.arrival, "joining refused", mail.Rejected, refused)
	case !good:
		form := orders.Mapping().Set("command", orders.Text(l.doc.Command))
		for _, key := range []string{"league", "system", "deadlines", "games"} {
			if n := l.doc.Field(key); n != nil && l.doc.Command == "enter" {
				form.Set(key, orders.Text(phrase.Clip(phrase.OneLine(n.Text), 40)))
			}
		}
		for _, pair := range [][2]string{{"name", p.Name}, {"language", p.Language}, {"zone", p.Zone}} {
			if pair[1] != "" {
				form.Set(pair[0], orders.Text(pair[1]))
			}
		}
		form.Set("confirm", orders.Text(l.code("join", l.From, changed, l.Now)))
		asked := l.outside(p).Alert(phrase.Say("club.join.subject"), []string{form.FormIn(p.Language).Encode()}, phrase.Say("club.join.confirm"), phrase.Say("club.not-you"))
		return l.onceToday(ctx, l.arrival, "asks to join", mail.Processed, asked)
	}
	var c store.Change
	if m == nil {
		if m, err = l.turn(&c, nil, "member", log.HexOf(l.Mail.Digest), member.Made{Person: p}); err != nil {
			return mail.Leave, err
		}
		if err := l.wishToEnter(&c, m); err != nil {
			return mail.Leave, err
		}
	}
	return l.done(ctx, c, p, "joined", l.welcome(m))
}

// wishToEnter notes that somebody who becomes a member wants to enter the league that his letter
// names.
func (l clubLetter) wishToEnter(c *store.Change, m *member.Member) error {
	if l.doc.Command != "enter" {
		return nil
	}
	o := leagues{l.club.office}
	id, err := l.form().League(), error(nil)
	if id == "" {
		id, err = o.only()
	}
	ids, err2 := o.all()
	if err := errors.Join(err, err2); err != nil || !slices.Contains(ids, id) {
		return err
	}
	wish, _ := l.form().Wish()
	return o.wish(c, id, m.ID, wish)
}

// done commits what a letter has done, and answers it.
func (l clubLetter) done(ctx context.Context, c store.Change, p log.Person, what string, letter templates.Letter, also ...*outbox.Outgoing) (mail.Folder, error) {
	o := l.club.office
	if err := l.mark(&c, "", what, mail.Processed); err != nil {
		return mail.Leave, err
	}
	o.log.Info("letter taken in", "what", what, "msg_id", l.Mail.MessageID)
	err := o.queue(ctx, c, append([]*outbox.Outgoing{l.notice(p, l.Mail, letter)}, also...)...)
	signal(o.wake)
	return mail.Processed, err
}

// showAddress takes in a letter with which a member shows that another address is his.
func (l clubLetter) showAddress(ctx context.Context) (mail.Folder, error) {
	release := l.club.office.hold(rollLog)
	defer release()
	id := ""
	if n := l.doc.Field("player"); n != nil {
		id = n.Text
	}
	m, err := l.get(id)
	switch {
	case errors.Is(err, ErrNoMember):
		return l.stranger(ctx)
	case err != nil:
		return mail.Leave, err
	case !l.isCode(l.doc.Field("confirm").Text, "address of "+m.ID, l.From, m.Entries):
		return l.stranger(ctx)
	}
	var c store.Change
	m, err = l.turn(&c, m, "member", log.HexOf(l.Mail.Digest), member.AddressAdded{Address: l.From})
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return l.stranger(ctx)
	}
	if err != nil {
		return mail.Leave, err
	}
	p := m.Person()
	p.Address = l.From
	letter := l.outside(p).Short(phrase.Say("club.address.subject"), phrase.Say("club.address.added", phrase.Literal("address", l.From), phrase.Literal("member", m.ID)))
	return l.done(ctx, c, p, "address added", letter, l.notice(m.Person(), nil, letter))
}

// stillMember is the member who has an address, who was there a moment ago. If he has it no more, all is decided anew.
func (l clubLetter) stillMember(address string) (*member.Member, error) {
	m, err := l.at(address)
	if err == nil && m == nil {
		err = store.ErrOutOfStep
	}
	return m, err
}

// fromMember does what a member's letter says.
func (l clubLetter) fromMember(ctx context.Context, problems orders.Problems) (mail.Folder, error) {
	m, err := l.stillMember(l.From)
	if err != nil {
		return mail.Leave, err
	}
	p := m.Person()
	p.Address = l.From
	l.doc, problems, err = l.proven(ctx, m, problems)
	var unproven *intake.UnprovenError
	if errors.As(err, &unproven) {
		return tellUnproven(ctx, l.arrival, p, unproven.Code)
	}
	if err != nil {
		return mail.Leave, err
	}
	if slices.Contains(leagueCommands, l.doc.Command) && len(problems) == 0 {
		return leagueLetter{clubLetter: l, member: m, person: p}.take(ctx)
	}
	defer l.club.office.hold(rollLog)()
	if m, err = l.get(m.ID); err != nil { // as it is now that nobody else changes it
		return mail.Leave, err
	}
	if !slices.Contains(memberCommands, l.doc.Command) && !slices.Contains(leagueCommands, l.doc.Command) { // one of those is here for its problems
		fault := l.form().Fault("command", phrase.Say("club.not-your-command", phrase.Name("command", phrase.KindCommand, l.doc.Command)))
		fault.Remedy = phrase.Say("office.your-commands", phrase.Names("commands", phrase.KindCommand, slices.Concat(memberCommands, leagueCommands)))
		problems = append(problems, fault)
	}
	if len(problems) > 0 {
		return l.refuse(ctx, p, problems)
	}
	var c store.Change
	if m.Unproven { // his key went to this address alone, and came back from there
		if m, err = l.turn(&c, m, "member", log.HexOf(l.Mail.Digest), member.Proven{}); err != nil {
			return mail.Leave, err
		}
	}
	a := memberAct{clubLetter: l, member: m, person: p, change: &c}
	problems, err = a.do(ctx)
	switch {
	case err != nil:
		return mail.Leave, err
	case len(problems) > 0:
		return l.refuse(ctx, p, problems)
	}
	if !l.bill.Answer(memberLetters+m.ID, l.Now, tally.AnswerWeight) {
		if err := l.mark(&c, "", "command: "+l.doc.Command, mail.Processed); err != nil {
			return mail.Leave, err
		}
		return mail.Processed, l.club.office.queue(ctx, c, a.also...)
	}
	return l.done(ctx, c, p, "command: "+l.doc.Command, a.letter, a.also...)
}

// unsubscribe stops the weekly letters of leagues to the member who has the letter's address, and shown their code. He
// is told once; a program that asks again is told nothing.
func (l clubLetter) unsubscribe(ctx context.Context) (mail.Folder, error) {
	defer l.club.office.hold(rollLog)()
	m, err := l.stillMember(l.From)
	if err != nil {
		return mail.Leave, err
	}
	if m.NoWeekly {
		return l.drop(ctx, "unsubscribes again", mail.Processed)
	}
	var c store.Change
	if m, err = l.turn(&c, m, "member", log.HexOf(l.Mail.Digest), member.Weekly{Stopped: true}); err != nil {
		return mail.Leave, err
	}
	p := m.Person()
	p.Address = l.From
	return l.done(ctx, c, p, "unsubscribed", l.outside(p).Short(phrase.Say("club.weekly.subject"), phrase.Say("club.weekly.stopped")))
}

// refuse tells a member what is wrong with his letter.
func (l clubLetter) refuse(ctx context.Context, p log.Person, problems orders.Problems) (mail.Folder, error) {
	problems.Sort()
	return l.answerUnknown(ctx, p, "member's letter refused", "refused", mail.Rejected, tally.AnswerWeight, func(w report.Outside) templates.Letter {
		return w.Refused(report.Faults(&orders.Document{Source: intake.HideKeyLines(l.doc.Source), Root: l.doc.Root, Command: l.doc.Command}, problems))
	})
}

// A memberAct is what a member's letter does.
type memberAct struct {
	clubLetter
	member *member.Member
	person log.Person // the member, at the address from which he wrote
	change *store.Change
	letter templates.Letter // the answer
	also   []*outbox.Outgoing
}

// happen lets something happen to the member, or says at which key of the letter it can't.
func (a *memberAct) happen(key string, in member.Input) (orders.Problems, error) {
	m, err := a.turn(a.change, a.member, "member", log.HexOf(a.Mail.Digest), in)
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return orders.Problems{a.form().Fault(key, refused.Why)}, nil
	}
	if err == nil {
		a.member = m
	}
	return nil, err
}

// do does what the letter says, and writes the answer.
func (a *memberAct) do(ctx context.Context) (problems orders.Problems, err error) {
	switch a.doc.Command {
	case "member":
		return a.describe()
	case "help":
		a.letter = a.welcome(a.member)
	case "new-key":
		if problems, err = a.happen("command", member.KeyChanged{}); err == nil && len(problems) == 0 {
			a.letter = a.welcome(a.member)
		}
	case "address":
		return a.address()
	case "vacation":
		return a.vacation()
	case "record":
		served, err := a.served(a.member)
		if err != nil {
			return nil, err
		}
		a.letter = a.outside(a.person).Record(a.member, served, a.Now)
	}
	return problems, err
}

// describe notes what a member says of himself, and tells him how the office knows him.
func (a *memberAct) describe() (problems orders.Problems, err error) {
	d, problems := a.form().Described()
	agrees, said, faults := a.form().PublicName()
	if problems = append(problems, faults...); len(problems) > 0 {
		return problems, nil
	}
	if d != (log.Person{}) {
		if problems, err = a.happen("command", member.Described{Name: d.Name, Language: d.Language, Zone: d.Zone}); err != nil || len(problems) > 0 {
			return problems, err
		}
		a.person.Name, a.person.Language, a.person.Zone = a.member.Name, a.member.Language, a.member.Zone
	}
	club, family, faults := a.form().Ties()
	if len(faults) > 0 {
		return faults, nil
	}
	if family != nil {
		for _, id := range *family {
			if _, err := a.get(id); errors.Is(err, ErrNoMember) {
				return orders.Problems{a.form().Fault("family", phrase.Say("club.no-such-member", phrase.Literal("member", id)))}, nil
			} else if err != nil {
				return nil, err
			}
		}
	}
	if club != nil || family != nil {
		if problems, err = a.happen("command", member.Tied{Club: club, Family: family}); err != nil || len(problems) > 0 {
			return problems, err
		}
		if family != nil {
			if err := a.tellLeagues(); err != nil {
				return nil, err
			}
		}
	}
	if said && agrees != a.member.Public {
		if problems, err = a.happen("command", member.Published{Name: agrees}); err != nil || len(problems) > 0 {
			return problems, err
		}
	}
	wants, said, faults := a.form().Weekly()
	if len(faults) > 0 {
		return faults, nil
	}
	if said && wants == a.member.NoWeekly {
		if problems, err = a.happen("command", member.Weekly{Stopped: !wants}); err != nil || len(problems) > 0 {
			return problems, err
		}
	}
	a.letter = a.outside(a.person).Member(a.member, a.Now)
	return nil, nil
}

// address adds an address, drops one, or has the member's letters go to one.
func (a *memberAct) address() (orders.Problems, error) {
	address, drop, problems := a.form().Address()
	if len(problems) > 0 {
		return problems, nil
	}
	say := func(code string) {
		a.letter = a.outside(a.person).Short(phrase.Say("club.address.subject"), phrase.Say(code, phrase.Literal("address", address), phrase.Literal("member", a.member.ID)))
	}
	switch {
	case drop:
		if problems, err := a.happen("address", member.AddressDropped{Address: address}); err != nil || len(problems) > 0 {
			return problems, err
		}
		say("club.address.dropped")
		return nil, nil
	case a.member.Has(address):
		if problems, err := a.happen("address", member.AddressFirst{Address: address}); err != nil || len(problems) > 0 {
			return problems, err
		}
		say("club.address.first")
		return nil, nil
	case len(a.member.Addresses) >= member.MostAddresses:
		return orders.Problems{a.form().Fault("address", phrase.Say("club.addresses-many", phrase.Number("most", member.MostAddresses)))}, nil
	}
	say("club.address.asked")
	return nil, a.askAddress(address)
}

// askAddress writes to an address that a member says is his. Whoever reads it there sends a
// code back. Nothing tells the member whether somebody else has it: its holder is told.
func (a *memberAct) askAddress(address string) error {
	other, err := a.at(address)
	if err != nil {
		return err
	}
	may, err := a.firstToday(a.change, address)
	if err != nil || !may {
		return err
	}
	p := a.member.Person()
	p.Address = address
	w := a.outside(p)
	var letter templates.Letter
	if other != nil {
		p = other.Person()
		p.Address = mailbox.Clean(address)
		letter = a.outside(p).Short(phrase.Say("club.address.subject"), phrase.Say("club.address.also", phrase.Literal("member", a.member.ID), phrase.Literal("own", other.ID)))
	} else {
		form := orders.Mapping().Set("command", orders.Text("address")).Set("player", orders.Text(a.member.ID)).
			Set("confirm", orders.Text(a.code("address of "+a.member.ID, address, a.member.Entries, a.Now)))
		letter = w.Alert(phrase.Say("club.address.subject"), []string{form.FormIn(p.Language).Encode()}, phrase.Say("club.address.confirm", phrase.Literal("member", a.member.ID)), phrase.Say("club.not-you"))
	}
	a.also = append(a.also, a.notice(p, nil, letter))
	return nil
}

// vacation books an absence for all games of the member, or withdraws what is booked.
func (a *memberAct) vacation() (orders.Problems, error) {
	booked, cancel, problems := a.form().Absence(a.member.Zone)
	if len(problems) > 0 {
		return problems, nil
	}
	if problems, err := a.happen("command", member.WentAway{Booked: booked, Cancel: cancel}); err != nil || len(problems) > 0 {
		return problems, err
	}
	line := phrase.Say("club.absence.cancelled")
	if !cancel {
		line = phrase.Say("club.absence.booked", phrase.Within("from", game.Moment(booked.From)), phrase.Within("until", game.Moment(booked.Until)))
	}
	lines := []phrase.Phrase{line}
	if !cancel {
		counts, err := a.countsInLeagues(booked)
		if err != nil {
			return nil, err
		}
		lines = append(lines, counts...)
	}
	left := max(member.MostAway-a.member.Away(a.Now.Add(365*24*time.Hour)), 0)
	a.letter = a.outside(a.person).Short(phrase.Say("club.absence.subject"), append(lines, phrase.Say("club.absence.left", phrase.Number("days", int(left/(24*time.Hour)))))...)
	return nil, nil
}

// countsInLeagues tells where less of an absence counts than the member has booked: in games of leagues that allow less
// within a year.
func (a *memberAct) countsInLeagues(booked game.Absence) (lines []phrase.Phrase, err error) {
	told := map[string]bool{}
	err = a.club.office.read(func(tx store.Reader) error {
		return eachGameOf(tx, a.member, func(g *game.State) {
			if g.League == "" || g.Phase != game.Running || g.Absence == 0 || told[g.League] {
				return
			}
			i := slices.IndexFunc(g.Seats, func(s *game.Seat) bool { return s.Person.Bot == "" && !s.Resigned && a.member.Has(s.Person.Address) })
			if i < 0 {
				return
			}
			counts := game.AbsencesWithin(g.Absence, g.Seats[i].Absences, a.member.Absences)
			at := slices.IndexFunc(counts, func(b game.Absence) bool { return b.From.Equal(booked.From) })
			args := []phrase.Arg{phrase.Literal("league", g.League), phrase.Literal("most", timing.WriteDuration(g.Absence))}
			switch {
			case at < 0:
				lines = append(lines, phrase.Say("club.absence.league-none", args...))
			case counts[at].Until.Before(booked.Until):
				lines = append(lines, phrase.Say("club.absence.league-part", append(args, phrase.Within("until", game.Moment(counts[at].Until)))...))
			default:
				return
			}
			told[g.League] = true
		})
	})
	return lines, err
}
