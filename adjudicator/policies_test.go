package adjudicator

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/engine/waterloo"
	"berthier/mail"
)

// spaced is what a letter says, with one blank in place of each run of blanks.
func spaced(l *mail.Letter) string { return strings.Join(strings.Fields(wordsOf(l)), " ") }

// policyWords are words of the blocks about policies in reports, in both languages.
var policyWords = []string{"Answered for you without asking", "Policies changed since the beginning", "Risposto per te senza chiedere", "Direttive cambiate dall'inizio"}

// withoutPolicies tells that a letter has no block about policies.
func withoutPolicies(t *testing.T, l *mail.Letter) {
	t.Helper()
	for _, words := range policyWords {
		if strings.Contains(spaced(l), words) {
			t.Errorf("a letter says %q:\n%s", words, wordsOf(l))
		}
	}
}

// The first report of a game at a pace tells each player what is answered for him and at
// which stops he is asked, in text and HTML and in his language; later ones only what is no
// longer so, and one that tells nothing of it follows when all is as it was again. The other
// side's reports say nothing of it.
func TestReportsTellPolicies(t *testing.T) {
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\n")
	h.at(func(tr *transaction) error {
		for side, want := range map[engine.Side]string{"french": "Answered for you without asking", "allied": "Risposto per te senza chiedere"} {
			s := *tr.Game.Seat(side)
			s.Reports = 0
			if l := tr.letters.Report(&s, nil); !strings.Contains(l.HTML, want) || !strings.Contains(l.HTML, map[engine.Side]string{"french": "worst-first", "allied": "prima-i-peggiori"}[side]) {
				t.Errorf("the HTML of the first report of %s lacks %q", side, want)
			}
		}
		return nil
	})
	first := spaced(h.last("french@play.example"))
	for _, want := range []string{policyWords[0], "choice of who is hit worst-first casualties", "nearest-supply retreat-to", "You are asked: regrouping, reinforcements,"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first report lacks %q:\n%s", want, first)
		}
	}
	if first = spaced(h.last("allied@play.example")); !strings.Contains(first, policyWords[2]) || !strings.Contains(first, "Ti si chiede: ") {
		t.Errorf("the first report in Italian:\n%s", first)
	}
	head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:")
	again := func(side engine.Side) *mail.Letter {
		h.deliver(mailboxOf(side))
		h.write(mailboxOf(side), command(h.testOffice, h.id, side, "command: report"), mail.Processed)
		return h.last(mailboxOf(side))
	}
	withoutPolicies(t, again("french"))
	h.write(mailboxOf("french"), head+"policies: {casualties: ask, regroup: none}\n", mail.Processed)
	changed := again("french")
	h.says(changed, policyWords[1], "casualties")
	if text := spaced(changed); !strings.Contains(text, "regrouping none regroup") || strings.Contains(text, "nearest-supply retreat-to") {
		t.Errorf("the report tells otherwise what has changed:\n%s", text)
	}
	withoutPolicies(t, again("allied"))
	h.write(mailboxOf("french"), head+"policies: {casualties: worst-first, regroup: ask}\n", mail.Processed)
	withoutPolicies(t, again("french"))
}

// If a policy asks at every stop, the report says so. A change that waits for the next deal
// is told in the reports until then.
func TestReportsTellPoliciesThatWait(t *testing.T) {
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn+"pace: {french: every-decision, anglo: postal}\n")
	h.says(h.last(mailboxOf("french")), policyWords[0], "Nothing: you are asked at every stop.")
	head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:")
	h.write(mailboxOf("french"), head+"policies: {artillery: {fire: best}}\n", mail.Processed)
	h.deliver(mailboxOf("french"))
	h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", "command: report"), mail.Processed)
	h.says(h.last(mailboxOf("french")), policyWords[1], "ask; later {fire: best}", "Your policy artillery as you have written it does not count yet.", "from the next deal of cards on")
}

