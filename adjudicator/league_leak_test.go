package adjudicator

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/store"
	"berthier/mail"
)

// A secret is what is hidden in the games that run: somebody answers each stop in them as soon as he is asked, by himself.
type secret struct {
	seat int // of the game that a story is about: who sits there
	bid  int // what he answers; 0: nobody answers
}

// A leak is an office in which something is hidden in the games that run. It keeps what leagues tell, and when.
type leak struct {
	*testOffice
	secret
	who  string              // address of who answers
	told map[string][]string // by address: the letters of the league, each with the moment at which it went out
	log  []string            // what might be noticed besides, each time that it changes: how long the league's log is, and when it goes on
	last string              // of these
	sent int
}

// A leakStory is what happens in a league, with letters of many kinds. It says when something is hidden, and in which game.
type leakStory struct {
	text    string
	files   map[string]string
	members []string
	happens func(*leak)
}

// ofAGame is the subject of a letter of a game, which goes to those who see the game.
var ofAGame = regexp.MustCompile(`^(Re: )?\[[a-z0-9-]+\]`)

// confirmingCode is the code of a preview. It hangs on the end of the league's log, and that on the logs of games that are over, by the office's
// secret: nobody can read anything in it.
var confirmingCode = regexp.MustCompile(`(the code is|confirm:) [A-Z2-9]{4}-[A-Z2-9]{4}`)

// A steady chance is the same whatever was drawn before: otherwise what is drawn for an answer would change all that is drawn later.
type steady struct{}

func (steady) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 7
	}
	return len(b), nil
}

// hide has somebody answer in secret in each game of his that asks him something.
func (l *leak) hide() {
	l.Helper()
	if l.bid == 0 || l.who == "" {
		return
	}
	var all []string
	l.must("", l.office.read(func(tx store.Reader) error {
		return tx.Games(func(id string, _ []byte) error { all = append(all, id); return nil })
	}))
	for _, id := range all {
		g := l.record(id)
		for _, s := range g.Seats {
			if g.Phase != game.Running || !g.Paused.IsZero() || s.Person.Address != l.who || s.Owes == nil || s.Owes.Answer != nil {
				continue
			}
			text := fmt.Sprintf("stop: %d\norders: {bid: %s-%d}\n", s.Owes.Stop, strings.ToUpper(string(s.Side)[:1]), l.bid)
			if _, err := l.office.Clerk().Answer(context.Background(), id, s.Side, text); err != nil {
				l.Fatal(err)
			}
		}
	}
}

// settle has done and sent what is due now, and keeps what the league tells.
func (l *leak) settle() {
	l.Helper()
	l.hide()
	l.tick()
	l.flush()
	for ; l.sent < len(l.post.sent); l.sent++ {
		if p := l.post.sent[l.sent]; !ofAGame.MatchString(p.letter.Subject) {
			l.told[p.to] = append(l.told[p.to], l.clock.Now().Format(time.DateTime)+" "+confirmingCode.ReplaceAllString(wordsOf(p.letter), "(code)"))
		}
	}
	now := fmt.Sprintf("%d entries, goes on at %s, weekly letters at %s", l.league().Log, l.wakes(leaguePrefix+"aquila"), l.wakes(weeklyWake))
	if now != l.last {
		l.last, l.log = now, append(l.log, l.clock.Now().Format(time.DateTime)+": "+now)
	}
}

// wakes is when the office will look at something, to the second; "": within the next year it won't.
func (l *leak) wakes(what string) (at string) {
	l.Helper()
	begin := l.clock.Now()
	l.must("", l.office.read(func(tx store.Reader) error {
		there := func(s int) bool {
			return slices.Contains(tx.Waking(begin.Add(time.Duration(s)*time.Second), 1000), what)
		}
		const year = 365 * 24 * 60 * 60
		if there(year) {
			at = begin.Add(time.Duration(sort.Search(year, there)) * time.Second).Format(time.DateTime)
		}
		return nil
	}))
	return at
}

// pass lets time pass, from one moment at which something is due to the next.
func (l *leak) pass(d time.Duration) {
	l.Helper()
	for until := l.clock.Now().Add(d); ; {
		l.settle()
		now := l.clock.Now()
		if !now.Before(until) {
			return
		}
		next := until
		l.must("", l.office.read(func(tx store.Reader) error {
			for _, first := range []func() (time.Time, bool){tx.FirstWake, tx.FirstDue} {
				if at, ok := first(); ok && at.After(now) && at.Before(next) {
					next = at
				}
			}
			return nil
		}))
		l.clock.move(next.Sub(now))
	}
}

