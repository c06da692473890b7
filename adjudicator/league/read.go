package league

import (
	"crypto/ed25519"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/setup"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Reader reads leagues' set-ups for an office.
type Reader struct {
	Games *setup.Reader // reads the set-ups of games
	// File gives the text of a file that the set-up names.
	File func(name string) (string, error)
	// Given: the set-up is given to the office now. One that is in force is read even if it asks for what the office has not.
	Given bool
}

// Read reads a league's set-up. All faults are reported at once, those of the templates of
// its games among them: each is read with each of the league's deadlines.
func (rd *Reader) Read(text string) (*Setup, orders.Problems) {
	root, problems := orders.ParseNode([]byte(text))
	if root == nil {
		if len(problems) == 0 {
			problems = orders.Problems{{Why: phrase.Say("office.setup.empty")}}
		}
		return nil, problems
	}
	return rd.readNode(root, problems)
}

// ReadNode reads a league's set-up that is taken apart already.
func (rd *Reader) ReadNode(root *orders.Node) (*Setup, orders.Problems) {
	return rd.readNode(root, nil)
}

// keys are those of a set-up, at its top.
var keys = []string{"league", "title", "secretaries", "language", "zone", "open", "members", "entry", "seasons", "deadlines", "absence",
	"divisions", "games", "moves", "points", "ties", "withdraw", "silence", "forfeit", "substitutes", "umpires", "offices", "ratings"}

func (rd *Reader) readNode(root *orders.Node, problems orders.Problems) (*Setup, orders.Problems) {
	r := reader{Reader: orders.NewReader(Vocabulary), Games: rd.Games, Given: rd.Given}
	r.Problems = append(r.Problems, problems...)
	f := r.Fields(root, keys...)
	s := &Setup{Open: "confirm", Absence: 30 * 24 * time.Hour, MostAtOnce: 3, Points: table.Usual}
	s.Ties, _ = table.Preset("usual")
	r.head(f, s)
	r.seasons(f, s)
	r.deadlines(r.Require(f, "deadlines"), s)
	r.points(f.Get("points"), s)
	r.play(f, s)
	r.people(f, s)
	r.offices(f.Get("offices"), s)
	r.ratings(f.Get("ratings"), s)
	if n := r.Require(f, "divisions"); n != nil {
		for _, item := range r.List(n) {
			r.division(item, s)
		}
		if len(s.Divisions) == 0 {
			r.Refuse(n, "", phrase.Say("league.no-division"))
		}
	}
	r.ties(f.Get("ties"), s)
	r.moves(f.Get("moves"), s)
	rd.templates(&r, f.Get("divisions"), s)
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return nil, r.Problems
	}
	return s, nil
}

// reader is a set-up being read.
type reader struct {
	*orders.Reader
	Games *setup.Reader
	Given bool
}

// number reads a whole number; without one it leaves what was there.
func (r *reader) number(n *orders.Node, low, high int, into *int) {
	if v, ok := r.Int(n, low, high); ok {
		*into = v
	}
}

// word reads one of some words; without one it leaves what was there.
func (r *reader) word(n *orders.Node, into *string, allowed ...string) {
	if n == nil {
		return
	}
	if v, ok := r.Word(n, allowed...); ok {
		*into = v
	}
}

// wait reads a length of time; without one it leaves what was there.
func (r *reader) wait(n *orders.Node, into *time.Duration) {
	if n == nil {
		return
	}
	if v, ok := intake.ReadDuration(r.Reader, n); ok {
		*into = v
	}
}

