package adjudicator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders/phrase"
)

const passes = "orders: {bid: none}\n"

// bids tells whether the side that answers first is asked to bid.
func bids(r *Resolved) bool { return r.Answers[0].Decision.Kind == enginetest.Bid }

// withdraws takes the files of the open stop out of the log, and what they say out of the
// answers.
func (c *crook) withdraws(r *Resolved) {
	c.entries = c.entries[:len(c.entries)-len(r.Answers)]
	for i := range r.Answers {
		r.Answers[i].Entry, r.Answers[i].Salt = 0, ""
	}
}

// claims are tricks by which an office says in its log what makes its answers, or its
// end of the game, look founded. Each must be found, with words that name what is wrong.
var claims = map[string]struct {
	says string
	do   trick
}{
	"a file that the default has sent": {"is said to be from", func(c *crook, r *Resolved, _ *int) {
		if bids(r) {
			c.entries = c.entries[:len(c.entries)-len(r.Answers)]
			for i := range r.Answers {
				g := &r.Answers[i]
				g.By, g.Orders = byDefault, passes
				g.Entry = c.note(LogTaken, g.Decision.Side, byDefault, c.place, Taken{SeatStop: g.SeatStop, File: passes, Final: true, Seal: sealOf(g.Salt, passes)})
			}
		}
	}},
	"a file that the bot has sent": {"is said to be from", func(c *crook, r *Resolved, _ *int) {
		if bids(r) {
			c.entries = c.entries[:len(c.entries)-len(r.Answers)]
			for i := range r.Answers {
				g := &r.Answers[i]
				g.By, g.Orders = byBot, passes
				g.Entry = c.note(LogTaken, g.Decision.Side, byBot, c.place, Taken{SeatStop: g.SeatStop, File: passes, Final: true, Seal: sealOf(g.Salt, passes)})
			}
		}
	}},
	"a deadline that has yet to pass": {"has not passed", func(c *crook, r *Resolved, _ *int) {
		if c.withdraws(r); bids(r) {
			for i := range r.Answers {
				g := &r.Answers[i]
				g.By, g.Orders = byDefault, passes
				c.note(LogDeadline, g.Decision.Side, "office", c.place, map[string]any{"deadline": c.at.Add(time.Hour), "seat_stop": g.SeatStop})
			}
		}
	}},
	"a deadline where the set-up gives time without end": {"has no deadline", func(c *crook, r *Resolved, _ *int) {
		if c.withdraws(r); bids(r) {
			for i := range r.Answers {
				g := &r.Answers[i]
				g.By, g.Orders = byDefault, passes
				c.note(LogDeadline, g.Decision.Side, "office", c.place, map[string]any{"deadline": c.at, "seat_stop": g.SeatStop})
			}
		}
	}},
	"a bot for a player who was not silent": {"has not been silent", func(c *crook, r *Resolved, _ *int) {
		c.withdraws(r)
		for i := range r.Answers {
			g := &r.Answers[i]
			if c.place == 1 {
				c.note(LogBot, g.Decision.Side, "office", c.place, map[string]int{"missed": 3})
			}
			view := c.position.View(g.Decision.Side)
			g.By, g.Bot, g.Orders = byBot, engine.Digest(c.rules), normalForm(c.scheme, c.rules, c.rules.Sensible(view, g.Decision, nil))
		}
	}},
	"a resignation of the office's": {"nobody resigns", func(c *crook, r *Resolved, _ *int) {
		c.withdraws(r)
		for i := range r.Answers {
			g := &r.Answers[i]
			c.note(LogResigned, g.Decision.Side, "office", c.place, nil)
			g.By, g.Orders = byDefault, normalForm(c.scheme, c.rules, c.rules.Default(c.position.View(g.Decision.Side), g.Decision))
		}
	}},
	"standing orders by the office": {"nobody has sent", func(c *crook, _ *Resolved, _ *int) {
		c.note(LogStanding, "red", "office", c.place, Taken{File: "standing: none\n"})
	}},
	"a game said to be over": {"neither the rules nor a ruling", func(c *crook, _ *Resolved, _ *int) {
		if c.place == 2 {
			c.note(LogOver, "", "office", c.place, map[string]any{"outcome": nil, "seed": fmt.Sprintf("%x", c.seed)})
		}
	}},
	"what a die was for": {"other dice", func(c *crook, r *Resolved, _ *int) { c.swaps = true }},
	"answers that an overruled ruling found in force": {"no file of this stop", func(c *crook, r *Resolved, _ *int) {
		if c.place != 3 || !bids(r) {
			return
		}
		c.withdraws(r)
		former := map[engine.Side]*Former{}
		for i := range r.Answers {
			r.Answers[i].Orders = passes
			former[r.Answers[i].Decision.Side] = &Former{Orders: passes}
		}
		head := uint64(len(c.entries))
		ruling := c.note(LogRuling, "", byGM, c.place, Ruling{Kind: actPosition, To: head, From: head, InForce: former})
		c.note(LogRuling, "", byGM, c.place, Ruling{Kind: actOverrule, About: ruling, To: head, From: ruling})
	}},
	"a new seed in the middle of the game": {"new seed", func(c *crook, r *Resolved, _ *int) {
		if c.place == 2 {
			head := uint64(len(c.entries) - len(r.Answers))
			c.note(LogRewound, "", byGM, c.place, Rewound{To: head, From: head, Stop: 2, Commitment: commitment(c.seed)})
		}
	}},
	"a set of rules said to play alike": {"though the log says", func(c *crook, _ *Resolved, _ *int) {
		switch c.place {
		case 2:
			c.note(LogRules, "", "office", c.place, RulesChanged{Digest: "another", Alike: true})
			c.swaps = true
		case 4:
			c.note(LogRules, "", "office", c.place, RulesChanged{Digest: engine.Digest(c.rules), Alike: true})
			c.swaps = false
		}
	}},
	"rules accepted that nobody had found to differ": {"nobody had found", func(c *crook, _ *Resolved, _ *int) {
		if c.place == 2 {
			c.note(LogRules, "", byGM, c.place, RulesChanged{Digest: "another", Accepted: true})
		}
	}},
}

