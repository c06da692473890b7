package league

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/setup"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders"
)

const aquila = `league: aquila
title: Aquila Correspondence League
secretaries: [secretary@club.example]
language: [en, it]
zone: Europe/Rome
open: anybody
members: {proof: key, addresses: 3, probation: 1}
seasons: {start: 2027-01-10, enter-until: 2026-12-27, length: 26w, pause: 4w}
deadlines:
  brisk: {usual: 2d, least: 1d, grace: 12h, at: "20:00"}
  steady: {usual: 4d, least: 2d, grace: 24h, at: "20:00"}
absence: 30d
divisions:
  - {id: first, size: 12, system: lots, template: lots.yaml, form: round-robin, pairing: double}
  - {id: second, size: 14, system: lots, template: lots.yaml}
  - {id: open, size: 40, system: lots, template: lots.yaml, form: swiss, rounds: 5, pairing: double}
games: {most-at-once: 2, rounds: concurrent}
moves: {up: 2, down: 3, playoff: {up: 3, down: 4}}
points: {win: 3, draw: 1.5, loss: 0, bye: 2, forfeit-win: 3}
ties: [direct, sonneborn-berger, forfeits, start-rating, lot]
withdraw: {before: remove, under: 40, then: cancel, else: keep}
silence: {bot: 2, replace: 4}
forfeit: {stops: 6}
substitutes: {most-games: 2, rated: own}
umpires: {of: [umpire-1@club.example, umpire-2@club.example], most-games: 8, never: [same-club, family]}
ratings: {system: glicko-2, period: 30d, tau: 0.6, start: [1500, 300, 0.059], by-side: offset}
entry: {reliability: 60, abandoned: limit}
`

// files are templates of games.
var files = map[string]string{
	"good.yaml":    "options: {rounds: 3}\n",
	"given.yaml":   "seats: {red: {address: a@b.example}}\n",
	"other.yaml":   "system: chess\n",
	"broken.yaml":  "options: {rounds: [\n",
	"rounds.yaml":  "options: {rounds: 99}\n",
	"nothing.yaml": "",
}

func newReader() *Reader {
	return &Reader{
		Games: &setup.Reader{Systems: map[string]engine.Ruleset{"lots": enginetest.New()}, Names: []string{"lots"}, Languages: []string{"en", "it"},
			Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)},
		File: func(name string) (string, error) {
			text, ok := files[name]
			if !ok {
				return "", os.ErrNotExist
			}
			return text, nil
		},
	}
}