// head reads what the league is called and who leads it.
func (r *reader) head(f orders.Fields, s *Setup) {
	if id, ok := r.Text(r.Require(f, "league")); ok {
		s.League = strings.ToLower(strings.TrimSpace(id))
		if !intake.GameID.MatchString(s.League) {
			r.Refuse(f.Get("league"), "", phrase.Say("league.id", phrase.Literal("id", id)))
		}
	}
	s.Title = intake.ReadName(r.Reader, f.Get("title"))
	s.Secretaries = r.addresses(r.Require(f, "secretaries"))
	for _, n := range r.List(f.Get("language")) {
		if language := intake.ReadLanguage(r.Reader, n, r.Games.Languages); language != "" && !slices.Contains(s.Languages, language) {
			s.Languages = append(s.Languages, language)
		}
	}
	if len(s.Languages) == 0 {
		s.Languages = slices.Clone(r.Games.Languages[:1])
	}
	s.Zone = "UTC"
	if n := f.Get("zone"); n != nil {
		s.Zone = intake.ReadZone(r.Reader, n)
	}
	r.word(f.Get("open"), &s.Open, "anybody", "confirm", "invited")
	s.Members = Members{Proof: "key", Addresses: 3}
	m := r.Fields(f.Get("members"), "proof", "addresses", "probation")
	r.proof(m.Get("proof"), s)
	r.number(m.Get("addresses"), 1, 10, &s.Members.Addresses)
	r.number(m.Get("probation"), 0, 10, &s.Members.Probation)
	e := r.Fields(f.Get("entry"), "reliability", "abandoned")
	r.number(e.Get("reliability"), 1, 99, &s.Entry.Reliability)
	abandoned := "none"
	r.word(e.Get("abandoned"), &abandoned, "limit", "none")
	s.Entry.Abandoned = abandoned == "limit"
}

// proof reads what is demanded before a letter is believed. What the office can't check is refused when the set-up is given;
// one that is in force is read even so.
func (r *reader) proof(n *orders.Node, s *Setup) {
	r.word(n, &s.Members.Proof, intake.Levels...)
	switch {
	case !r.Given:
	case s.Members.Proof == game.ProofSigned:
		r.Refuse(n, "", phrase.Say("league.proof-signed"))
	case s.Members.Proof == game.ProofDKIM && !r.Games.DKIM:
		r.Refuse(n, "", phrase.Say("office.setup.no-dkim"))
	}
}

// addresses reads a list of mail addresses, no two of one mailbox.
func (r *reader) addresses(n *orders.Node) []string {
	var all []string
	for _, item := range r.List(n) {
		address := intake.ReadAddress(r.Reader, item)
		if address == "" {
			continue
		}
		if slices.ContainsFunc(all, func(other string) bool { return mailbox.Same(other, address) }) {
			r.Refuse(item, "", phrase.Say("league.address-twice", phrase.Literal("address", address)))
			continue
		}
		all = append(all, address)
	}
	return all
}

// date reads a day.
func (r *reader) date(n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		r.Refuse(n, "", phrase.Say("league.date", phrase.Literal("got", text)))
		return ""
	}
	return day.Format(time.DateOnly)
}

// seasons reads when seasons are played.
func (r *reader) seasons(f orders.Fields, s *Setup) {
	s.Seasons = Seasons{Length: 26 * 7 * 24 * time.Hour, Pause: 4 * 7 * 24 * time.Hour}
	n := r.Require(f, "seasons")
	at := r.Fields(n, "start", "enter-until", "length", "pause")
	s.Seasons.Start = r.date(r.Require(at, "start"))
	s.Seasons.EnterUntil = r.date(r.Require(at, "enter-until"))
	if s.Seasons.Start != "" && s.Seasons.EnterUntil >= s.Seasons.Start { // days compare as texts
		r.Refuse(at.Get("enter-until"), "", phrase.Say("league.enter-late", phrase.Literal("start", s.Seasons.Start)))
	}
	r.wait(at.Get("length"), &s.Seasons.Length)
	if n := at.Get("pause"); n != nil && r.Is(n, "none") {
		s.Seasons.Pause = 0
	} else {
		r.wait(n, &s.Seasons.Pause)
	}
	if n := f.Get("absence"); n != nil {
		s.Absence, _ = intake.ReadWait(r.Reader, n)
	}
}