// Whoever writes a policy that does not count at once is told why, in his language, in the
// letter that answers his, whether his letter had policies alone, a draft, or orders.
// Nothing is said of a policy that counts at once, nor of one that stays as it is.
func TestLettersSayWhyAPolicyWaits(t *testing.T) {
	const late = "does not count yet. A change to the artillery policy counts from the next deal of cards on"
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn+"pace: every-decision\n")
	bid := h.template(mailboxOf("french"))
	head, _, _ := strings.Cut(bid, "orders:")
	for _, c := range []struct {
		file  string
		waits bool
	}{
		{head + "policies: {artillery: {fire: best}}\n", true},
		{head + "draft: yes\npolicies: {artillery: hold}\n", true},
		{head + "policies: {advance: best}\n", false},
		{head + "policies: ask\n", false},
		{strings.Replace(bid, "\norders:", "\npolicies: {artillery: hold}\norders:", 1), true},
	} {
		h.deliver(mailboxOf("french"))
		h.write(mailboxOf("french"), c.file, mail.Processed)
		if l := spaced(h.last(mailboxOf("french"))); strings.Contains(l, late) != c.waits {
			t.Errorf("to\n%s\ncame\n%s", c.file, l)
		}
	}
	h.deliver(mailboxOf("anglo"))
	h.write(mailboxOf("anglo"), command(h.testOffice, h.id, "anglo", "policies: {artillery: {fire: best}}"), mail.Processed)
	if l := spaced(h.last(mailboxOf("anglo"))); !strings.Contains(l, "non vale ancora. Una modifica della direttiva artiglieria") {
		t.Errorf("in Italian:\n%s", l)
	}
}

// Reports of a game without a pace say nothing of policies, even when a player has written
// some.
func TestReportsOfGamesWithoutAPace(t *testing.T) {
	h := sit(t, napoleon.New(), "setup: historical, cadence: every-decision", []string{"french", "allied"}, masterOfHisOwn)
	withoutPolicies(t, h.last(mailboxOf("french")))
	head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:")
	h.write(mailboxOf("french"), head+"policies: {regroup: none}\n", mail.Processed)
	h.deliver(mailboxOf("french"))
	h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", "command: report"), mail.Processed)
	withoutPolicies(t, h.last(mailboxOf("french")))
}

// Two games that differ only in the policies that one side has written send the other side
// the same words, as long as none of them has answered a stop.
func TestPoliciesAreNotToldToOthers(t *testing.T) {
	withoutRace(t)
	told := func(policies string) (all []string) {
		h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\n")
		h.deliver(mailboxOf("french"))
		if head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:"); policies != "" {
			h.write(mailboxOf("french"), head+policies, mail.Processed)
		}
		h.playOn(2)
		h.write(mailboxOf("allied"), command(h.testOffice, h.id, "allied", "command: report"), mail.Processed)
		for _, address := range []string{mailboxOf("allied"), gmAt} {
			for _, l := range h.deliver(address) {
				all = append(all, wordsOf(l))
			}
		}
		return all
	}
	one, other := told(""), told("policies: {regroup: none, reinforce: none, supply-losses: ask}\n")
	if len(one) == 0 || len(one) != len(other) {
		t.Fatalf("others got %d letters and %d", len(one), len(other))
	}
	for i := range one {
		was, is := strings.Split(one[i], "\n"), strings.Split(other[i], "\n")
		for n := range min(len(was), len(is)) {
			if was[n] != is[n] && !strings.Contains(was[n], "· impronta ") { // of the log, which takes all letters
				t.Errorf("letter %d, line %d: %q and %q", i, n, was[n], is[n])
			}
		}
		if len(was) != len(is) {
			t.Errorf("letter %d has %d lines and %d", i, len(was), len(is))
		}
	}
}