func TestSetup(t *testing.T) {
	s, problems := newReader().Read(strings.ReplaceAll(aquila, "lots.yaml", "good.yaml"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if s.League != "aquila" || s.Zone != "Europe/Rome" || s.Open != "anybody" || !slices.Equal(s.Languages, []string{"en", "it"}) ||
		s.Members != (Members{"key", 3, 1}) || s.Entry != (Entry{60, true}) || s.Seasons != (Seasons{"2027-01-10", "2026-12-27", 26 * 7 * 24 * time.Hour, 4 * 7 * 24 * time.Hour}) ||
		len(s.Deadlines) != 2 || s.Deadlines[1].Name != "steady" || s.Absence != 30*24*time.Hour {
		t.Errorf("the head: %+v", s)
	}
	if !s.Concurrent || s.MostAtOnce != 2 || s.Moves != (Moves{2, 3, 3, 4}) || s.Points != (table.Points{Win: 36, Draw: 18, Bye: 24, ForfeitWin: 36}) ||
		len(s.Ties) != 5 || s.Withdraw != (Withdraw{40, "cancel", "keep"}) || s.Bot != 2 || s.Replace != 4 || s.Forfeit != 6 {
		t.Errorf("how it is played: %+v", s)
	}
	if s.Substitutes != (Substitutes{2, "own"}) || len(s.Umpires.Of) != 2 || !slices.Equal(s.Umpires.Never, []string{"plays-in-division", "same-club", "family"}) ||
		s.Ratings.Glicko != (glicko.System{Start: glicko.Rating{R: 1500_00, RD: 300_00, Sigma: 59_000_000}, Tau: 600}) || !s.Ratings.BySide {
		t.Errorf("people and ratings: %+v", s)
	}
	for i, want := range []int{22, 13, 10} {
		if got := s.Divisions[i].Games(); got != want || s.Divisions[i].Game == nil {
			t.Errorf("division %s: %d games a member, not %d", s.Divisions[i].ID, got, want)
		}
	}
}

// TestSetupUsual: what a short set-up leaves out.
func TestSetupUsual(t *testing.T) {
	s, problems := newReader().Read(`league: l
secretaries: s@club.example
seasons: {start: 2027-01-10, enter-until: 2026-12-27}
deadlines: {usual: 3d}
divisions: {id: one, size: 4, system: lots, template: good.yaml}
umpires: {of: u@club.example}
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	usual, _ := table.Preset("usual")
	if s.Zone != "UTC" || s.Open != "confirm" || s.Points != table.Usual || !slices.Equal(s.Ties, usual) || s.Ratings.Glicko != glicko.Default ||
		s.Withdraw != (Withdraw{50, "annul", "keep"}) || s.MostAtOnce != 3 || s.Concurrent || s.Divisions[0].Form != table.RoundRobin || s.Divisions[0].Pairing != table.Single {
		t.Errorf("%+v", s)
	}
}

// TestSetupItalian: keys and words are read in Italian too.
func TestSetupItalian(t *testing.T) {
	_, problems := newReader().Read(`lega: l
segretari: s@club.example
stagioni: {inizio: 2027-01-10, iscrizioni-fino: 2026-12-27, durata: 20w}
scadenze: {lenta: {consueta: 4d}}
divisioni: [{id: una, posti: 4, sistema: lots, modello: good.yaml, formula: girone, abbinamento: doppio}]
arbitri: {tra: u@club.example, mai: [famiglia]}
passaggi: {su: 1, giù: 1}
parità: iccf
punti: {vittoria: 2, patta: 1, sconfitta: 0, riposo: 2}
`)
	if len(problems) > 0 {
		t.Error(problems)
	}
}

// codes gives what is wrong, as line:column code.
func codes(text string) []string {
	var got []string
	_, problems := newReader().Read(text)
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Why.Code))
	}
	return got
}

// TestSetupFaults: all faults at once, each at its place.
func TestSetupFaults(t *testing.T) {
	good := strings.ReplaceAll(aquila, "lots.yaml", "good.yaml")
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"good", "", "", nil},
		{"id", "league: aquila", "league: A q!", []string{"1:9 league.id"}},
		{"address", "secretary@club.example", "secretary", []string{"3:15 office.setup.address"}},
		{"two addresses of one", "[secretary@club.example]", "[s@club.example, S@club.example]", []string{"3:31 league.address-twice"}},
		{"language", "[en, it]", "[en, fr]", []string{"4:16 office.setup.language"}},
		{"zone", "Europe/Rome", "Mars/Olympus", []string{"5:7 office.setup.zone"}},
		{"open", "open: anybody", "open: always", []string{"6:7 order.unknown-word"}},
		{"members", "addresses: 3", "addresses: 99", []string{"7:34 order.want-number"}},
		{"reliability", "reliability: 60", "reliability: 100", []string{"27:22 order.want-number"}},
		{"abandoned", "abandoned: limit", "abandoned: forbidden", []string{"27:37 order.unknown-word"}},
		{"date", "2027-01-10", "2027-02-30", []string{"8:18 league.date"}},
		{"entries", "2026-12-27", "2027-01-10", []string{"8:43 league.enter-late"}},
		{"length", "26w", "long", []string{"8:63 office.duration"}},
		{"deadline", "usual: 2d", "usual: soon", []string{"10:10 league.template-with", "10:10 league.template-with", "10:10 league.template-with"}},
		{"deadlines", "  brisk:", "  steady:", []string{"11:3 order.key-twice"}},
		{"divisions", "id: second", "id: first", []string{"15:10 league.division-twice"}},
		{"system", "size: 14, system: lots", "size: 14, system: chess", []string{"15:36 order.unknown-setup-system"}},
		{"size", "size: 12", "size: 1", []string{"14:23 order.want-number"}},
		{"form", "form: swiss", "form: cup", []string{"16:67 order.unknown-word", "16:80 league.no-rounds"}},
		{"rounds", "rounds: 5", "rounds: 40", []string{"16:82 order.want-number"}},
		{"rounds of all", "form: round-robin, pairing: double", "rounds: 3", []string{"14:70 league.no-rounds"}},
		{"trio", "form: round-robin, pairing: double", "pairing: trio, rounds: 4", []string{"14:51 league.sides"}},
		{"trio form", "form: swiss, rounds: 5, pairing: double", "form: swiss, rounds: 5, pairing: trio", []string{"16:50 league.sides", "16:67 league.trio-form"}},
		{"at once", "most-at-once: 2", "most-at-once: 0", []string{"17:23 order.want-number"}},
		{"moves", "up: 2, down: 3", "up: 9, down: 9", []string{"18:8 league.moves-many", "18:8 league.moves-many", "18:34 league.playoff"}},
		{"playoff", "up: 3, down: 4", "up: 4, down: 4", []string{"18:34 league.playoff"}},
		{"points", "draw: 1.5", "draw: 1.3", []string{"19:24 league.points"}},
		{"points that don't fit", "draw: 1.5", "draw: 7", []string{"19:9 league.points-order"}},
		{"ties", "[direct, ", "[luck, direct, buchholz, losses-inflicted, direct, lot, ", []string{"20:8 league.tie-unknown", "20:22 league.tie-swiss-only",
			"20:32 league.tie-uncounted", "20:50 league.tie-twice", "20:58 league.tie-lot", "20:105 league.tie-twice"}},
		{"tie of a form", "ties: [direct", "ties: [wins, side-luck, direct", []string{"20:8 league.tie-round-robin-only", "20:14 league.tie-single-only"}},
		{"withdraw", "then: cancel", "then: forget", []string{"21:45 order.unknown-word"}},
		{"forfeit", "stops: 6", "stops: 4", []string{"23:18 league.forfeit-early"}},
		{"umpires", "family]", "enemies]", []string{"25:97 order.unknown-word"}},
		{"ratings", "tau: 0.6", "tau: 6", []string{"26:10 league.rating-bounds"}},
		{"start", "[1500, 300, 0.059]", "[1500, 300]", []string{"26:59 league.rating-start"}},
		{"a number", "0.059", "x", []string{"26:71 league.decimal"}},
		{"a key", "absence: 30d", "absense: 30d", []string{"12:1 order.unknown-key"}},
		{"missing", "secretaries: [secretary@club.example]\n", "", []string{"1:1 order.missing-key"}},
		{"no file", "second, size: 14, system: lots, template: good.yaml", "second, size: 14, system: lots, template: none.yaml", []string{"15:52 league.file"}},
		{"given", "second, size: 14, system: lots, template: good.yaml", "second, size: 14, system: lots, template: given.yaml", []string{"15:52 league.template"}},
		{"another system", "second, size: 14, system: lots, template: good.yaml", "second, size: 14, system: lots, template: other.yaml", []string{"15:52 league.template"}},
		{"broken", "second, size: 14, system: lots, template: good.yaml", "second, size: 14, system: lots, template: broken.yaml", []string{"15:52 league.template"}},
		{"an option", "second, size: 14, system: lots, template: good.yaml", "second, size: 14, system: lots, template: rounds.yaml", []string{"15:52 league.template"}},
		{"an empty template", "second, size: 14, system: lots, template: good.yaml", "second, size: 14, system: lots, template: nothing.yaml", []string{"15:52 league.template"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if c.old != "" && text == good {
				t.Fatal("nothing was changed")
			}
			if got := codes(text); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
	if got := codes(""); !slices.Equal(got, []string{"0:0 office.setup.empty"}) {
		t.Error(got)
	}
}

// TestNoDeadlinesThatWait: games of a league have steps against silence, so a rule that waits for who is late fits none of
// them. It is refused when the set-up is given; one that is in force is read even so.
func TestNoDeadlinesThatWait(t *testing.T) {
	good := strings.ReplaceAll(aquila, "lots.yaml", "good.yaml")
	for _, rule := range []string{"{usual: 4d, late: wait}", "{usual: 4d, bid: {late: wait}}"} {
		text := strings.Replace(good, `{usual: 4d, least: 2d, grace: 24h, at: "20:00"}`, rule, 1)
		rd := newReader()
		rd.Given = true
		if _, problems := rd.Read(text); len(problems) != 1 || problems[0].Why.Code != "league.late-wait" || problems[0].Line != 11 {
			t.Errorf("%s: %v", rule, problems)
		}
		if got := codes(text); len(got) > 0 {
			t.Errorf("%s, in force: %s", rule, got)
		}
	}
}

// TestGuide: the set-up that docs/leagues.md shows is a good one.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/leagues.md")
	if err != nil {
		t.Fatal(err)
	}
	var example []string
	_, from, _ := strings.Cut(string(text), "## The set-up of a league")
	for _, line := range strings.Split(from, "\n") {
		inside, is := strings.CutPrefix(line, "    ")
		if !is && len(example) > 0 {
			break // the examples behind it are letters
		}
		if is {
			example = append(example, inside)
		}
	}
	set := strings.NewReplacer("napoleon", "lots", "waterloo", "lots", "nap.yaml", "good.yaml", "wat.yaml", "good.yaml").Replace(strings.Join(example, "\n"))
	s, problems := newReader().Read(set)
	if len(problems) > 0 || len(s.Divisions) != 3 {
		t.Error(problems)
	}
	for _, tie := range table.All {
		if !strings.Contains(string(text), "`"+string(tie)+"`") {
			t.Errorf("the guide does not name %s", tie)
		}
	}
}

// everyKey is a set-up that has every key, those of deadlines among them.
var everyKey = strings.NewReplacer("lots.yaml", "good.yaml", "forfeit-win: 3", "forfeit-win: 3, forfeit-loss: 0", "size: 14,", "size: 14, copies: 2,", "substitutes:", "offices: {eagle: "+strings.Repeat("5f", 32)+"}\nsubstitutes:",
	"grace: 24h,", "grace: 24h, zone: Europe/Rome, weekdays: [mon, tue, wed], holidays: [12-24..01-06], reminders: [24h], early: yes, late: default,").Replace(aquila)

// TestEveryKeyIsJudged: nonsense at any key of a set-up, in place of what stands there, is refused in its line; a key that
// nobody knows beside it, too.
func TestEveryKeyIsJudged(t *testing.T) {
	good := everyKey
	root, problems := orders.ParseNode([]byte(good))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, problems := newReader().Read(good); len(problems) > 0 {
		t.Fatal(problems)
	}
	walked := map[string]int{}
	var walk func(n *orders.Node, path string)
	walk = func(n *orders.Node, path string) {
		for _, item := range n.Items {
			walk(item, path)
		}
		for i := range n.Pairs {
			p := n.Pairs[i]
			at := path + "/" + p.Key.Text
			if len(p.Value.Pairs) > 0 || len(p.Value.Items) > 0 {
				walk(p.Value, at)
			}
			for _, nonsense := range []*orders.Node{orders.Mapping().Set("no-such-key", orders.Text("1")), {Kind: orders.List, Items: []*orders.Node{{Kind: orders.List, Items: []*orders.Node{orders.Text("?")}}}}} {
				was := n.Pairs[i].Value
				n.Pairs[i].Value = nonsense
				if _, problems := newReader().Read(root.Encode()); len(problems) == 0 {
					t.Errorf("%s: %s is taken", at, nonsense.Encode())
				}
				n.Pairs[i].Value = was
			}
			walked[p.Key.Text]++
		}
	}
	walk(root, "")
	for _, key := range append(keysInCode(t), "usual", "least", "at", "zone", "weekdays", "holidays", "grace", "reminders", "early", "late") { // the last of them are those of deadlines
		if walked[key] == 0 {
			t.Errorf("%s is not among them", key)
		}
	}
}

// keysInCode are the keys of a set-up that this package's code reads: those at the top, and all that stand in a call of Fields.
func keysInCode(t *testing.T) []string {
	t.Helper()
	all := slices.Clone(keys)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Fields" {
				return true
			}
			for _, arg := range call.Args {
				if lit, ok := arg.(*ast.BasicLit); ok {
					key, _ := strconv.Unquote(lit.Value)
					all = append(all, key)
				}
			}
			return true
		})
	}
	if len(all) < len(keys)+30 {
		t.Errorf("only %d keys are found in the code", len(all))
	}
	return all
}

// named are keys at which a name may stand that nobody has written down beforehand: some of the bad values are good ones there.
var named = []string{"title", "league", "id"}

// TestEveryKeyWithBadValues: numbers that are too small or too large, words that nobody knows, texts with no end or with what can't be
// printed, times that run backwards, at each key where one value stands: each key refuses most of them, in the line of the key, with
// a reason that has words; none of them is read as if it were something else.
func TestEveryKeyWithBadValues(t *testing.T) {
	good := everyKey
	root, problems := orders.ParseNode([]byte(good))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	bad := []string{"-1", "999999999", "1e9", "no-such-word", "", "-3d", strings.Repeat("x", 3000), "a\u202eb\x01", "{", "M-0001"}
	refused, tried := map[string]int{}, map[string]int{}
	var walk func(n *orders.Node)
	walk = func(n *orders.Node) {
		for _, item := range n.Items {
			walk(item)
		}
		for i := range n.Pairs {
			p := n.Pairs[i]
			walk(p.Value)
			if p.Value.Kind == orders.Map || p.Value.Kind == orders.List {
				continue
			}
			for _, value := range bad {
				was := n.Pairs[i].Value
				n.Pairs[i].Value = orders.Text(value)
				text := root.Encode()
				_, problems := newReader().Read(text)
				n.Pairs[i].Value = was
				tried[p.Key.Text]++
				if len(problems) == 0 {
					continue
				}
				refused[p.Key.Text]++
				for _, x := range problems {
					if x.Line < 1 || x.Line > strings.Count(text, "\n")+1 || x.Why.IsZero() {
						t.Errorf("%s: %.20q is refused at line %d: %s", p.Key.Text, value, x.Line, x.Why.Code)
					}
				}
			}
		}
	}
	walk(root)
	for key, n := range tried {
		least := n * 8 / 10 // a number may be good
		if slices.Contains(named, key) {
			least = n * 2 / 10
		}
		if refused[key] < least {
			t.Errorf("%s refuses %d of %d bad values", key, refused[key], n)
		}
	}
	if len(tried) < 40 {
		t.Errorf("only %d keys were tried", len(tried))
	}
}
