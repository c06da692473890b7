package report

import (
	"fmt"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// causes are rules in which hits come of the stop hits, and nothing else of anything.
type causes struct{ engine.Ruleset }

var _ engine.Causal = causes{}

func (causes) ComesOf(say phrase.Phrase, stop string) bool {
	return stop == "hits" && say.Code == "nap.hit"
}

// Who has answered stands beside the event that it has brought about. It keeps a line of its
// own where no event follows, or one that comes of something else.
func TestNoted(t *testing.T) {
	of := phrase.Name("stop", "stop", "hits")
	policy := templates.Told{Say: phrase.Say(engine.PolicyUsed, of, phrase.Literal("key", "casualties"), phrase.Literal("value", "worst-first")), Number: 1}
	wordy := templates.Told{Say: phrase.Say(engine.PolicyUsed, of, phrase.Literal("key", "artillery"), phrase.Literal("value", "{windows: {round-start: ask, entered: ask, after-card: hold}}")), Number: 2}
	standing := templates.Told{Say: phrase.Say("nap"+engine.StandingUsed, of, phrase.Literal("order", "retreat-to")), Number: 3}
	ahead := templates.Told{Say: phrase.Say("office.ahead.answered", phrase.Literal("sent", "19 Nov"), phrase.Literal("alone", "yes"))}
	shared := templates.Told{Say: phrase.Say("office.ahead.answered", phrase.Literal("sent", "19 Nov"))}
	hit := templates.Told{Say: phrase.Say("nap.hit"), Number: 4}
	turn := templates.Told{Say: phrase.Say("nap.turn-begins"), Number: 5}
	office := templates.Told{Say: phrase.Say("office.gm-answered")}
	for name, c := range map[string]struct {
		told []templates.Told
		want string // codes, and the notes beside them
	}{
		"a policy":             {[]templates.Told{policy, hit}, "nap.hit(office.policies.note casualties worst-first) "},
		"a long value":         {[]templates.Told{wordy, hit}, "nap.hit(office.policies.note artillery) "},
		"a standing order":     {[]templates.Told{standing, hit}, "nap.hit(office.policies.note-standing retreat-to) "},
		"filed ahead":          {[]templates.Told{ahead, hit}, "nap.hit(office.ahead.note 19 Nov) "},
		"others answered, too": {[]templates.Told{shared, hit}, "office.ahead.answered() nap.hit() "},
		"two":                  {[]templates.Told{policy, ahead, hit}, "nap.hit(office.policies.notes) "},
		"one event only":       {[]templates.Told{policy, hit, hit}, "nap.hit(office.policies.note casualties worst-first) nap.hit() "},
		"before another event": {[]templates.Told{policy, turn}, "play.policy-used() nap.turn-begins() "},
		"before the office":    {[]templates.Told{policy, office}, "play.policy-used() office.gm-answered() "},
		"at the end":           {[]templates.Told{hit, policy}, "nap.hit() play.policy-used() "},
	} {
		r := templates.Report{Happened: c.told}
		noted(&r, causes{})
		got := ""
		for i, told := range r.Happened {
			note := r.Notes[i].Code
			for _, a := range r.Notes[i].Args {
				if a.Name != "notes" {
					note += " " + a.Value.Text
				}
			}
			got += fmt.Sprintf("%s(%s) ", told.Say.Code, note)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