// A letter lists all policies of its writer with what may be written and how often each has
// answered, as often as he was told so in his reports.
func TestListOfPolicies(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector
	}
	answered := regexp.MustCompile(`your policy ([a-z-]+)[:)]`)
	for _, c := range []struct {
		rules     engine.Ruleset
		option    string
		sides     []string
		stops     int
		pace, key string   // key: a policy that has answered more than once
		lists     []string // what the list says
	}{
		{napoleon.New(), "setup: historical", []string{"french", "allied"}, 60, "pace: postal\n", "casualties", []string{"Choice of who is hit (casualties)", "In force: worst-first. It has answered", "ask, default, worst-first or {lose-first: [infantry, cavalry]}."}},
		{waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, 3, "pace: postal\n", "", []string{"(attacker-loss)", "In force: {windows: {round-start: if-useful, entered: if-useful, after-card: hold, after-battle: hold, round-end: hold}}. It has answered", "You may write, for example: ask, default or best."}},
		{waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, 5, "pace: every-decision\n", "", []string{"In force: ask. It has answered no stop."}},
	} {
		h := sit(t, c.rules, c.option, c.sides, masterOfHisOwn+c.pace)
		told := map[string]int{}
		for range c.stops {
			h.playOn(1)
			for _, l := range h.deliver(mailboxOf("french")) {
				all := l.Parts[0].Text
				for _, part := range l.Parts {
					if part.Name == "position.txt" { // it has all events, also those that the text has no room for
						all = part.Text
					}
				}
				for _, m := range answered.FindAllStringSubmatch(strings.Join(strings.Fields(all), " "), -1) {
					told[m[1]]++
				}
			}
		}
		if c.key != "" && told[c.key] < 2 {
			t.Errorf("%s: the reports told %v", c.option, told)
		}
		h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", "command: policies"), mail.Processed)
		text := spaced(h.last(mailboxOf("french")))
		for key, p := range policiesOf(h, "french") {
			if len(p.Stops) == 0 {
				continue // which answers none
			}
			times := strconv.Itoa(told[key]) + " stops."
			if told[key] < 2 {
				times = []string{"no stop.", "one stop."}[told[key]]
			}
			_, after, _ := strings.Cut(text, "("+key+")")
			if _, after, _ = strings.Cut(after, "It has answered "); !strings.HasPrefix(after, times) {
				t.Errorf("%s: the reports told %d answers of %s, and the list is\n%s", c.option, told[key], key, text)
			}
		}
		for _, want := range c.lists {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the list lacks %q:\n%s", c.option, want, text)
			}
		}
		h.back(1) // what was taken back was not answered
		h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", "command: policies"), mail.Processed)
		if text = spaced(h.last(mailboxOf("french"))); strings.Count(text, "It has answered ") != strings.Count(text, "It has answered no stop.") {
			t.Errorf("%s: after a rewind to the first stop the list is\n%s", c.option, text)
		}
	}
}

// What a player is told of his own policies does not depend on those of the other side.
func TestListOfPoliciesTellsNothingOfOthers(t *testing.T) {
	withoutRace(t)
	list := func(policies string) string {
		h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\n")
		if head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:"); policies != "" {
			h.write(mailboxOf("french"), head+policies, mail.Processed)
		}
		h.playOn(2)
		h.deliver(mailboxOf("allied"))
		h.write(mailboxOf("allied"), command(h.testOffice, h.id, "allied", "comando: direttive"), mail.Processed)
		l := wordsOf(h.last(mailboxOf("allied")))
		return regexp.MustCompile(`impronta [0-9a-f]+`).ReplaceAllString(l, "")
	}
	one, other := list(""), list("policies: {regroup: none, reinforce: none, supply-losses: ask}\n")
	if !strings.Contains(one, "In vigore: più-deboli") || one != other {
		t.Errorf("the letters are\n%s\n-----\n%s", one, other)
	}
}

// A game without policies says so.
func TestListOfNoPolicies(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.write(redAt, command(h, "lot-1", "red", "command: policies"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "This game has no policies: you are asked at every stop.")
	h.write(redAt, command(h, "lot-1", "red", "command: help"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "lists your policies")
}

// A draft and berthier check tell which policies would answer what comes of the file: those
// in force, with what the file itself changes. Nothing is told of policies on ask.
func TestDraftsSayWhichPoliciesWouldAnswer(t *testing.T) {
	withoutRace(t)
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\n")
	h.playOn(2)
	move := h.template(mailboxOf("french"))
	for _, c := range []struct{ more, want string }{
		{"", "answered without asking you by your policies battle-order: best-first."},
		{"policies: {battle-order: ask}\n", ""},
		{"policies: {terrain: {else: first-free}}\n", "by your policies battle-order: best-first, terrain: {else: first-free}."},
		{"policies: ask\n", ""},
	} {
		file := strings.Replace(move, "\norders:", "\ndraft: yes\n"+c.more+"orders:", 1)
		h.deliver(mailboxOf("french"))
		h.write(mailboxOf("french"), file, mail.Processed)
		l := spaced(h.last(mailboxOf("french")))
		if !strings.Contains(l, c.want) || strings.Contains(l, "without asking you by") != (c.want != "") {
			t.Errorf("to a draft with %q came\n%s", c.more, l)
		}
		answer, _, problems, err := h.office.Clerk().Check(h.id, "french", file)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		all, err := h.office.Clerk().Foreseen(h.id, "french", answer)
		if err != nil || (len(all) > 0) != (c.want != "") {
			t.Errorf("%q: check foresees %v, %v", c.more, all, err)
		}
	}
}
