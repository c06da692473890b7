package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"berthier/adjudicator"
	"berthier/adjudicator/store/bolt"
	"berthier/mail"
)

// A badLine is a command line in which something is wrong: what is wrong must be named, why, and what can be done.
type badLine struct {
	args []string
	name string // what must be named; "": it can't be told by a word
}

// A badWord is something bad in place of an argument.
type badWord struct {
	value string
	name  string // what must be named of it
}

// badWords are what is tried in place of each kind of argument.
var badWords = map[string][]badWord{
	"league": {{"nowhere", "nowhere"}, {"", "is empty"}, {"../aquila", "../aquila"}, {"M-0001", "M-0001"}, {"aquila-1-1-1", "aquila-1-1-1"}, {strings.Repeat("x", 300), "xxxx"}, {"aq\u202euila", "aq"}},
	"member": {{"M-9999", "M-9999"}, {"", "is empty"}, {"nobody@nowhere.example", "nobody@nowhere.example"}, {"aquila", "aquila"}, {"aquila-1-1-1", "aquila-1-1-1"}, {"M-\x01", "M-"}},
	"game":   {{"nowhere", "nowhere"}, {"", "is empty"}, {"M-0001", "M-0001"}, {"aquila-9-9-9", "aquila-9-9-9"}, {"aquila", "aquila"}},
	"day":    {{"yesterday", "yesterday"}, {"2027-02-30", "2027-02-30"}, {"", "is empty"}, {"1066-10-14", "day"}, {"M-0001", "M-0001"}},
	"file":   {{"missing.yaml", "missing.yaml"}, {"folder", "folder"}, {"empty.yaml", ""}, {"noise.yaml", ""}, {"people.yaml", ""}, {"", "is empty"}},
	"list":   {{"missing.yaml", "missing.yaml"}, {"folder", "folder"}, {"empty.yaml", ""}, {"noise.yaml", ""}, {"aquila.yaml", ""}, {"", "is empty"}},
	"what":   {{"start", "start"}, {"", `got ""`}},
}

// A goodLine is a command line of the family of leagues to which nothing is wrong, with the kinds of its arguments.
type goodLine struct {
	args  string
	kinds string            // of its arguments, in their order
	flags map[string]string // kinds of what stands behind flags
}

// goodLines are one of each command. Those that would change something only show it.
var goodLines = map[string]goodLine{
	"league check":    {"other.yaml", "file", nil},
	"league new":      {"other.yaml", "file", nil},
	"league announce": {"aquila", "league", nil},
	"league open":     {"aquila", "league", nil},
	"league admit":    {"aquila M-0004", "league member", map[string]string{"file": "list"}},
	"league withdraw": {"aquila M-0001", "league member", nil},
	"league close":    {"aquila", "league", nil},
	"league start":    {"aquila", "league", nil},
	"league rule":     {"aquila aquila-1-1-1 --cancel --reason r", "league game", map[string]string{"forfeit": "member"}},
	"league overrule": {"aquila withdraw M-0003 --reason r", "league what member", nil},
	"league extend":   {"aquila 2029-01-01 --reason r", "league day", map[string]string{"game": "game"}},
	"league import":   {"aquila aquila-1-1-1 noise.yaml --reason r", "league game file", nil},
	"league change":   {"aquila aquila.yaml --reason r", "league file", nil},
	"league postpone": {"aquila 2029-01-01 --reason r", "league day", nil},
	"league end":      {"aquila", "league", nil},
	"league list":     {"", "", nil},
	"league show":     {"aquila", "league", nil},
	"league table":    {"aquila", "league", map[string]string{"division": "league"}},
	"league rating":   {"aquila", "league", nil},
	"league page":     {"aquila --out pages", "league", nil},
	"league export":   {"aquila", "league", nil},
	"league verify":   {"aquila", "league", nil},
	"member list":     {"", "", nil},
	"member show":     {"M-0001", "member", nil},
	"member add":      {"--file people.yaml", "", map[string]string{"file": "list"}},
	"member merge":    {"M-0003 M-0004", "member member", nil},
	"forget":          {"M-0004", "member", nil},
}