// writes is a letter of a member with his key, whatever comes of it.
func (l *leak) writes(name, text string) {
	l.Helper()
	l.clock.move(time.Minute)
	if _, err := l.office.Take(context.Background(), l.letter(name+"@play.example", l.keyOf(name)+"\n"+text)); err != nil {
		l.Fatal(err)
	}
	l.settle()
}

// about is a member's command about the league.
func (l *leak) about(name, command string, lines ...string) {
	l.Helper()
	l.writes(name, "command: "+command+"\nleague: aquila\n"+strings.Join(append(lines, ""), "\n"))
}

// secretary is an act of sam, who is a secretary: shown, and confirmed.
func (l *leak) secretary(act string, lines ...string) {
	l.Helper()
	l.about("sam", "secretary", append([]string{"act: " + act}, lines...)...)
	shown := l.latest("sam@play.example", "confirm: ")
	l.writes("sam", l.backIn(shown))
	l.latest("sam@play.example", "Done: "+act)
}

// latest is the last letter to an address that says something, among the last few.
func (l *leak) latest(address, says string) *mail.Letter {
	l.Helper()
	looked := []string{}
	for _, p := range slices.Backward(l.post.sent) {
		if p.to != address || ofAGame.MatchString(p.letter.Subject) {
			continue
		}
		if strings.Contains(wordsOf(p.letter), says) {
			return p.letter
		}
		if looked = append(looked, wordsOf(p.letter)); len(looked) == 3 {
			break
		}
	}
	l.Fatalf("no letter to %s says %q:\n%s", address, says, strings.Join(looked, "\n"))
	return nil
}

// hides begins what is hidden: somebody in a game answers in secret, from now on and in all his games.
func (l *leak) hides(id string) {
	l.Helper()
	l.who = l.record(id).Seats[l.seat].Person.Address
	l.settle()
}

// named is the name of a member, by his id.
func (l *leak) named(id string) string {
	l.Helper()
	m, err := (club{l.office}).get(id)
	if err != nil {
		l.Fatal(err)
	}
	name, _, _ := strings.Cut(m.Addresses[0], "@")
	return name
}

// memberAt is the member with an address.
func (l *leak) memberAt(address string) *member.Member {
	l.Helper()
	m, err := (club{l.office}).at(address)
	if err != nil || m == nil {
		l.Fatal(address, err)
	}
	return m
}

// names are those of all members.
func (l *leak) names() (all []string) {
	l.Helper()
	members, err := (club{l.office}).all()
	if err != nil {
		l.Fatal(err)
	}
	for _, m := range members {
		all = append(all, l.named(m.ID))
	}
	return all
}

// decide has an umpire decide a game: the first of its entries wins.
func (l *leak) decide(id string) {
	l.Helper()
	l.decides(id, l.seasonNow().Game(id).Entries[0])
	l.settle()
}

// asksAll has members ask for all that they may read.
func (l *leak) asksAll(names ...string) {
	l.Helper()
	for _, name := range names {
		for _, command := range []string{"table", "schedule", "rating", "member", "record"} {
			l.writes(name, "command: "+command+"\n")
		}
		l.clock.move(time.Hour)
	}
}

// happened lets a story happen with something hidden, and gives what was told.
func (s leakStory) happened(t *testing.T, hidden secret) *leak {
	t.Helper()
	h := clubOffice(t)
	h.opt.AnswersPerHour, h.opt.Entropy = 1000, steady{}
	h.restart()
	h.office.step, h.office.rule = nil, nil // once is enough here
	l := &leak{testOffice: aLeagueIn(h, t, s.text, s.files, s.members...), secret: hidden, told: map[string][]string{}}
	l.sent = len(l.post.sent)
	s.happens(l)
	return l
}

// Whatever is hidden in games that run, a league's letters are the same, byte for byte, each of them goes out at the same moment, its log
// has as many entries, and it goes on at the same moments: letters of every kind that the program has, to all who get one. Left out is only
// what goes to who answers in secret, who knows that himself; but nothing there may hang on what he has answered, for others may see it.
func TestEveryLetterOfALeagueTellsNothingOfRunningGames(t *testing.T) {
	withoutRace(t)
	said := map[string]bool{}
	for name, story := range map[string]leakStory{"entries": entriesStory, "a season": seasonStory, "a ladder": ladderStory, "a play-off": playoffStory, "a game thrown": thrownStory, "taken back": takenBackStory} {
		t.Run(name, func(t *testing.T) {
			quiet := story.happened(t, secret{})
			for _, letters := range quiet.told {
				for _, letter := range letters {
					said[strings.ToLower(strings.Join(strings.Fields(letter), " "))] = true
				}
			}
			busy := story.happened(t, secret{0, 1})
			quiet.sameTo(t, busy, false)
			if fullSamples {
				busy.sameTo(t, story.happened(t, secret{0, 3}), true)
				quiet.sameTo(t, story.happened(t, secret{1, 2}), false)
			}
		})
	}
	if t.Failed() {
		return
	}
	texts := slices.Sorted(maps.Keys(said))
	for _, code := range toldInCode(t) {
		if !code.among(texts) {
			t.Errorf("no letter that is compared says %s: let a story of this test have one", code)
		}
	}
}

