package verify

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/log/logtest"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders/phrase"
)

const passes = "orders: {bid: none}\n"

// bids tells whether the side that answers first is asked to bid.
func bids(r *log.Resolved) bool { return r.Answers[0].Decision.Kind == enginetest.Bid }

// withdraws takes the files of the open stop out of the log, and what they say out of the
// answers.
func (c *crook) withdraws(r *log.Resolved) {
	c.entries = c.entries[:len(c.entries)-len(r.Answers)]
	for i := range r.Answers {
		r.Answers[i].Entry, r.Answers[i].Salt = 0, ""
	}
}

// fileFrom puts a file into the log for each answer, in place of the players' own, that is
// said to have been sent by somebody who sends none.
func fileFrom(by string) trick {
	return func(c *crook, r *log.Resolved, _ *int) {
		if !bids(r) {
			return
		}
		c.entries = c.entries[:len(c.entries)-len(r.Answers)]
		for i := range r.Answers {
			g := &r.Answers[i]
			g.By, g.Orders = by, passes
			g.Entry = c.enter(log.KindTaken, g.Decision.Side, by, c.place, log.Taken{SeatStop: g.SeatStop, File: passes, Final: true, Seal: log.SealOf(g.Salt, passes)})
		}
	}
}

// claims are tricks by which an office says in its log what makes its answers, or its
// end of the game, look founded. Each must be found, with words that name what is wrong.
var claims = map[string]struct {
	says string
	do   trick
}{
	"a file that the default has sent": {"is said to be from", fileFrom(log.ByDefault)},
	"a file that the bot has sent":     {"is said to be from", fileFrom(log.ByBot)},
	"a deadline that has yet to pass": {"has not passed", func(c *crook, r *log.Resolved, _ *int) {
		if c.withdraws(r); bids(r) {
			for i := range r.Answers {
				g := &r.Answers[i]
				g.By, g.Orders = log.ByDefault, passes
				c.enter(log.KindDeadline, g.Decision.Side, "office", c.place, map[string]any{"deadline": c.at.Add(time.Hour), "seat_stop": g.SeatStop})
			}
		}
	}},
	"a deadline where the set-up gives time without end": {"has no deadline", func(c *crook, r *log.Resolved, _ *int) {
		if c.withdraws(r); bids(r) {
			for i := range r.Answers {
				g := &r.Answers[i]
				g.By, g.Orders = log.ByDefault, passes
				c.enter(log.KindDeadline, g.Decision.Side, "office", c.place, map[string]any{"deadline": c.at, "seat_stop": g.SeatStop})
			}
		}
	}},
	"a bot for a player who was not silent": {"has not been silent", func(c *crook, r *log.Resolved, _ *int) {
		c.withdraws(r)
		for i := range r.Answers {
			g := &r.Answers[i]
			if c.place == 1 {
				c.enter(log.KindBot, g.Decision.Side, "office", c.place, map[string]int{"missed": 3})
			}
			view := c.position.View(g.Decision.Side)
			g.By, g.Bot, g.Orders = log.ByBot, engine.Digest(c.rules), log.NormalForm(c.scheme, c.rules, c.rules.Sensible(view, g.Decision, nil))
		}
	}},
	"a resignation of the office's": {"nobody resigns", func(c *crook, r *log.Resolved, _ *int) {
		c.withdraws(r)
		for i := range r.Answers {
			g := &r.Answers[i]
			c.enter(log.KindResigned, g.Decision.Side, "office", c.place, nil)
			g.By, g.Orders = log.ByDefault, log.NormalForm(c.scheme, c.rules, c.rules.Default(c.position.View(g.Decision.Side), g.Decision))
		}
	}},
	"standing orders by the office": {"nobody has sent", func(c *crook, _ *log.Resolved, _ *int) {
		c.enter(log.KindStanding, "red", "office", c.place, log.Taken{File: "standing: none\n"})
	}},
	"a game said to be over": {"neither the rules nor a ruling", func(c *crook, _ *log.Resolved, _ *int) {
		if c.place == 2 {
			c.enter(log.KindOver, "", "office", c.place, map[string]any{"outcome": nil, "seed": fmt.Sprintf("%x", c.seed)})
		}
	}},
	"what a die was for": {"other dice", func(c *crook, r *log.Resolved, _ *int) { c.swaps = true }},
	"answers that an overruled ruling found in force": {"no file of this stop", func(c *crook, r *log.Resolved, _ *int) {
		if c.place != 3 || !bids(r) {
			return
		}
		c.withdraws(r)
		former := map[engine.Side]*log.Former{}
		for i := range r.Answers {
			r.Answers[i].Orders = passes
			former[r.Answers[i].Decision.Side] = &log.Former{Orders: passes}
		}
		head := uint64(len(c.entries))
		ruling := c.enter(log.KindRuling, "", log.ByGM, c.place, log.Ruling{Kind: log.ActPosition, To: head, From: head, InForce: former})
		c.enter(log.KindRuling, "", log.ByGM, c.place, log.Ruling{Kind: log.ActOverrule, About: ruling, To: head, From: ruling})
	}},
	"a new seed in the middle of the game": {"new seed", func(c *crook, r *log.Resolved, _ *int) {
		if c.place == 2 {
			head := uint64(len(c.entries) - len(r.Answers))
			c.enter(log.KindRewound, "", log.ByGM, c.place, log.Rewound{To: head, From: head, Stop: 2, Commitment: log.Commitment(c.seed)})
		}
	}},
	"a set of rules said to play alike": {"though the log says", func(c *crook, _ *log.Resolved, _ *int) {
		switch c.place {
		case 2:
			c.enter(log.KindRules, "", "office", c.place, log.RulesChanged{Digest: "another", Alike: true})
			c.swaps = true
		case 4:
			c.enter(log.KindRules, "", "office", c.place, log.RulesChanged{Digest: engine.Digest(c.rules), Alike: true})
			c.swaps = false
		}
	}},
	"rules accepted that nobody had found to differ": {"nobody had found", func(c *crook, _ *log.Resolved, _ *int) {
		if c.place == 2 {
			c.enter(log.KindRules, "", log.ByGM, c.place, log.RulesChanged{Digest: "another", Accepted: true})
		}
	}},
}