// deadlines reads the paces among which members choose; what a pace says is judged with
// the templates of games.
func (r *reader) deadlines(n *orders.Node, s *Setup) {
	if n == nil {
		return
	}
	if n.Kind != orders.Map || len(n.Pairs) == 0 {
		r.Refuse(n, "", phrase.Say("league.deadlines"))
		return
	}
	for _, p := range n.Pairs {
		name := strings.ToLower(strings.TrimSpace(p.Key.Text))
		if slices.ContainsFunc(s.Deadlines, func(d Deadlines) bool { return d.Name == name }) {
			r.Refuse(p.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)))
			continue
		}
		s.Deadlines = append(s.Deadlines, Deadlines{Name: name, Rule: p.Value})
	}
}

// twelfths reads points, such as 2, 0.5 or 1.25, in twelfths.
func (r *reader) twelfths(n *orders.Node, into *int64) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	whole, part, _ := strings.Cut(strings.TrimSpace(text), ".")
	v, err := strconv.Atoi(whole)
	quarters, known := map[string]int64{"": 0, "0": 0, "25": 3, "5": 6, "50": 6, "75": 9}[part]
	if err != nil || v < 0 || v > 100 || !known {
		r.Refuse(n, "", phrase.Say("league.points", phrase.Literal("got", text)))
		return
	}
	*into = int64(v)*table.Twelfths + quarters
}

// points reads what results are worth.
func (r *reader) points(n *orders.Node, s *Setup) {
	f := r.Fields(n, "win", "draw", "loss", "bye", "forfeit-win", "forfeit-loss")
	p := &s.Points
	r.twelfths(f.Get("win"), &p.Win)
	r.twelfths(f.Get("draw"), &p.Draw)
	r.twelfths(f.Get("loss"), &p.Loss)
	// A bye and a forfeit are wins unless the set-up says otherwise.
	p.Bye, p.ForfeitWin, p.ForfeitLoss = p.Win, p.Win, p.Loss
	r.twelfths(f.Get("bye"), &p.Bye)
	r.twelfths(f.Get("forfeit-win"), &p.ForfeitWin)
	r.twelfths(f.Get("forfeit-loss"), &p.ForfeitLoss)
	d := table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: s.Points}
	if n != nil && d.Check() != nil {
		r.Refuse(n, "", phrase.Say("league.points-order"))
	}
}

// play reads how rounds follow each other and what becomes of the silent and of those who leave.
func (r *reader) play(f orders.Fields, s *Setup) {
	games := r.Fields(f.Get("games"), "most-at-once", "rounds")
	r.number(games.Get("most-at-once"), 1, 50, &s.MostAtOnce)
	rounds := "sequential"
	r.word(games.Get("rounds"), &rounds, "sequential", "concurrent")
	s.Concurrent = rounds == "concurrent"

	s.Withdraw = Withdraw{Under: 50, Then: "annul", Else: "keep"}
	w := r.Fields(f.Get("withdraw"), "before", "under", "then", "else")
	remove := "remove"
	r.word(w.Get("before"), &remove, "remove")
	r.number(w.Get("under"), 0, 100, &s.Withdraw.Under)
	r.word(w.Get("then"), &s.Withdraw.Then, "annul", "cancel", "keep")
	r.word(w.Get("else"), &s.Withdraw.Else, "annul", "cancel", "keep")

	s.Bot, s.Replace, s.Forfeit = 2, 4, 6
	silence := r.Fields(f.Get("silence"), "bot", "replace")
	r.number(silence.Get("bot"), 1, 50, &s.Bot)
	r.number(silence.Get("replace"), 1, 50, &s.Replace)
	forfeit := r.Fields(f.Get("forfeit"), "stops")
	r.number(forfeit.Get("stops"), 1, 100, &s.Forfeit)
	if s.Forfeit <= max(s.Bot, s.Replace) {
		at := forfeit.Get("stops")
		if at == nil {
			at = f.Get("silence")
		}
		r.Refuse(at, "", phrase.Say("league.forfeit-early", phrase.Number("stops", s.Forfeit), phrase.Number("most", max(s.Bot, s.Replace))))
	}
}