// sameTo expects that another office has told the same; what went to who answered in secret only if he did so in both.
func (l *leak) sameTo(t *testing.T, other *leak, both bool) {
	t.Helper()
	if !slices.Equal(l.log, other.log) {
		t.Errorf("what everybody might notice differs:\n%s", firstDifference(strings.Join(l.log, "\n"), strings.Join(other.log, "\n")))
	}
	readers := slices.Sorted(maps.Keys(l.told))
	if len(readers) < 4 || len(other.told) != len(readers) {
		t.Errorf("letters to %q and %d people", readers, len(other.told))
	}
	for _, at := range readers {
		if at == other.who && !both {
			continue
		}
		if a, b := l.toldTo(at), other.toldTo(at); a != b {
			t.Errorf("the letters to %s differ:\n%s", at, firstDifference(a, b))
		}
	}
}

// entryOfLog is how an umpire who is to look at a ruling finds it: he looks after that game, and reads its log.
var entryOfLog = regexp.MustCompile(`(entry|overrule:)(\s)\d+`)

// toldTo is all that an address was told.
func (l *leak) toldTo(at string) string {
	return entryOfLog.ReplaceAllString(strings.Join(l.told[at], "\n"), "$1$2(number)")
}

// A toldCode is a sentence that leagues tell, with what the program says of it: its literal text in English.
type toldCode struct{ code, literal string }

func (c toldCode) String() string { return fmt.Sprintf("%s (%q)", c.code, c.literal) }

func (c toldCode) among(texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, strings.ToLower(c.literal)) })
}

// namesOnly are beginnings of codes of which not each stands for a kind of letter: with why.
var namesOnly = map[string]string{
	"league.key.":   "names of the keys of a set-up",
	"league.tie.":   "names of what parts two rows of a table, which is made of results in force alone",
	"league.state.": "names of how a game in a schedule stands, which is made of results in force alone",
}

// refusalsOnly are codes of what is refused, though not by the functions whose arguments are left out below.
var refusalsOnly = map[string]bool{"league.change.now": true}

// toldInCode are all sentences that the program's code about leagues and members tells anybody: each code that stands in it, but
// where something is refused, which the test of all verbs compares.
func toldInCode(t *testing.T) (all []toldCode) {
	t.Helper()
	sentences := sentencesOf(t)
	codes := map[string]bool{}
	for _, pattern := range []string{"league*.go", "club*.go", "report/league.go", "report/weekly.go", "report/club.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				codesIn(t, file, codes)
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if refusalsOnly[code] {
			continue
		}
		if _, whole := sentences[code]; whole {
			all = append(all, toldCode{code, sentences[code]})
			continue
		}
		for _, one := range slices.Sorted(maps.Keys(sentences)) { // it is the beginning of several
			if strings.HasPrefix(one, code) && !codes[one] && namesOnly[code] == "" && (strings.HasSuffix(code, ".") || strings.HasSuffix(code, "-")) {
				all = append(all, toldCode{one, sentences[one]})
			}
		}
	}
	if len(all) < 80 {
		t.Errorf("only %d sentences are found in the code", len(all))
	}
	return all
}

var (
	toldLiteral  = regexp.MustCompile(`^(league|club)\.[a-z0-9.-]+$`)
	wordLine     = regexp.MustCompile(`(?m)^((?:league|club)\.[a-z0-9.-]+): "(.*)"$`)
	wordArgument = regexp.MustCompile(`\{[^{}]*(\{[^{}]*\}[^{}]*)*\}`)
)

// codesIn notes the codes that stand in a file, but where something is refused.
func codesIn(t *testing.T, path string, codes map[string]bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Refuse", "Fault"}, f.Sel.Name) {
				return false
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && toldLiteral.MatchString(text) {
				codes[text] = true
			}
		}
		return true
	})
}

// sentencesOf are the English sentences about leagues and members, each by the longest part that is the same in all letters.
func sentencesOf(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	files, err := filepath.Glob("../templates/words/*.en.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range wordLine.FindAllStringSubmatch(string(data), -1) {
			parts := wordArgument.Split(strings.ReplaceAll(m[2], `\"`, `"`), -1)
			all[m[1]] = strings.TrimSpace(slices.MaxFunc(parts, func(a, b string) int { return cmp.Compare(len(a), len(b)) }))
		}
	}
	return all
}
