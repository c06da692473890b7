package adjudicator

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/store"
	"berthier/mail"
	"berthier/orders"
)

// A sweep tries every verb of leagues in one phase of a season after the other. Whatever a verb does is taken back before the next.
type sweep struct {
	*testOffice
	phase  string
	before []byte    // the database when the phase began
	at     time.Time // and the time
	taken  map[string][]string
	not    map[string][]string
}

// sweptText is a league with a round robin and a ladder, in which nothing happens by its dates.
var sweptText = strings.NewReplacer("[secretary@club.example]", "[sam@play.example, secretary@club.example]", "start: 2026-03-10, enter-until: 2026-03-05", "start: 2026-02-10, enter-until: 2026-02-05, pause: none, length: 26w",
	"brisk: 2d", "brisk: 90d", "steady: 4d", "steady: 90d", "umpires:", "withdraw: {under: 0}\numpires:",
	"[{id: first, size: 4, system: lots, template: lots.yaml}]", "[{id: first, size: 4, system: lots, template: lots.yaml}, {id: second, size: 2, system: lots, template: lots.yaml, form: ladder}]").Replace(aquila)

// sweptPhases lead the season from one phase to the next.
var sweptPhases = []struct {
	name string
	to   func(*sweep)
}{
	{"no season", func(s *sweep) {}},
	{"announced", func(s *sweep) { s.must(s.office.Secretary().Announce(s.Context(), "aquila")) }},
	{"entering", func(s *sweep) {
		s.must("", s.office.Secretary().OpenEntries(s.Context(), "aquila"))
		s.enter("ada", "bea", "cara", "dora", "eva", "fay", "gia")
	}},
	{"dividing", func(s *sweep) { s.must(s.office.Secretary().CloseEntries(s.Context(), "aquila")) }},
	{"running", func(s *sweep) {
		s.must("", s.office.Secretary().Start(s.Context(), "aquila"))
		s.tick()
		playing := s.league().Divisions[0].Playing
		s.decides(playing[0], s.seasonNow().Game(playing[0]).Entries[0])
		s.resigns(playing[5], s.record(playing[5]).Seats[0].Person.Address)
		s.tick()
		s.rules(LeagueRuling{Kind: "forfeit", Game: playing[4], Of: s.seasonNow().Game(playing[4]).Entries[:1]})
		s.letter1(s.player(playing[3]), "command: protest\nabout: "+playing[3]+"\nreason: r\n")
	}},
	{"settling", func(s *sweep) {
		s.clock.move(s.seasonNow().Until.Sub(s.clock.Now()) - time.Hour)
		s.tick()
		for _, id := range s.seasonNow().Undecided() {
			s.decides(id, s.seasonNow().Game(id).Entries[0])
		}
		s.clock.move(time.Hour)
		s.tick()
	}},
	{"all final, one contested", func(s *sweep) {
		s.rules(LeagueRuling{Kind: "dismiss", Game: s.game(3)})
		s.clock.move(finalAfter + time.Hour)
		s.tick()
		if _, err := s.office.Clerk().Rule(s.Context(), s.game(0), "command: rule\noutcome: draw\nreason: r\n", "", true); err != nil {
			s.Fatal(err)
		}
		s.tick()
	}},
	{"all final", func(s *sweep) {
		for _, by := range []string{"sam@play.example", secretaryAt} {
			s.rules(LeagueRuling{Kind: "stand", Game: s.game(0), By: by})
		}
	}},
	{"closed", func(s *sweep) { s.must(s.office.Secretary().End(s.Context(), "aquila")) }},
	{"the next season", func(s *sweep) {
		s.must(s.office.Secretary().Announce(s.Context(), "aquila"))
		s.must("", s.office.Secretary().OpenEntries(s.Context(), "aquila"))
		s.enter("ada", "bea")
	}},
}

// rules has a secretary without a stake decide something.
func (s *sweep) rules(r LeagueRuling) {
	s.Helper()
	if r.Reason = "r"; r.By == "" {
		r.By = secretaryAt
	}
	if _, err := s.office.Secretary().Rule(s.Context(), "aquila", r, "", true); err != nil {
		s.Fatal(err)
	}
}