// familyOfLeagues are all commands about leagues and members, with their nodes in the command line.
func familyOfLeagues() map[string]*kong.Node {
	all := map[string]*kong.Node{}
	for _, leaf := range newCommandLine().parser.Model.Leaves(false) {
		path := leaf.FullPath()
		path = strings.TrimPrefix(path, "berthier ")
		words := strings.Fields(path)
		for i, w := range words {
			if strings.HasPrefix(w, "<") || strings.HasPrefix(w, "[") {
				words = words[:i]
				break
			}
		}
		if slices.Contains([]string{"league", "member", "forget"}, words[0]) {
			all[strings.Join(words, " ")] = leaf
		}
	}
	return all
}

// badLines are the bad command lines of a command: each argument with each bad word of its kind, left out and twice; each flag too.
func badLines(command string, good goodLine, leaf *kong.Node) (all []badLine) {
	base := append(strings.Fields(command), strings.Fields(good.args)...)
	first := len(strings.Fields(command))
	kinds := strings.Fields(good.kinds)
	for i, kind := range kinds {
		if kind == "league" && len(kinds) > 1 && !strings.HasPrefix(good.args, "aquila ") {
			continue // that was tried with another one
		}
		for _, w := range badWords[kind] {
			args := slices.Clone(base)
			args[first+i] = w.value
			all = append(all, badLine{args, w.name})
		}
	}
	if len(kinds) > 0 {
		all = append(all, badLine{slices.Delete(slices.Clone(base), first, first+len(kinds)), "expected"})
	}
	if command != "league admit" { // it takes many
		all = append(all, badLine{slices.Insert(slices.Clone(base), first+len(kinds), "one-too-many"), "one-too-many"})
	}
	for flag, kind := range good.flags {
		for _, w := range badWords[kind] {
			args := slices.DeleteFunc(slices.Clone(base), func(a string) bool {
				return slices.Contains([]string{"--cancel", "--file", "people.yaml", "2029-01-01", "M-0004"}, a)
			})
			all = append(all, badLine{append(args, "--"+flag+"="+w.value), w.name})
		}
	}
	all = append(all, badLine{append(slices.Clone(base), "--no-such-flag"), "--no-such-flag"})
	for _, flag := range leaf.Flags {
		switch flag.Name {
		case "as":
			all = append(all, badLine{append(slices.Clone(base), "--as", "nobody@nowhere.example"), "nobody@nowhere.example"}, badLine{append(slices.Clone(base), "--as", "M-0001"), "M-0001"})
		case "confirm":
			all = append(all, badLine{append(slices.Clone(base), "--confirm", "AAAA-AAAA"), "code"})
		case "reason":
			if slices.Contains(base, "--reason") {
				all = append(all, badLine{append(slices.DeleteFunc(slices.Clone(base), func(a string) bool { return a == "--reason" || a == "r" }), "--reason="), "reason"})
			}
		}
	}
	return all
}

// A badOffice is an office with its daemon, in which the league aquila plays its first season, and nova has announced none.
type badOffice struct {
	*testing.T
	line *commandLine
	file string
}