// An office whose only reason for its answers is what it claims itself is found out, and the
// finding names the claim.
func TestClaimsThatFoundNothing(t *testing.T) {
	for name, claim := range claims {
		t.Run(name, func(t *testing.T) {
			x := newCrook(t, log.Scheme).plays(claim.do)
			v, err := Game(x, []engine.Ruleset{enginetest.New()})
			if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks), claim.says) {
				t.Errorf("%v, verdict %d: %+v", err, v.Verdict(), v)
			}
		})
	}
}

// An entry of a kind that everybody may read has no private part, which some would read in
// place of its body.
func TestOneEntrySaysOneThing(t *testing.T) {
	for _, twice := range []bool{false, true} {
		c := newCrook(t, log.Scheme)
		x := c.plays(nil)
		for i, e := range x.Entries {
			if !strings.Contains(e.Body, `"kind":"taken"`) {
				continue
			}
			if twice {
				x.Entries[i].Body = strings.Replace(e.Body, `"by":"player"`, `"BY":"gm","by":"player"`, 1)
			} else {
				var read struct {
					Data map[string]any `json:"data"`
				}
				if err := json.Unmarshal([]byte(e.Body), &read); err != nil {
					t.Fatal(err)
				}
				private, err := json.Marshal(map[string]any{"sealed": map[string]any{"data": read.Data}})
				if err != nil {
					t.Fatal(err)
				}
				x.Entries[i].PrivateSalt, x.Entries[i].Private = strings.Repeat("00", 16), string(private)
				x.Entries[i].Body = strings.Replace(e.Body, `"final":true`, `"final":false`, 1)
			}
		}
		logtest.Rechained(t, x)
		v, err := Game(x, []engine.Ruleset{enginetest.New()})
		if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks[0]), "twice") {
			t.Errorf("%v %v %+v", twice, err, v)
		}
	}
	c := newCrook(t, log.Scheme)
	x := c.plays(nil)
	last := x.Entries[len(x.Entries)-1]
	x.Entries[len(x.Entries)-1].PrivateSalt = strings.Repeat("00", 16)
	x.Entries[len(x.Entries)-1].Private = `{"sealed":{"data":` + string(bodyData(t, last)) + `}}`
	logtest.Rechained(t, x)
	if v, err := Game(x, []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Broken {
		t.Errorf("%v %+v", err, v)
	}
}