// game is a game of the first division of the first season, by its place; one that is not there, if none was made.
func (s *sweep) game(n int) string {
	if v := s.seasonOne(); v != nil && len(v.Divisions) > 0 && len(v.Divisions[0].Pairings) > n && len(v.Divisions[0].Pairings[n].Games) > 0 {
		return v.Divisions[0].Pairings[n].Games[0].ID
	}
	return fmt.Sprintf("aquila-1-1-%d", n+1)
}

// seasonOne is the first season; nil: it is not announced yet.
func (s *sweep) seasonOne() (v *season.Season) {
	s.must("", leagues{s.office}.look("aquila", func(b *openBook) error {
		if v = b.Season; len(b.Past) > 0 {
			v = b.Past[0]
		}
		return nil
	}))
	return v
}

// player is the name of somebody who plays a game; ada, if there is none.
func (s *sweep) player(id string) string {
	if v := s.seasonOne(); v != nil && v.Game(id) != nil {
		return s.name(v.Game(id).Entries[0])
	}
	return "ada"
}

func (s *sweep) name(id string) string {
	m, err := (club{s.office}).get(id)
	if err != nil {
		s.Fatal(err)
	}
	name, _, _ := strings.Cut(m.Addresses[0], "@")
	return name
}

// letter1 is a letter of a member with his key. It must be taken in or refused.
func (s *sweep) letter1(name, text string) mail.Folder {
	s.Helper()
	s.clock.move(time.Minute)
	folder, err := s.office.Take(s.Context(), s.letter(name+"@play.example", s.keyOf(name)+"\nleague: aquila\n"+text))
	if err != nil || folder != mail.Processed && folder != mail.Rejected {
		s.Errorf("%s: %q of %s: %s, %v", s.phase, text, name, folder, err)
	}
	return folder
}