// newBadOffice makes it, with the files that the command lines name in the folder in which the test works.
func newBadOffice(t *testing.T) *badOffice {
	t.Helper()
	host, file, database := site(t, "")
	dir := t.TempDir()
	t.Chdir(dir)
	set := "seasons: {start: 2037-01-10, enter-until: 2036-12-27}\nsecretaries: s@club.example\ndeadlines: {usual: {usual: 4d}}\n" +
		"divisions: {id: first, size: 4, system: napoleon, template: nap.yaml}\numpires: {of: u@club.example}\n"
	people := ""
	for _, name := range []string{"Ada", "Bea", "Cara", "Dora"} {
		address := strings.ToLower(name) + "@play.example"
		people += "- {name: " + name + ", address: " + address + "}\n"
		if err := host.AddBox(address, "secret"); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"nap.yaml": "system: napoleon\n", "other.yaml": "league: other\n" + set, "aquila.yaml": "league: aquila\ntitle: T\n" + set, "nova.yaml": "league: nova\ntitle: T\n" + set,
		"empty.yaml": "", "noise.yaml": "\x00\x01{[: \xff\n", "people.yaml": people} {
		keepFile(t, filepath.Join(dir, name), text)
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	playsItsFirstSeason(t, database, people, set)
	serves(t, file, database)
	return &badOffice{t, newCommandLine(), file}
}

// playsItsFirstSeason makes the leagues, and begins the season of one of them.
func playsItsFirstSeason(t *testing.T, database, people, set string) {
	t.Helper()
	st, err := bolt.Open(database, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	o, err := adjudicator.New(st, words, systems(), adjudicator.Options{From: mail.Address{Addr: "office@club.example"}, Secret: st.Secret(), Quiet: -1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s := o.Secretary()
	list, problems := s.ReadMembers(people)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	_, err = s.AddMembers(t.Context(), list)
	for _, id := range []string{"aquila", "nova"} {
		_, failed := s.NewLeague(t.Context(), "league: "+id+"\n"+set, map[string]string{"nap.yaml": "system: napoleon\n"})
		err = errors.Join(err, failed)
	}
	for _, r := range []adjudicator.LeagueRuling{{Kind: "announce"}, {Kind: "open"}, {Kind: "admit", Of: []string{"M-0001", "M-0002", "M-0003"}}, {Kind: "close"}, {Kind: "withdraw", Of: []string{"M-0003"}}, {Kind: "start"}} {
		_, failed := s.Rule(t.Context(), "aquila", r, "", true)
		err = errors.Join(err, failed)
	}
	if err := errors.Join(err, o.Tick(t.Context()), st.Close()); err != nil {
		t.Fatal(explain(err))
	}
}

// do gives a command line to the program.
func (b *badOffice) do(args ...string) (code int, out, errout string) {
	var o, e bytes.Buffer
	if !slices.Contains(args, "check") {
		args = append(slices.Clone(args), "-c", b.file)
	}
	code = b.line.run(b.Context(), args, &o, &e)
	return code, o.String(), strings.TrimSpace(e.String())
}

// state is what the leagues, their members and their games are.
func (b *badOffice) state() (all string) {
	b.Helper()
	for _, text := range []string{"league export aquila", "league export nova", "league show aquila --json", "league list", "member list --json", "game list"} {
		code, out, errout := b.do(strings.Fields(text)...)
		if code != 0 {
			b.Fatalf("%s: %d %s", text, code, errout)
		}
		all += out
	}
	return all
}

// Each command about leagues and members refuses what is bad in it: arguments that name nothing, are of another kind, empty, endless,
// missing or too many, files that are missing or hold something else. Each refusal names what is wrong, why, and what can be done,
// and nothing has changed. All of it goes through the daemon, as it does on a club's machine.
func TestBadCommandLinesOfLeagues(t *testing.T) {
	b := newBadOffice(t)
	before := b.state()
	if !strings.Contains(before, "aquila-1-1-1") {
		t.Fatal("no game is played")
	}
	tried := 0
	for _, league := range []string{"aquila", "nova"} {
		for command, leaf := range familyOfLeagues() {
			good, there := goodLines[command]
			if !there {
				t.Errorf("this test knows no good line of berthier %s: give it one", command)
				continue
			}
			if league != "aquila" && !strings.HasPrefix(good.kinds, "league ") {
				continue // it tells no season from another
			}
			good.args = strings.ReplaceAll(good.args, "aquila", league)
			now := ""
			if command != "league new" { // which shows nothing first
				_, _, now = b.do(append(strings.Fields(command), strings.Fields(good.args)...)...)
			}
			for _, bad := range badLines(command, good, leaf) {
				tried++
				code, out, said := b.do(bad.args...)
				named := strings.Contains(strings.ToLower(said), strings.ToLower(bad.name)) || said != "" && said == now // it can't be done now, whoever is named
				if code == 0 || !named || !strings.Contains(said, "berthier: ") || !strings.Contains(said, "hint: ") || strings.Contains(said, "refused: ") || strings.ContainsAny(said, "\x00\x01\u202e") {
					t.Errorf("berthier %q ends with %d:\n%s%s", bad.args, code, out, said)
				}
			}
			if b.state() != before {
				t.Fatalf("bad lines of %s have changed something", command)
			}
		}
	}
	t.Logf("%d bad command lines", tried)
	for _, command := range []string{"league rule", "league overrule", "league withdraw", "league extend", "league change", "league table", "member show", "member merge", "forget"} { // and what is good is not refused
		if code, _, said := b.do(append(strings.Fields(command), strings.Fields(goodLines[command].args)...)...); code != 0 {
			t.Errorf("%s %s: %s", command, goodLines[command].args, said)
		}
	}
}

// What a command asks the daemon to do the daemon knows.
func TestTheDaemonKnowsEachCommand(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`perform\(ctx, "([a-z-]+)"`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			if handedOver[m[1]] == nil {
				t.Errorf("%s hands %s over, which the daemon does not know", file, m[1])
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d commands are found", found)
	}
}
