package verify

import (
	"encoding/hex"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/enginetest"
)

// A fileOfParts is what a side has filed ahead with a crook, and the entry of its file.
type fileOfParts struct {
	ahead.Filed
	entry uint64
}

// An aheadCrook keeps what is filed ahead as an honest office does, but for its cheats.
type aheadCrook struct {
	*crook
	waits map[engine.Side]*fileOfParts
	// files changes the entry of a file that files a part, before it is written.
	files func(c *aheadCrook, side engine.Side, t *log.Taken)
	// plays changes the answers of a stop that were filed ahead.
	plays func(c *aheadCrook, r *log.Resolved)
	// later notes what comes after a file, before its stop is resolved.
	later func(c *aheadCrook, g *log.Given)
	done  bool // it cheats once
}

// part is the entry of a file with a part: the side loses the last unit that it has.
func (c *aheadCrook) part(g *log.Given) log.Taken {
	own := c.position.View(g.Decision.Side).(*enginetest.View).Own
	text := "discard: " + own[len(own)-1].ID + "\n"
	t := log.Taken{SeatStop: g.SeatStop, File: g.Orders + "ahead: {" + strings.TrimSpace(text) + "}\n", Final: true, Sent: c.at,
		Seal: log.SealOf("salt", g.Orders), Ahead: text, AheadSalt: "pepper"}
	if c.files != nil && !c.done {
		c.done = true
		c.files(c, g.Decision.Side, &t)
	}
	if t.Ahead != "" {
		t.AheadSeal = log.SealOf(t.AheadSalt, t.Ahead)
	}
	return t
}

// stop resolves a stop: bids come by file, each with a part for what is discarded, and
// nothing else does.
func (c *aheadCrook) stop(_ *crook, r *log.Resolved, _ *int) {
	rules, bid := enginetest.New(), bids(r)
	normal := make([]string, len(r.Answers))
	for i := range r.Answers {
		normal[i] = r.Answers[i].Orders
	}
	c.withdraws(r)
	for i := range r.Answers {
		g := &r.Answers[i]
		side := g.Decision.Side
		if bid {
			t := c.part(g)
			g.By, g.Salt, g.Entry = "player", "salt", c.enter(log.KindTaken, side, "player", c.place, t)
			if delete(c.waits, side); t.Ahead != "" {
				c.waits[side] = &fileOfParts{ahead.File(rules, c.position, side, t.Ahead), g.Entry}
			}
			if c.later != nil && !c.done {
				c.done = true
				c.later(c, g)
			}
			continue
		}
		if w := c.waits[side]; w != nil {
			o := w.Answer(rules, c.position.View(side), g.Decision, false)
			g.By, g.Salt, g.Entry, g.Orders = log.ByAhead, "pepper", w.entry, o.Answer.Orders().Encode()
			g.Part = &log.Part{Text: w.Text, Mark: o.Mark, Sent: c.at}
			continue
		}
		g.By, g.Salt, g.Entry = "player", "salt", c.enter(log.KindTaken, side, "player", c.place, log.Taken{SeatStop: g.SeatStop, File: normal[i], Final: true, Seal: log.SealOf("salt", normal[i])})
	}
	if !bid && c.plays != nil && !c.done {
		c.done = true
		c.plays(c, r)
	}
	sheet, _ := ahead.Sheet(rules)
	for side, w := range c.waits {
		if kinds := w.Kinds(sheet); len(kinds) > 0 {
			if r.Asked == nil {
				r.Asked = map[engine.Side][]string{}
			}
			r.Asked[side] = kinds
		}
	}
}

// next resolves a stop and lets lapse what is over.
func (c *aheadCrook) next() (over bool) {
	c.crook.next(c.stop)
	sheet, _ := ahead.Sheet(enginetest.New())
	for side, w := range c.waits {
		if w.Lapsed(c.position) || len(w.Waiting(sheet)) == 0 {
			delete(c.waits, side)
		}
	}
	_, over = c.position.Outcome()
	return over
}

// game is the export of a whole game with parts.
func (c *aheadCrook) game(t *testing.T) *log.Export {
	t.Helper()
	c.crook, c.waits = newCrook(t, log.Scheme), map[engine.Side]*fileOfParts{}
	c.setsUp()
	for range 4 {
		if c.next() {
			break
		}
	}
	if c.files != nil || c.plays != nil || c.later != nil {
		if !c.done {
			t.Fatal("the office had no occasion to cheat")
		}
	}
	for !c.next() {
	}
	return c.playsOutAt()
}

// playsOutAt is the export of a game that is over.
func (c *aheadCrook) playsOutAt() *log.Export {
	c.Helper()
	o, _ := c.position.Outcome()
	c.enter(log.KindOver, "", "office", c.place, map[string]any{"outcome": o, "seed": hex.EncodeToString(c.seed)})
	return c.export()
}

// another is another unit than the one that a side has filed, which it has.
func (c *aheadCrook) another(side engine.Side, not string) string {
	for _, u := range c.position.View(side).(*enginetest.View).Own {
		if !strings.Contains(not, u.ID) {
			return u.ID
		}
	}
	c.Fatal("there is no other")
	return ""
}