// state is what the league, its members and their games are: it stays as it is when something is refused.
func (s *sweep) state() string {
	s.Helper()
	sum := sha256.New()
	s.must("", s.office.read(func(tx store.Reader) error {
		ids := []string{leaguePrefix + "aquila", rollLog}
		if err := tx.Games(func(id string, record []byte) error {
			ids = append(ids, id)
			fmt.Fprintf(sum, "%s %x\n", id, sha256.Sum256(record))
			return nil
		}); err != nil {
			return err
		}
		for _, id := range ids {
			fmt.Fprintf(sum, "%s %v\n", id, tx.Last(id))
		}
		for _, prefix := range []string{"league", "member", "formerly", "merge"} {
			if err := tx.Values(prefix, func(name string, data []byte) error { fmt.Fprintf(sum, "%s %q\n", name, data); return nil }); err != nil {
				return err
			}
		}
		return nil
	}))
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// tries tries one verb. What is taken is verified, once what follows from it has happened, and then taken back; what is refused must
// have changed nothing.
func (s *sweep) tries(verb string, does func() (refused bool)) {
	s.Helper()
	before := s.state()
	if does() {
		if s.not[verb] = append(s.not[verb], s.phase); s.state() != before {
			s.Errorf("%s: %s is refused, and has changed something", s.phase, verb)
		}
		return
	}
	s.taken[verb] = append(s.taken[verb], s.phase)
	if s.state() == before { // it only asks
		return
	}
	s.tick()
	s.tick()
	s.verified("aquila")
	s.back()
}

// back takes the office back to where the phase began.
func (s *sweep) back() {
	s.Helper()
	s.must("", s.store.Close())
	if err := os.WriteFile(s.path, s.before, 0o600); err != nil {
		s.Fatal(err)
	}
	s.clock.now, s.post, s.seen = s.at, &postman{}, map[string]int{}
	s.open()
	s.office.step, s.office.rule = nil, nil
}

// begins notes how the office is when a phase begins.
func (s *sweep) begins(phase string) {
	s.Helper()
	s.verified("aquila")
	s.flush()
	s.must("", s.store.Close())
	var err error
	if s.before, err = os.ReadFile(s.path); err != nil {
		s.Fatal(err)
	}
	s.phase, s.at = phase, s.clock.Now()
	s.back()
}

// byLetter tries a verb by letter. A refusal must be told, with a place, a reason and a remedy.
func (s *sweep) byLetter(verb, name, text string) {
	s.Helper()
	s.tries(verb, func() bool {
		s.deliver(name + "@play.example")
		refused := s.letter1(name, text) == mail.Rejected
		answer := s.one(s.deliver(name + "@play.example"))
		if refused {
			s.explains(verb, answer, text)
			return true
		}
		code := confirmLine.FindString(wordsOf(answer))
		if code == "" {
			return false
		}
		if again := s.letter1(name, text+code+"\n"); again != mail.Processed || !strings.Contains(wordsOf(s.last(name+"@play.example")), "Done: ") {
			s.Errorf("%s: %s was shown, and is %s when it is confirmed: %s", s.phase, verb, again, wordsOf(s.last(name+"@play.example")))
		}
		return false
	})
}

// explains expects that a letter says where a letter was wrong, why, and what can be done.
func (s *sweep) explains(verb string, answer *mail.Letter, text string) {
	s.Helper()
	said := wordsOf(answer)
	for _, want := range []string{"refused", "Line ", "command: help"} {
		if !strings.Contains(said, want) {
			s.Errorf("%s: %s is refused without %q:\n%s", s.phase, verb, want, said)
		}
	}
	if strings.Contains(said, "[league.") || strings.Contains(said, "%!") {
		s.Errorf("%s: %s is refused without words:\n%s", s.phase, verb, said)
	}
}

// byCommand tries a verb at the office's machine. A refusal must say why, in words.
func (s *sweep) byCommand(verb string, does func() error) {
	s.Helper()
	s.tries(verb, func() bool {
		err := does()
		var refused *game.RefusedError
		var problems orders.Problems
		words, _ := catalogue()
		switch {
		case err == nil:
			return false
		case errors.As(err, &refused) && words.Has(refused.Why.Code), errors.As(err, &problems), errors.Is(err, ErrNoMember):
		default:
			s.Errorf("%s: %s: %v", s.phase, verb, err)
		}
		return true
	})
}

// actLines are what each act of a secretary needs.
func (s *sweep) actLines(act string) string {
	id := s.game(1)
	switch act {
	case "overrule":
		id = s.game(4)
	case "correct", "stand":
		id = s.game(0)
	case "dismiss":
		id = s.game(3)
	}
	about := "about: " + id + "\nreason: r\n"
	switch act {
	case "announce", "open", "close", "start", "end", "export":
		return ""
	case "admit":
		return "members: [M-0008]\n"
	case "withdraw":
		return "members: [M-0001]\nreason: r\n"
	case "postpone":
		return "until: 2027-03-01\nreason: r\n"
	case "extend":
		return "until: 2028-03-01\nreason: r\n"
	case "forfeit":
		entry := "M-0001"
		if v := s.seasonOne(); v != nil && v.Game(id) != nil {
			entry = v.Game(id).Entries[0]
		}
		return "members: [" + entry + "]\n" + about
	case "cancel", "overrule", "correct", "stand", "dismiss":
		return about
	case "change":
		return "reason: r\nsetup: {title: Another}\n"
	case "merge":
		return "members: [M-0006, M-0007]\nreason: r\n"
	case "forget":
		return "members: [M-0007]\nreason: r\n"
	}
	s.Fatalf("this test does not know what the act %s needs: give it lines", act)
	return ""
}

// memberLines are who writes each command of a member, and what it needs.
func (s *sweep) memberLines(command string) (name, text string) {
	name = "ada"
	switch command {
	case "enter":
		return "hal", "system: lots\ndeadlines: steady\n"
	case "withdraw", "table", "schedule", "rating", "pause-entries":
		return name, ""
	case "accept", "decline":
		if v := s.seasonOne(); v != nil && len(v.Vacancies) > 0 && len(v.Vacancies[0].Asked) > 0 {
			name = s.name(v.Vacancies[0].Asked[0])
		}
		return name, "offer: " + s.game(5) + "\n"
	case "secretary":
		return "sam", "act: announce\n" // the other acts are tried by themselves
	case "appeal":
		return s.player(s.game(0)), "about: " + s.game(0) + "\nreason: r\n"
	case "protest":
		return s.player(s.game(2)), "about: " + s.game(2) + "\nreason: r\n"
	case "challenge":
		against := "M-0002"
		if v := s.seasonOne(); v != nil && len(v.Divisions) > 1 && len(v.Divisions[1].Members) > 1 {
			ladder := season.Ladder(v, "second")
			name, against = s.name(ladder[1]), ladder[0]
		}
		return name, "against: " + against + "\n"
	case "bring":
		return name, "about: old-1\n"
	}
	s.Fatalf("this test does not know what the command %s needs: give it lines", command)
	return "", ""
}

// secretaryMethods are what the secretary does at the office's machine, with a league; nil: it is about none.
func (s *sweep) secretaryMethods() map[string]func(*Secretary) error {
	ctx := s.Context()
	return map[string]func(*Secretary) error{
		"Announce":        func(x *Secretary) error { _, err := x.Announce(ctx, "aquila"); return err },
		"OpenEntries":     func(x *Secretary) error { return x.OpenEntries(ctx, "aquila") },
		"Admit":           func(x *Secretary) error { return x.Admit(ctx, "aquila", []string{"M-0008"}) },
		"AdmitList":       nil, // of a list of people: TestAListIsTakenIntoASeason
		"CloseEntries":    func(x *Secretary) error { _, err := x.CloseEntries(ctx, "aquila"); return err },
		"Start":           func(x *Secretary) error { return x.Start(ctx, "aquila") },
		"End":             func(x *Secretary) error { _, err := x.End(ctx, "aquila"); return err },
		"ShowLeague":      func(x *Secretary) error { _, err := x.ShowLeague("aquila"); return err },
		"Ratings":         func(x *Secretary) error { _, _, err := x.Ratings("aquila"); return err },
		"LeagueSite":      func(x *Secretary) error { _, _, err := x.LeagueSite("aquila"); return err },
		"ExportLeague":    func(x *Secretary) error { _, err := x.ExportLeague("aquila", false); return err },
		"VerifyLeague":    func(x *Secretary) error { _, err := x.VerifyLeague("aquila"); return err },
		"PlayLeagueAgain": func(x *Secretary) error { _, err := x.PlayLeagueAgain("aquila", true); return err },
		"NewLeague":       func(x *Secretary) error { _, err := x.NewLeague(ctx, sweptText, lotsFiles); return err },
		"Merge":           func(x *Secretary) error { _, err := x.Merge(ctx, "M-0006", "M-0007", "", true); return err },
		"Forget":          func(x *Secretary) error { _, err := x.Forget(ctx, "M-0008", true); return err },
		"Rule":            nil, // by its kinds
		"Leagues":         nil, "CheckLeague": nil, "Members": nil, "ShowMember": nil, "ReadMembers": nil, "AddMembers": nil,
	}
}

// ruling is what a secretary decides of a kind.
func (s *sweep) ruling(kind string) LeagueRuling {
	r := LeagueRuling{Kind: kind, By: secretaryAt, Reason: "r"}
	switch kind {
	case "withdraw":
		r.Of = []string{"M-0001"}
	case "postpone", "extend":
		r.Until = time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC)
	case "change":
		r.Text, r.Files = strings.Replace(sweptText, "title: Aquila", "title: Another", 1), lotsFiles
	case "import":
		r.Game, r.Text = s.game(1), "nothing"
	default:
		for _, line := range strings.Split(s.actLines(kind), "\n") {
			if id, ok := strings.CutPrefix(line, "about: "); ok {
				r.Game = id
			}
			if of, ok := strings.CutPrefix(line, "members: ["); ok {
				r.Of = []string{strings.TrimSuffix(of, "]")}
			}
		}
	}
	return r
}

