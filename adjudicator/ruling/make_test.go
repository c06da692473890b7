package ruling

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
)

// changesOf names the changes of a plan.
func changesOf(p *Plan) string {
	var all []string
	for _, c := range p.Changes {
		all = append(all, strings.TrimPrefix(fmt.Sprintf("%T", c), "ruling."))
	}
	return strings.Join(all, " ")
}

// The plan of an act is a list of changes, in the order in which they are made.
func TestAnActIsAListOfChanges(t *testing.T) {
	k := begun(t)
	k.answer("red", "{bid: R-2}")
	red := k.Game.Seat("red").Owes.Answer.Entry
	k.stops(3)
	seq, r := k.resolved(1)
	other := r.Rolls[0].Result%6 + 1
	open := k.Game.Seats[slices.IndexFunc(k.Game.Seats, func(s *game.Seat) bool { return s.Owes != nil })]
	k.answer(open.Side, string(k.Rules.Default(k.View(open.Side), open.Owes.Decision).Orders().Pairs[0].Value.Encode()))
	answered := open.Owes.Answer.Entry
	k.Game.Disputes = []uint64{red}
	for _, c := range []struct {
		name, want string
		act        Act
	}{
		{"what is disputed stands", "Enter Settle", Act{Kind: log.ActStands, Dispute: red}},
		{"a die", "Enter Back Open Keep SetDie Redo Redo Redo Stay", Act{Kind: log.ActDie, Stop: 1, Roll: 1, Result: other}},
		{"the position of now", "Enter Back SetPosition Open Keep Stay", Act{Kind: log.ActPosition, Set: "{rounds: 3}"}},
		{"the position of then", "Enter Back SetPosition Open Keep Redo Redo Redo Stay", Act{Kind: log.ActPosition, Stop: 1, Set: "{rounds: 3}"}},
		{"an option", "Enter Back SetPosition Open SetOption Keep Stay", Act{Kind: log.ActOption, Option: "rounds", Value: "3"}},
		{"back with the same orders", "Enter Back Open Keep Redo Redo Redo Stay", Act{Kind: log.ActRewind, Stop: 1, Same: true}},
		{"back with new orders", "Enter Back Open Keep", Act{Kind: log.ActRewind, Stop: 1}},
		{"a file of a stop that was resolved is refused", "Enter Back Open Keep Count", Act{Kind: log.ActRefuse, Entry: red}},
		{"a file of the open stop is refused", "Enter Reopen", Act{Kind: log.ActRefuse, Entry: answered}},
		{"an outcome", "Enter Decide", Act{Kind: log.ActOutcome}},
	} {
		p, err := Make(k.Turn, k, &c.act)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := changesOf(p); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	p, err := Make(k.Turn, k, &Act{Kind: log.ActDie, Stop: 1, Roll: 1, Result: other})
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := of[Redo](p); !d.Must {
		t.Error("a die may be replaced at a stop that is not done again")
	}
	if _, err := Make(k.Turn, k, &Act{Kind: log.ActOverrule, Entry: seq}); refusal(err) != "office.rule.no-ruling" {
		t.Errorf("a stop is overruled as if it were a ruling: %v", err)
	}
}

// An act that changes what the ruleset may have failed at lets a game go on that stands
// still; one that changes nothing there does not. In a game that runs there is nothing to do.
func TestWhatChangesAStopLetsItGoOn(t *testing.T) {
	k := begun(t)
	k.stops(1)
	open := k.Game.Seats[slices.IndexFunc(k.Game.Seats, func(s *game.Seat) bool { return s.Owes != nil })]
	k.answer(open.Side, string(k.Rules.Default(k.View(open.Side), open.Owes.Decision).Orders().Pairs[0].Value.Encode()))
	answered := open.Owes.Answer.Entry
	_, r := k.resolved(1)
	k.Game.Disputes = []uint64{answered}
	for _, c := range []struct {
		name, runs, stands string
		act                Act
	}{
		{"a die", "Enter Back Open Keep SetDie Redo Stay", "Enter GoOn Back Open Keep SetDie Redo Stay", Act{Kind: log.ActDie, Stop: 1, Roll: 1, Result: r.Rolls[0].Result%6 + 1}},
		{"the position", "Enter Back SetPosition Open Keep Stay", "Enter GoOn Back SetPosition Open Keep Stay", Act{Kind: log.ActPosition, Set: "{rounds: 3}"}},
		{"back to the open stop", "", "Enter GoOn Back Open Keep", Act{Kind: log.ActRewind, Stop: k.Game.Stop}},
		{"an answer of the open stop", "Enter Reopen", "Enter GoOn Reopen", Act{Kind: log.ActRefuse, Entry: answered}},
		{"an outcome", "Enter Decide", "Enter Decide", Act{Kind: log.ActOutcome}},
		{"what is disputed stands", "Enter Settle", "Enter Settle", Act{Kind: log.ActStands, Dispute: answered}},
	} {
		for fault, want := range map[string]string{"": c.runs, "it failed": c.stands} {
			k.Game.Fault, k.Game.Paused = fault, time.Time{}
			if fault != "" {
				k.Game.Paused = noon
			}
			p, err := Make(k.Turn, k, &c.act)
			switch {
			case want == "" && refusal(err) == "office.rule.here-already":
			case err != nil:
				t.Errorf("%s, failed %q: %v", c.name, fault, err)
			case changesOf(p) != want:
				t.Errorf("%s, failed %q:\n%s\nwant\n%s", c.name, fault, changesOf(p), want)
			}
		}
	}
}

// A game that is over goes on with another seed, and the dice of what is done again stay.
func TestAGameThatWasOverHasANewSeed(t *testing.T) {
	k := begun(t)
	for k.Game.Phase == "running" {
		k.stops(1)
	}
	p, err := Make(k.Turn, k, &Act{Kind: log.ActRewind, Stop: 1, Same: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := changesOf(p); !strings.HasPrefix(got, "NewSeed Enter Back Open Keep Redo") {
		t.Errorf("it is made of %s", got)
	}
	for _, c := range p.Changes {
		if d, ok := c.(Redo); ok && !d.AsFell {
			t.Errorf("the dice of entry %d are rolled with the new seed", d.Entry)
		}
	}
}

// A plan that is carried out twice comes to the same, and the plan and the game stay as they
// are: so a preview can be made as often as one likes.
func TestAPlanIsCarriedOutOnACopy(t *testing.T) {
	k := begun(t)
	k.stops(2)
	_, r := k.resolved(1)
	p, err := Make(k.Turn, k, &Act{Kind: log.ActDie, Stop: 1, Roll: 1, Result: r.Rolls[0].Result%6 + 1})
	if err != nil {
		t.Fatal(err)
	}
	plan := inJSON(t, p.Changes)
	var last string
	for range 2 {
		k.drawn = 0
		done, err := Carry(k.Turn, k, p)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%d %v %d\n%s\n%s", done.Entry, done.Anew, done.Left, inJSON(t, done.Told), text(t, done.Turn.Position))
		for _, e := range done.Turn.Entries {
			got += fmt.Sprintf("%x %s\n", e.Hash, e.Body)
		}
		if last != "" && got != last {
			t.Errorf("it comes to\n%s\nthen to\n%s", last, got)
		}
		last = got
	}
	if now := inJSON(t, p.Changes); now != plan {
		t.Errorf("the plan was\n%s\nand is\n%s", plan, now)
	}
	if len(k.Turn.Entries) > 0 || len(k.Turn.Effects) > 0 {
		t.Errorf("something has happened in the game: %q", k.Turn.Kinds)
	}
}

func inJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
