package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/log/logtest"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/engine/enginetest"
	"berthier/orders"
)

// A crook is an office that keeps a game as it likes: it has the seed, the position and
// all answers, writes its own log and makes every hash of it fit. What it does at each
// stop is its trick's.
type crook struct {
	testing.TB
	scheme   int
	seed     []byte
	rules    engine.Ruleset
	position engine.Position
	entries  []chain.Entry
	at       time.Time
	place    int
	asked    map[engine.Side]int
	winners  []engine.Side // named in the last entry in place of the true ones
	words    []log.LuckWord
	luck     bool
	dropped  []log.LuckWord  // words that it takes back, though nobody has taken a seat over
	made     func(*log.Made) // changes the set-up
	swaps    bool            // says of each die that it was for something else
}

// A trick changes how a stop is resolved before its dice are rolled: the answers as the
// log will have them, the stop's number, and rolls that are said to be ruled on.
type trick func(c *crook, r *log.Resolved, stop *int)

func newCrook(t testing.TB, scheme int) *crook {
	c := &crook{TB: t, scheme: scheme, seed: []byte(strings.Repeat("crooked.", 4)), rules: enginetest.New(),
		at: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), asked: map[engine.Side]int{}}
	position, err := c.rules.New(engine.Setup{Options: map[string]string{"rounds": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	c.position = position
	return c
}

func (c *crook) enter(kind string, seat engine.Side, by string, stop int, data any) uint64 {
	body, err := json.Marshal(log.Entry{Kind: kind, At: c.at, Seat: seat, By: by, Stop: stop, Data: data})
	if err != nil {
		c.Fatal(err)
	}
	var last chain.Link
	if n := len(c.entries); n > 0 {
		last = c.entries[n-1].Link
	}
	e := chain.Follow(last, chain.Salt{byte(len(c.entries))}, body, nil)
	c.entries = append(c.entries, e)
	return e.Seq
}

// plays plays a whole game, with the trick at every stop, and gives its export.
func (c *crook) plays(do trick) *log.Export {
	c.Helper()
	c.setsUp()
	return c.playsOn(do)
}

// setsUp makes the game.
func (c *crook) setsUp() {
	c.Helper()
	made := log.Made{Game: "lot-1", System: "lots", Options: map[string]string{"rounds": "5"}, Commitment: log.Commitment(c.seed)}
	if c.scheme != log.FirstScheme {
		made.Scheme, made.Rules, made.Luck = c.scheme, engine.Digest(c.rules), c.luck
	}
	if c.made != nil {
		c.made(&made)
	}
	c.enter(log.KindSetup, "", "gm", 0, made)
	if c.luck {
		for _, w := range c.words {
			c.enter(log.KindWord, w.Side, "player", 0, w)
		}
		for _, w := range c.dropped {
			c.enter(log.KindWord, w.Side, "player", 0, w)
			c.enter(log.KindWord, w.Side, "office", 0, log.LuckWord{Side: w.Side})
		}
		c.enter(log.KindLuck, "", "office", 0, log.LuckTold{Words: c.words})
	}
}

// next opens the next stop, and plays it with the trick.
func (c *crook) next(do trick) {
	c.Helper()
	c.place++
	for _, d := range c.position.Owed() {
		c.asked[d.Side]++
	}
	c.stop(do)
}

// playsOn plays the game to its end, with the trick at every stop, and gives its export.
func (c *crook) playsOn(do trick) *log.Export {
	c.Helper()
	for range 50 {
		c.next(do)
		if o, ended := c.position.Outcome(); ended {
			if c.winners != nil {
				o.Winners = c.winners
			}
			c.enter(log.KindOver, "", "office", c.place, map[string]any{"outcome": o, "seed": hex.EncodeToString(c.seed)})
			break
		}
	}
	return c.export()
}

// stop takes a file of each side that owes something, and resolves the stop.
func (c *crook) stop(do trick) {
	c.Helper()
	var r log.Resolved
	for _, d := range c.position.Owed() {
		view := c.position.View(d.Side).(*enginetest.View)
		last := engine.Choice{Of: view.Own[len(view.Own)-1].ID, What: d.Kind}
		normal := enginetest.New().Compose(view, d, []engine.Choice{last}).Orders().Encode()
		g := log.Given{Decision: d, SeatStop: c.asked[d.Side], By: "player", Orders: normal}
		t := log.Taken{SeatStop: g.SeatStop, File: normal, Final: true}
		if c.scheme != log.FirstScheme {
			g.Salt = "salt"
			t.Seal = log.SealOf(g.Salt, normal)
		}
		g.Entry = c.enter(log.KindTaken, d.Side, "player", c.place, t)
		if c.scheme == log.FirstScheme {
			g.Entry = 0
		}
		r.Answers = append(r.Answers, g)
	}
	stop := c.place
	if do != nil {
		do(c, &r, &stop)
	}
	hash := log.HashOrders(r.Answers)
	r.Orders = hex.EncodeToString(hash[:])
	next, rolls, snapshot := c.resolve(&r, stop)
	sum := sha256.Sum256(snapshot)
	if c.swaps {
		rolls = swapped(rolls)
	}
	r.Rolls, r.Position = rolls, hex.EncodeToString(sum[:])
	if o, ended := next.Outcome(); ended {
		r.Outcome = &o
	}
	c.position = next
	c.enter(log.KindResolved, "", "office", stop, r)
	c.at = c.at.Add(time.Hour)
}

// resolve plays the stop on, as it stands, on a copy.
func (c *crook) resolve(r *log.Resolved, stop int) (engine.Position, []engine.Roll, []byte) {
	c.Helper()
	next, answers := c.position.Clone(), map[engine.Side]engine.Answer{}
	for _, g := range r.Answers {
		doc, problems := orders.Parse(g.Orders, nil)
		if len(problems) > 0 {
			c.Fatal(problems)
		}
		answer, problems := enginetest.New().Read(next.View(g.Decision.Side), g.Decision, doc)
		if len(problems) > 0 {
			c.Fatal(problems)
		}
		answers[g.Decision.Side] = answer
	}
	dice := &engine.Recorder{Dice: &engine.RuledDice{Dice: log.DiceOf(c.scheme, c.seed, "lot-1", stop, c.words, r.Answers), Results: r.Ruled}}
	events, snapshot, err := course.Advance(next, answers, dice, r.Asked)
	if err != nil {
		c.Fatal(err)
	}
	r.Events = events
	return next, dice.Rolls, snapshot
}

// wants tells whether a stop would roll a six first, as the crook likes it.
func (c *crook) wants(r *log.Resolved, stop int) bool {
	try := *r
	_, rolls, _ := c.resolve(&try, stop)
	return len(rolls) == 0 || rolls[0].Result == 6
}

func (c *crook) export() *log.Export {
	x := &log.Export{Format: log.ExportFormat, Game: "lot-1", System: "lots", For: "gm", State: "over", Commitment: log.Commitment(c.seed), Seeds: []string{hex.EncodeToString(c.seed)}}
	for _, e := range c.entries {
		shown, err := log.Show(e, engine.GM, "", c.scheme)
		if err != nil {
			c.Fatal(err)
		}
		x.Entries = append(x.Entries, shown)
	}
	return x
}

// tricks are the ways in which an office can choose its dice, or the game, and make all
// hashes fit.
var tricks = map[string]trick{
	"a comment behind the orders": func(c *crook, r *log.Resolved, stop *int) {
		was := r.Answers[0].Orders
		for i := range 1000 {
			if r.Answers[0].Orders = fmt.Sprintf("%s# %d\n", was, i); c.wants(r, *stop) {
				return
			}
		}
	},
	"spaces in the orders": func(c *crook, r *log.Resolved, stop *int) {
		was := r.Answers[0].Orders
		for i := range 1000 {
			if r.Answers[0].Orders = strings.Replace(was, "{", "{"+strings.Repeat(" ", i+1), 1); c.wants(r, *stop) {
				return
			}
		}
	},
	"a stop's number": func(c *crook, r *log.Resolved, stop *int) {
		for *stop = 1000; !c.wants(r, *stop); *stop++ {
		}
	},
	"rolls ruled on without a ruling": func(_ *crook, r *log.Resolved, _ *int) { r.Ruled = map[int]int{1: 6, 2: 6} },
	"a default in place of a file": func(c *crook, r *log.Resolved, _ *int) {
		if g := &r.Answers[0]; g.Decision.Kind == enginetest.Bid {
			g.By, g.Orders, g.Entry, g.Salt = log.ByDefault, "orders: {bid: none}\n", 0, ""
		}
	},
	"a bot in place of a player": func(c *crook, r *log.Resolved, _ *int) { r.Answers[0].By, r.Answers[0].Entry = log.ByBot, 0 },
	"other orders than the file's": func(c *crook, r *log.Resolved, _ *int) {
		if g := &r.Answers[0]; g.Decision.Kind == enginetest.Bid {
			g.Orders = "orders: {bid: none}\n"
		}
	},
	"a stop said to repeat another": func(c *crook, r *log.Resolved, _ *int) {
		if c.place > 2 {
			r.Again, r.Ruled = uint64(len(c.entries)-3), map[int]int{1: 6}
		}
	},
	"a number of the seat's stop": func(_ *crook, r *log.Resolved, _ *int) { r.Answers[0].SeatStop += 3 },
}

// An office that makes every hash of its log fit is found out all the same, by nothing but the
// log and in games of either scheme, whichever trick it tries. The same game kept honestly
// holds.
func TestCrookedOfficesAreFoundOut(t *testing.T) {
	systems := []engine.Ruleset{enginetest.New()}
	verdict := func(t *testing.T, x *log.Export) Verdict {
		v, err := Game(x, systems)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", v)
		return v.Verdict()
	}
	for _, scheme := range []int{log.FirstScheme, log.Scheme} {
		if got := verdict(t, newCrook(t, scheme).plays(nil)); got != Holds {
			t.Errorf("scheme %d: an honest game is called %d", scheme, got)
		}
		for name, do := range tricks {
			t.Run(fmt.Sprintf("%d/%s", scheme, name), func(t *testing.T) {
				x := newCrook(t, scheme).plays(do)
				got := verdict(t, x)
				if got == Holds || scheme == log.Scheme && got != Broken {
					t.Errorf("the verdict is %d", got)
				}
			})
		}
		t.Run(fmt.Sprintf("%d/false winners", scheme), func(t *testing.T) {
			c := newCrook(t, scheme)
			c.winners = []engine.Side{"blue", "red"}
			if got := verdict(t, c.plays(nil)); got != Broken {
				t.Errorf("the verdict is %d", got)
			}
		})
	}
}

// An office can choose the salts of entries, its own words in letters and when it writes
// without anybody noticing at once, but none of that changes a die. And if words of the players
// go into the dice, the dice fall otherwise for the same seed.
func TestSaltsAndWordsOfTheDice(t *testing.T) {
	one := newCrook(t, log.Scheme)
	x := one.plays(nil)
	two := newCrook(t, log.Scheme)
	two.at = two.at.Add(999 * time.Hour)
	y := two.plays(func(c *crook, _ *log.Resolved, _ *int) {
		c.enter(log.KindSealed, "", "", 0, map[string]int{"try": c.place})
	})
	rolls := func(x *log.Export) (all []int) {
		for _, e := range x.Entries {
			var r log.Resolved
			if read, err := log.Decode([]byte(e.Body), &r); err == nil && read.Kind == log.KindResolved {
				for _, roll := range r.Rolls {
					all = append(all, roll.Result)
				}
			}
		}
		return all
	}
	if a, b := rolls(x), rolls(y); fmt.Sprint(a) != fmt.Sprint(b) || len(a) < 5 {
		t.Errorf("other entries in between give other dice: %v, %v", a, b)
	}
	three := newCrook(t, log.Scheme)
	three.luck, three.words = true, []log.LuckWord{{Side: "red", Word: "grouchy"}, {Side: "blue", Word: "night, or the Prussians"}}
	z := three.plays(nil)
	if a, b := rolls(x), rolls(z); fmt.Sprint(a) == fmt.Sprint(b) {
		t.Error("the players' words change no die")
	}
	if v, err := Game(z, []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Holds {
		t.Errorf("%v %+v", err, v)
	}
	four := newCrook(t, log.Scheme)
	four.luck, four.words = true, three.words
	w := four.plays(nil)
	w.Entries[1].Body = strings.Replace(w.Entries[1].Body, "grouchy", "ney", 1)
	logtest.Rechained(t, w)
	if v, err := Game(w, []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Broken {
		t.Errorf("a word that the player has not sent: %v %+v", err, v)
	}
	five := newCrook(t, log.Scheme)
	five.luck, five.words, five.dropped = true, three.words[1:], three.words[:1]
	if v, err := Game(five.plays(nil), []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Broken {
		t.Errorf("a word taken back though nobody took the seat over: %v %+v", err, v)
	}
}

// A log in which two rulings overrule each other is read to its end.
func TestRulingsThatOverruleEachOther(t *testing.T) {
	x := newCrook(t, log.Scheme).plays(func(c *crook, _ *log.Resolved, _ *int) {
		if c.place == 2 {
			next := uint64(len(c.entries)) + 1
			c.enter(log.KindRuling, "", "gm", c.place, log.Ruling{Kind: log.ActOverrule, About: next + 1})
			c.enter(log.KindRuling, "", "gm", c.place, log.Ruling{Kind: log.ActOverrule, About: next})
		}
	})
	if _, err := Game(x, []engine.Ruleset{enginetest.New()}); err != nil {
		t.Error(err)
	}
}