// Every verb of leagues in every phase of a season, by letter and at the office's machine: it is taken, and what follows verified; or it is
// refused with place, reason and remedy, and nothing has changed. Which verbs there are the program's own tables say; each must be
// taken somewhere and refused somewhere.
func TestEachVerbOfALeagueInEachPhase(t *testing.T) {
	withoutRace(t)
	h := clubOffice(t)
	h.opt.AnswersPerHour = 1000
	h.restart()
	s := &sweep{testOffice: h, taken: map[string][]string{}, not: map[string][]string{}}
	names := []string{"ada", "bea", "cara", "dora", "eva", "fay", "gia", "hal", "sam"}
	people, problems := h.office.Secretary().ReadMembers(listOf(names))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, err := h.office.Secretary().AddMembers(context.Background(), people); err != nil {
		t.Fatal(err)
	}
	h.must(h.office.Secretary().NewLeague(context.Background(), sweptText, lotsFiles))
	for _, name := range names { // a first letter shows that its writer reads his letters, whatever becomes of it
		h.asMember(name+"@play.example", h.keyOf(name), "command: member\n", mail.Processed)
		h.deliver(name + "@play.example")
	}
	h.office.opt.Repeatable = false
	h.newGame("game: old-1\nsystem: lots\noptions: {rounds: 1}\nseats: {red: {name: R, address: ada@play.example}, blue: {name: B, address: bea@play.example}}\ngm: {address: gm@club.example}\ndeadline: 90d\n")
	h.office.opt.Repeatable = true
	for _, phase := range sweptPhases {
		s.phase = phase.name
		phase.to(s)
		s.begins(phase.name)
		s.all()
		s.verified("aquila") // after all that was refused
	}
	for _, verb := range s.verbs() {
		always := slices.Contains([]string{"letter: rating", "letter: pause-entries", "Merge", "Forget", "ShowLeague", "Ratings", "LeagueSite", "ExportLeague", "VerifyLeague", "PlayLeagueAgain", "ruling: change", "act: change", "act: export"}, verb)
		never := slices.Contains([]string{"NewLeague", "ruling: import"}, verb) // the tests of these take it
		if len(s.taken[verb]) == 0 && !never || len(s.not[verb]) == 0 && !always {
			t.Errorf("%s is taken when %q, and refused when %q", verb, s.taken[verb], s.not[verb])
		}
	}
	t.Logf("taken: %v", s.taken)
}