// An office that founds its answers on what it claims itself is found out, by words that
// name the claim.
func TestClaimsThatFoundNothing(t *testing.T) {
	for name, claim := range claims {
		t.Run(name, func(t *testing.T) {
			x := newCrook(t, schemeNow).plays(claim.do)
			v, err := Verify(x, []engine.Ruleset{enginetest.Lots{}})
			if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks), claim.says) {
				t.Errorf("%v, verdict %d: %+v", err, v.Verdict(), v)
			}
		})
	}
}

// Entries of a kind that everybody may read have nothing hidden beside their body that
// only some read in its place.
func TestOneEntrySaysOneThing(t *testing.T) {
	for _, twice := range []bool{false, true} {
		c := newCrook(t, schemeNow)
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
		rechained(t, x)
		v, err := Verify(x, []engine.Ruleset{enginetest.Lots{}})
		if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks[0]), "twice") {
			t.Errorf("%v %v %+v", twice, err, v)
		}
	}
	c := newCrook(t, schemeNow)
	x := c.plays(nil)
	last := x.Entries[len(x.Entries)-1]
	x.Entries[len(x.Entries)-1].PrivateSalt = strings.Repeat("00", 16)
	x.Entries[len(x.Entries)-1].Private = `{"sealed":{"data":` + string(bodyData(t, last)) + `}}`
	rechained(t, x)
	if v, err := Verify(x, []engine.Ruleset{enginetest.Lots{}}); err != nil || v.Verdict() != Broken {
		t.Errorf("%v %+v", err, v)
	}
}

