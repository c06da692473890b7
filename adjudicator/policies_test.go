package adjudicator

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/engine/waterloo"
	"berthier/mail"
)

// spaced is what a letter says, with one blank where there is any.
func spaced(l *mail.Letter) string { return strings.Join(strings.Fields(wordsOf(l)), " ") }

// policyWords are words of the blocks about policies in reports, in both languages.
var policyWords = []string{"Answered for you without asking", "not as at the beginning", "Risposto per te senza chiedere", "come all'inizio"}

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
			if l := tr.letters.Report(&s, nil); !strings.Contains(l.HTML, want) || !strings.Contains(l.HTML, "worst-first") {
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
		h.write(mailboxOf(side), command(h.house, h.id, side, "command: report"), mail.Processed)
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

// What is asked at every stop is said so, and a change that waits for the next deal is told
// in the reports till then.
func TestReportsTellPoliciesThatWait(t *testing.T) {
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn+"pace: {french: every-decision, anglo: postal}\n")
	h.says(h.last(mailboxOf("french")), policyWords[0], "Nothing: you are asked at every stop.")
	head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:")
	h.write(mailboxOf("french"), head+"policies: {artillery: {fire: best}}\n", mail.Processed)
	h.deliver(mailboxOf("french"))
	h.write(mailboxOf("french"), command(h.house, h.id, "french", "command: report"), mail.Processed)
	h.says(h.last(mailboxOf("french")), policyWords[1], "ask; later {fire: best}")
}

// Reports of a game without a pace say nothing of policies, even when a player has written
// some.
func TestReportsOfGamesWithoutAPace(t *testing.T) {
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn)
	withoutPolicies(t, h.last(mailboxOf("french")))
	head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:")
	h.write(mailboxOf("french"), head+"policies: {advance: best}\n", mail.Processed)
	h.deliver(mailboxOf("french"))
	h.write(mailboxOf("french"), command(h.house, h.id, "french", "command: report"), mail.Processed)
	withoutPolicies(t, h.last(mailboxOf("french")))
}

// Two games that differ only in the policies that one side has written send the other side
// the same words, as long as none of them has answered a stop.
func TestPoliciesAreNotToldToOthers(t *testing.T) {
	told := func(policies string) (all []string) {
		h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\n")
		h.deliver(mailboxOf("french"))
		if head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:"); policies != "" {
			h.write(mailboxOf("french"), head+policies, mail.Processed)
		}
		h.playOn(2)
		h.write(mailboxOf("allied"), command(h.house, h.id, "allied", "command: report"), mail.Processed)
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