// verbs are all, as the program's tables have them.
func (s *sweep) verbs() (all []string) {
	for _, command := range leagueCommands {
		all = append(all, "letter: "+command)
	}
	for _, act := range secretaryActs() {
		if act.byLetter {
			all = append(all, "act: "+act.name)
		}
		if act.do != nil && !act.step { // steps are methods of the secretary
			all = append(all, "ruling: "+act.name)
		}
	}
	methods := reflect.TypeFor[*Secretary]()
	for i := range methods.NumMethod() {
		if does, known := s.secretaryMethods()[methods.Method(i).Name]; !known {
			s.Errorf("this test does not know what %s of a secretary needs", methods.Method(i).Name)
		} else if does != nil {
			all = append(all, methods.Method(i).Name)
		}
	}
	return all
}

// all tries all verbs, as things stand.
func (s *sweep) all() {
	s.Helper()
	for _, verb := range s.verbs() {
		kind, name, _ := strings.Cut(verb, ": ")
		switch kind {
		case "letter":
			who, text := s.memberLines(name)
			s.byLetter(verb, who, "command: "+name+"\n"+text)
		case "act":
			s.byLetter(verb, "sam", "command: secretary\nact: "+name+"\n"+s.actLines(name))
		case "ruling":
			r := s.ruling(name)
			s.byCommand(verb, func() error { _, err := s.office.Secretary().Rule(s.Context(), "aquila", r, "", true); return err })
		default:
			s.byCommand(verb, func() error { return s.secretaryMethods()[verb](s.office.Secretary()) })
		}
	}
}