func bodyData(t *testing.T, e ExportedEntry) json.RawMessage {
	var data json.RawMessage
	if _, err := readEntry(store.Entry{Body: []byte(e.Body)}, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// In a player's own export, and in that of the office, stands what he had sent: where it
// is left out the game is not said to hold.
func TestHisOwnFileIsNotWithheldFromAPlayer(t *testing.T) {
	h := playedGame(t)
	for _, side := range []engine.Side{engine.GM, "red"} {
		x := h.export("lot-1", side)
		for i := range x.Entries {
			e := &x.Entries[i]
			if !strings.Contains(e.Body, `"kind":"taken"`) || e.Private == "" {
				continue
			}
			_, private, err := e.digests()
			if err != nil {
				t.Fatal(err)
			}
			e.PrivateSalt, e.Private, e.PrivateDigest = "", "", fmt.Sprintf("%x", private)
		}
		if v := h.verify(x); v.Verdict() != Unproven {
			t.Errorf("%s: files withheld: %+v", side, v)
		}
	}
}

// Rules that the log claims, and that are not those of this program, let nothing pass in
// silence that they make look right.
func TestClaimedRulesHoldNothing(t *testing.T) {
	for name, do := range map[string]trick{
		"the default in place of the bot": func(c *crook, r *Resolved, _ *int) {
			if g := &r.Answers[0]; bids(r) && g.Decision.Side == "red" {
				c.entries = c.entries[:len(c.entries)-len(r.Answers)]
				g.By, g.Orders, g.Entry, g.Salt = byDefault, passes, 0, ""
				c.note(LogResigned, "red", "player", c.place, nil)
				for i := range r.Answers[1:] {
					g := &r.Answers[i+1]
					g.Entry = c.note(LogTaken, g.Decision.Side, "player", c.place, Taken{SeatStop: g.SeatStop, File: g.Orders, Final: true, Seal: sealOf(g.Salt, g.Orders)})
				}
			}
		},
		"a file that is said to be no longer legal": func(c *crook, r *Resolved, _ *int) {
			if g := &r.Answers[0]; bids(r) {
				c.note(LogTaken, g.Decision.Side, "player", c.place, Taken{SeatStop: g.SeatStop, File: "orders: {bid: nothing}\n", Final: true, Seal: sealOf("x", "y")})
				g.By, g.Orders, g.Entry, g.Salt = byDefault, passes, 0, ""
			}
		},
	} {
		c := newCrook(t, schemeNow)
		c.made = func(m *Made) { m.Rules, m.Silence = "another", Silence{Bot: 1} }
		x := c.plays(do)
		v, err := Verify(x, []engine.Ruleset{enginetest.Lots{}})
		if err != nil || v.Verdict() != Unproven {
			t.Errorf("%s: %v %+v", name, err, v)
		}
	}
}

// A bot of other rules than those in force is no bot of the game.
func TestABotOfOtherRulesHasNotAnswered(t *testing.T) {
	c := newCrook(t, schemeNow)
	c.made = func(m *Made) { m.Silence = Silence{Bot: 1} }
	x := c.plays(func(c *crook, r *Resolved, _ *int) {
		c.withdraws(r)
		for i := range r.Answers {
			g := &r.Answers[i]
			if c.place == 1 {
				c.note(LogResigned, g.Decision.Side, "player", c.place, nil)
			}
			if g.By, g.Bot = byBot, "another"; bids(r) {
				g.Orders = passes
			}
		}
	})
	v, err := Verify(x, []engine.Ruleset{enginetest.Lots{}})
	if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks), "bot of other rules") {
		t.Errorf("%v %+v", err, v)
	}
}

// In a log of the first scheme no stop says that it repeats another: that would hide its
// answers from the check.
func TestNoStopOfTheFirstSchemeRepeatsAnother(t *testing.T) {
	x := newCrook(t, schemeOld).plays(func(c *crook, r *Resolved, _ *int) {
		if r.Again = 1; bids(r) {
			r.Answers[0].Orders = passes
		}
	})
	if v, err := Verify(x, []engine.Ruleset{enginetest.Lots{}}); err != nil || v.Verdict() != Broken {
		t.Errorf("%v %+v", err, v)
	}
}

// Words for luck are waited for as long as the set-up says.
func TestLuckWaitsForTheWords(t *testing.T) {
	for _, usual := range []time.Duration{0, 24 * time.Hour} {
		c := newCrook(t, schemeNow)
		c.luck = true
		c.made = func(m *Made) { m.Timing.Usual.Usual = usual }
		v, err := Verify(c.plays(nil), []engine.Ruleset{enginetest.Lots{}})
		if err != nil || v.Verdict() != Broken || !strings.Contains(fmt.Sprint(v.Checks), "were not waited for") {
			t.Errorf("%v: %v %+v", usual, err, v)
		}
	}
}

// What a game master's power has changed, and a restore, are named even where all holds:
// who was told nothing of them learns it there.
func TestRulingsAndRestoresAreNamed(t *testing.T) {
	x := newCrook(t, schemeNow).plays(func(c *crook, r *Resolved, _ *int) {
		if c.place == 2 {
			c.note(LogRestored, "", "office", c.place, Restoration{At: c.at, Mark: "1"})
			g := &r.Answers[0]
			c.note(LogRuling, "", byGM, c.place, Ruling{Kind: actAccept, Seat: g.Decision.Side, SeatStop: g.SeatStop, Orders: g.Orders, Reason: "because"})
			g.By, g.Entry, g.Salt = byGM, 0, ""
		}
	})
	v, err := Verify(x, []engine.Ruleset{enginetest.Lots{}})
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