// offices reads the names and keys of other offices.
func (r *reader) offices(n *orders.Node, s *Setup) {
	if n == nil {
		return
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "", phrase.Say("league.office-key", phrase.Literal("name", "")))
		return
	}
	for _, p := range n.Pairs {
		name := phrase.Clip(phrase.OneLine(p.Key.Text), 40)
		text, _ := r.Text(p.Value)
		key := strings.ToLower(strings.TrimSpace(text))
		if raw, err := hex.DecodeString(key); err != nil || len(raw) != ed25519.PublicKeySize {
			r.Refuse(p.Value, "", phrase.Say("league.office-key", phrase.Literal("name", name)))
			continue
		}
		s.Offices = append(s.Offices, Office{Name: name, Key: key})
	}
}

// people reads who takes over seats and who rules on games.
func (r *reader) people(f orders.Fields, s *Setup) {
	s.Substitutes = Substitutes{MostGames: 2, Rated: "own"}
	sub := r.Fields(f.Get("substitutes"), "most-games", "rated")
	r.number(sub.Get("most-games"), 1, 20, &s.Substitutes.MostGames)
	r.word(sub.Get("rated"), &s.Substitutes.Rated, "own", "none")

	s.Umpires = Umpires{MostGames: 8, Never: []string{"plays-in-division"}}
	u := r.Fields(r.Require(f, "umpires"), "of", "most-games", "never")
	s.Umpires.Of = r.addresses(r.Require(u, "of"))
	r.number(u.Get("most-games"), 1, 100, &s.Umpires.MostGames)
	for _, n := range r.List(u.Get("never")) {
		if word, ok := r.Word(n, "same-club", "plays-in-division", "family"); ok && !slices.Contains(s.Umpires.Never, word) {
			s.Umpires.Never = append(s.Umpires.Never, word)
		}
	}
}

// ratings reads how members are rated.
func (r *reader) ratings(n *orders.Node, s *Setup) {
	s.Ratings = Ratings{Glicko: glicko.Default, Period: 30 * 24 * time.Hour, BySide: true}
	if n == nil {
		return
	}
	if r.Is(n, "none") {
		s.Ratings = Ratings{Glicko: glicko.Default}
		return
	}
	f := r.Fields(n, "system", "period", "tau", "start", "by-side")
	system, bySide := "glicko-2", "offset"
	r.word(f.Get("system"), &system, "glicko-2")
	r.wait(f.Get("period"), &s.Ratings.Period)
	r.word(f.Get("by-side"), &bySide, "offset", "none")
	s.Ratings.BySide = bySide == "offset"
	r.decimal(f.Get("tau"), 1000, &s.Ratings.Glicko.Tau)
	if start := f.Get("start"); start != nil {
		items, g := r.List(start), &s.Ratings.Glicko.Start
		if len(items) != 3 {
			r.Refuse(start, "", phrase.Say("league.rating-start"))
			return
		}
		r.decimal(items[0], 100, &g.R)
		r.decimal(items[1], 100, &g.RD)
		r.decimal(items[2], 1_000_000_000, &g.Sigma)
	}
	if s.Ratings.Glicko.Check() != nil {
		r.Refuse(n, "", phrase.Say("league.rating-bounds"))
	}
}

// decimal reads a decimal fraction as so many parts of one.
func (r *reader) decimal(n *orders.Node, parts int64, into *int64) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	whole, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
	v, err := strconv.ParseUint(whole+fraction, 10, 40)
	value := int64(v) * parts
	for range fraction {
		if value%10 != 0 {
			err = strconv.ErrRange
		}
		value /= 10
	}
	if err != nil || len(whole) == 0 || len(fraction) > 9 || len(whole) > 6 {
		r.Refuse(n, "", phrase.Say("league.decimal", phrase.Literal("got", text)))
		return
	}
	*into = value
}