func bodyData(t *testing.T, e log.ExportedEntry) json.RawMessage {
	var data json.RawMessage
	if _, err := log.Read(chain.Entry{Body: []byte(e.Body)}, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// A log may claim rules that are not this program's. What looks right only by those rules does
// not pass without a word.
func TestClaimedRulesHoldNothing(t *testing.T) {
	for name, do := range map[string]trick{
		"the default in place of the bot": func(c *crook, r *log.Resolved, _ *int) {
			if g := &r.Answers[0]; bids(r) && g.Decision.Side == "red" {
				c.entries = c.entries[:len(c.entries)-len(r.Answers)]
				g.By, g.Orders, g.Entry, g.Salt = log.ByDefault, passes, 0, ""
				c.enter(log.KindResigned, "red", "player", c.place, nil)
				for i := range r.Answers[1:] {
					g := &r.Answers[i+1]
					g.Entry = c.enter(log.KindTaken, g.Decision.Side, "player", c.place, log.Taken{SeatStop: g.SeatStop, File: g.Orders, Final: true, Seal: log.SealOf(g.Salt, g.Orders)})
				}
			}
		},
		"a file that is said to be no longer legal": func(c *crook, r *log.Resolved, _ *int) {
			if g := &r.Answers[0]; bids(r) {
				c.enter(log.KindTaken, g.Decision.Side, "player", c.place, log.Taken{SeatStop: g.SeatStop, File: "orders: {bid: nothing}\n", Final: true, Seal: log.SealOf("x", "y")})
				g.By, g.Orders, g.Entry, g.Salt = log.ByDefault, passes, 0, ""
			}
		},
	} {
		c := newCrook(t, log.Scheme)
		c.made = func(m *log.Made) { m.Rules, m.Silence = "another", log.Silence{Bot: 1} }
		x := c.plays(do)
		v, err := Game(x, []engine.Ruleset{enginetest.New()})
		if err != nil || v.Verdict() != Unproven {
			t.Errorf("%s: %v %+v", name, err, v)
		}
	}
}

// A bot of other rules than those in force is no bot of the game.
func TestABotOfOtherRulesHasNotAnswered(t *testing.T) {
	c := newCrook(t, log.Scheme)
	c.made = func(m *log.Made) { m.Silence = log.Silence{Bot: 1} }
	x := c.plays(func(c *crook, r *log.Resolved, _ *int) {
		c.withdraws(r)
		for i := range r.Answers {
			g := &r.Answers[i]
			if c.place == 1 {
				c.enter(log.KindResigned, g.Decision.Side, "player", c.place, nil)
			}
			if g.By, g.Bot = log.ByBot, "another"; bids(r) {
				g.Orders = passes
			}
		}
	})
	v, err := Game(x, []engine.Ruleset{enginetest.New()})
	if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks), "bot of other rules") {
		t.Errorf("%v %+v", err, v)
	}
}

// In a log of the first scheme no stop says that it repeats another: that would hide its
// answers from the check.
func TestNoStopOfTheFirstSchemeRepeatsAnother(t *testing.T) {
	x := newCrook(t, log.FirstScheme).plays(func(c *crook, r *log.Resolved, _ *int) {
		if r.Again = 1; bids(r) {
			r.Answers[0].Orders = passes
		}
	})
	if v, err := Game(x, []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Broken {
		t.Errorf("%v %+v", err, v)
	}
}

// Words for luck are waited for as long as the set-up says.
func TestLuckWaitsForTheWords(t *testing.T) {
	for _, usual := range []time.Duration{0, 24 * time.Hour} {
		c := newCrook(t, log.Scheme)
		c.luck = true
		c.made = func(m *log.Made) { m.Timing.Usual.Usual = usual }
		v, err := Game(c.plays(nil), []engine.Ruleset{enginetest.New()})
		if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks), "were not waited for") {
			t.Errorf("%v: %v %+v", usual, err, v)
		}
	}
}

// What a game master's power has changed, and a restore, are named even where all holds:
// who was told nothing of them learns it there.
func TestRulingsAndRestoresAreNamed(t *testing.T) {
	x := newCrook(t, log.Scheme).plays(func(c *crook, r *log.Resolved, _ *int) {
		if c.place == 2 {
			c.enter(log.KindRestored, "", "office", c.place, log.Restoration{At: c.at, Mark: "1"})
			g := &r.Answers[0]
			c.enter(log.KindRuling, "", log.ByGM, c.place, log.Ruling{Kind: log.ActAccept, Seat: g.Decision.Side, SeatStop: g.SeatStop, Orders: g.Orders, Reason: "because"})
			g.By, g.Entry, g.Salt = log.ByGM, 0, ""
		}
	})
	v, err := Game(x, []engine.Ruleset{enginetest.New()})
	if notes := fmt.Sprint(v.Notes); err != nil || v.Verdict() != Holds || !strings.Contains(notes, "ruling") || !strings.Contains(notes, "restored") {
		t.Errorf("%v %+v", err, v)
	}
}

// swapped are rolls that are said to have been for one another.
func swapped(rolls []engine.Roll) []engine.Roll {
	for i := range rolls {
		rolls[i].Purpose = phrase.Say(rolls[i].Purpose.Code, phrase.Name("unit", "unit", "somebody else"))
	}
	return rolls
}