// aheadTricks are what an office may try with what was filed ahead. Those of rules need the
// rules to be found out.
var aheadTricks = map[string]struct {
	files func(*aheadCrook, engine.Side, *log.Taken)
	plays func(*aheadCrook, *log.Resolved)
	later func(*aheadCrook, *log.Given)
	rules bool
}{
	"drops a part as its file comes":                            {files: func(_ *aheadCrook, _ engine.Side, t *log.Taken) { t.Ahead, t.AheadSalt = "", "" }},
	"says that a part is overtaken, and nothing else was filed": {files: func(_ *aheadCrook, _ engine.Side, t *log.Taken) { t.Late = true }},
	"says that policies are newer than a part, and none are": {files: func(_ *aheadCrook, _ engine.Side, t *log.Taken) {
		t.Since = []string{enginetest.Discard}
	}, rules: true},
	"changes a part as its file comes": {files: func(c *aheadCrook, side engine.Side, t *log.Taken) {
		t.Ahead = "discard: " + c.another(side, t.Ahead) + "\n"
	}},
	"invents a part as a file comes":     {files: func(_ *aheadCrook, _ engine.Side, t *log.Taken) { t.File = t.File[:strings.Index(t.File, "ahead")] }},
	"changes a part when it is played":   {plays: func(c *aheadCrook, r *log.Resolved) { c.otherwise(&r.Answers[0], true) }},
	"plays something else than the part": {plays: func(c *aheadCrook, r *log.Resolved) { c.otherwise(&r.Answers[0], false) }, rules: true},
	"invents a part when it is needed":   {plays: func(_ *aheadCrook, r *log.Resolved) { r.Answers[0].Entry-- }},
	"files a part after the dice":        {plays: func(c *aheadCrook, r *log.Resolved) { r.Answers[0].Entry = uint64(len(c.entries) + 2) }},
	"takes the default though a part waits": {plays: func(c *aheadCrook, r *log.Resolved) {
		g := &r.Answers[0]
		c.enter(log.KindDeadline, g.Decision.Side, "office", c.place, map[string]any{"seat_stop": g.SeatStop})
		normal := enginetest.New().Default(c.position.View(g.Decision.Side), g.Decision).Orders().Encode()
		*g = log.Given{Decision: g.Decision, SeatStop: g.SeatStop, By: log.ByDefault, Orders: normal}
	}, rules: true},
	"plays a part that was cleared": {plays: func(c *aheadCrook, r *log.Resolved) {
		none := log.Taken{File: "ahead: none\n", Ahead: "none", AheadSalt: "s", AheadSeal: log.SealOf("s", "none"), Sent: c.at}
		c.enter(log.KindAhead, r.Answers[0].Decision.Side, "player", c.place, none)
	}},
	"lets wait what was taken back before its stop was resolved": {later: func(c *aheadCrook, g *log.Given) {
		c.enter(log.KindAhead, g.Decision.Side, "player", c.place, log.Taken{File: "ahead: none\n", Ahead: "none", AheadSalt: "s", AheadSeal: log.SealOf("s", "none"), Sent: c.at})
	}},
	"drops what nobody has taken back": {later: func(_ *aheadCrook, g *log.Given) { g.Files = g.Entry - 1 }},
	"plays a part that a newer file replaced": {plays: func(c *aheadCrook, r *log.Resolved) {
		side := r.Answers[0].Decision.Side
		text := "discard: " + c.another(side, c.waits[side].Text) + "\n"
		c.enter(log.KindAhead, side, "player", c.place, log.Taken{File: "ahead: {" + strings.TrimSpace(text) + "}\n", Ahead: text, AheadSalt: "s", AheadSeal: log.SealOf("s", text), Sent: c.at})
	}},
}

// otherwise lets an answer that was filed ahead be another, whose part says so or does not.
func (c *aheadCrook) otherwise(g *log.Given, part bool) {
	unit := c.another(g.Decision.Side, g.Part.Text)
	if part {
		g.Part.Text = "discard: " + unit + "\n"
	}
	g.Orders = "orders: {discard: " + unit + "}\n"
}

// An office that drops, changes or invents what was filed ahead, plays it after it was taken
// back, or files it itself when the dice are known, is found out by the log, although every
// hash and every seal fits. An honest one holds.
func TestPartsOfCrookedOfficesAreFoundOut(t *testing.T) {
	verdict := func(t *testing.T, x *log.Export) Verdict {
		t.Helper()
		v, err := Game(x, []engine.Ruleset{enginetest.New()})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", v)
		return v.Verdict()
	}
	if got := verdict(t, (&aheadCrook{}).game(t)); got != Holds {
		t.Fatalf("an honest game is called %d", got)
	}
	for name, do := range aheadTricks {
		t.Run(name, func(t *testing.T) {
			if got := verdict(t, (&aheadCrook{files: do.files, plays: do.plays, later: do.later}).game(t)); got != Broken {
				t.Errorf("the verdict is %d", got)
			}
		})
	}
}

// What the answer of a player who has left files ahead ends with him, where the entry of his
// leaving says so; where one of before does not, it waits once its stop is resolved.
func TestPartsOfWhoHasLeft(t *testing.T) {
	for _, test := range []struct {
		ends bool
		want Verdict
	}{{false, Holds}, {true, Broken}} {
		c := &aheadCrook{later: func(c *aheadCrook, g *log.Given) {
			c.enter(log.KindReplaced, g.Decision.Side, "office", c.place, log.Leaving{Ends: test.ends})
		}}
		v, err := Game(c.game(t), []engine.Ruleset{enginetest.New()})
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Verdict(); got != test.want {
			t.Errorf("ends %t: the verdict is %d: %+v", test.ends, got, v)
		}
	}
}
