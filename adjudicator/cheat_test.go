package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/engine"
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
	entries  []store.Entry
	at       time.Time
	place    int
	asked    map[engine.Side]int
	winners  []engine.Side // named in the last entry in place of the true ones
	words    []LuckWord
	luck     bool
	dropped  []LuckWord  // words that it takes back, though nobody has taken a seat over
	made     func(*Made) // changes the set-up
	swaps    bool        // says of each die that it was for something else
}

// A trick changes how a stop is resolved before its dice are rolled: the answers as the
// log will have them, the stop's number, and rolls that are said to be ruled on.
type trick func(c *crook, r *Resolved, stop *int)

func newCrook(t testing.TB, scheme int) *crook {
	c := &crook{TB: t, scheme: scheme, seed: []byte(strings.Repeat("crooked.", 4)), rules: enginetest.New(),
		at: begins, asked: map[engine.Side]int{}}
	position, err := c.rules.New(engine.Setup{Options: map[string]string{"rounds": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	c.position = position
	return c
}

func (c *crook) note(kind string, seat engine.Side, by string, stop int, data any) uint64 {
	body, err := json.Marshal(Entry{Kind: kind, At: c.at, Seat: seat, By: by, Stop: stop, Data: data})
	if err != nil {
		c.Fatal(err)
	}
	var last store.Link
	if n := len(c.entries); n > 0 {
		last = c.entries[n-1].Link
	}
	e := store.Follow(last, store.Salt{byte(len(c.entries))}, body, nil)
	c.entries = append(c.entries, e)
	return e.Seq
}

// plays plays a whole game, with the trick at every stop, and gives its export.
func (c *crook) plays(do trick) *Export {
	c.Helper()
	c.setsUp()
	return c.playsOn(do)
}

// setsUp makes the game.
func (c *crook) setsUp() {
	c.Helper()
	made := Made{Game: "lot-1", System: "lots", Options: map[string]string{"rounds": "5"}, Commitment: commitment(c.seed)}
	if c.scheme != schemeOld {
		made.Scheme, made.Rules, made.Luck = c.scheme, engine.Digest(c.rules), c.luck
	}
	if c.made != nil {
		c.made(&made)
	}
	c.note(LogSetup, "", "gm", 0, made)
	if c.luck {
		for _, w := range c.words {
			c.note(LogWord, w.Side, "player", 0, w)
		}
		for _, w := range c.dropped {
			c.note(LogWord, w.Side, "player", 0, w)
			c.note(LogWord, w.Side, "office", 0, LuckWord{Side: w.Side})
		}
		c.note(LogLuck, "", "office", 0, luckTold{c.words})
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
func (c *crook) playsOn(do trick) *Export {
	c.Helper()
	for range 50 {
		c.next(do)
		if o, ended := c.position.Outcome(); ended {
			if c.winners != nil {
				o.Winners = c.winners
			}
			c.note(LogOver, "", "office", c.place, map[string]any{"outcome": o, "seed": hex.EncodeToString(c.seed)})
			break
		}
	}
	return c.export()
}

// stop takes a file of each side that owes something, and resolves the stop.
func (c *crook) stop(do trick) {
	c.Helper()
	var r Resolved
	for _, d := range c.position.Owed() {
		view := c.position.View(d.Side).(*enginetest.View)
		last := engine.Choice{Of: view.Own[len(view.Own)-1].ID, What: d.Kind}
		normal := enginetest.New().Compose(view, d, []engine.Choice{last}).Orders().Encode()
		g := Given{Decision: d, SeatStop: c.asked[d.Side], By: "player", Orders: normal}
		t := Taken{SeatStop: g.SeatStop, File: normal, Final: true}
		if c.scheme != schemeOld {
			g.Salt = "salt"
			t.Seal = sealOf(g.Salt, normal)
		}
		g.Entry = c.note(LogTaken, d.Side, "player", c.place, t)
		if c.scheme == schemeOld {
			g.Entry = 0
		}
		r.Answers = append(r.Answers, g)
	}
	stop := c.place
	if do != nil {
		do(c, &r, &stop)
	}
	hash := hashOrders(r.Answers)
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
	c.note(LogResolved, "", "office", stop, r)
	c.at = c.at.Add(time.Hour)
}

// resolve plays the stop on, as it stands, on a copy.
func (c *crook) resolve(r *Resolved, stop int) (engine.Position, []engine.Roll, []byte) {
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
	dice := &engine.Recorder{Dice: &engine.RuledDice{Dice: diceOf(c.scheme, c.seed, "lot-1", stop, c.words, r.Answers), Results: r.Ruled}}
	snapshot, err := advance(next, answers, dice, r)
	if err != nil {
		c.Fatal(err)
	}
	return next, dice.Rolls, snapshot
}

// wants tells whether a stop would roll a six first, as the crook likes it.
func (c *crook) wants(r *Resolved, stop int) bool {
	try := *r
	_, rolls, _ := c.resolve(&try, stop)
	return len(rolls) == 0 || rolls[0].Result == 6
}

func (c *crook) export() *Export {
	x := &Export{Format: exportFormat, Game: "lot-1", System: "lots", For: "gm", State: "over", Commitment: commitment(c.seed), Seeds: []string{hex.EncodeToString(c.seed)}}
	for _, e := range c.entries {
		shown, err := exported(e, engine.GM, "", c.scheme)
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
	"a comment behind the orders": func(c *crook, r *Resolved, stop *int) {
		was := r.Answers[0].Orders
		for i := range 1000 {
			if r.Answers[0].Orders = fmt.Sprintf("%s# %d\n", was, i); c.wants(r, *stop) {
				return
			}
		}
	},
	"spaces in the orders": func(c *crook, r *Resolved, stop *int) {
		was := r.Answers[0].Orders
		for i := range 1000 {
			if r.Answers[0].Orders = strings.Replace(was, "{", "{"+strings.Repeat(" ", i+1), 1); c.wants(r, *stop) {
				return
			}
		}
	},
	"a stop's number": func(c *crook, r *Resolved, stop *int) {
		for *stop = 1000; !c.wants(r, *stop); *stop++ {
		}
	},
	"rolls ruled on without a ruling": func(_ *crook, r *Resolved, _ *int) { r.Ruled = map[int]int{1: 6, 2: 6} },
	"a default in place of a file": func(c *crook, r *Resolved, _ *int) {
		if g := &r.Answers[0]; g.Decision.Kind == enginetest.Bid {
			g.By, g.Orders, g.Entry, g.Salt = byDefault, "orders: {bid: none}\n", 0, ""
		}
	},
	"a bot in place of a player": func(c *crook, r *Resolved, _ *int) { r.Answers[0].By, r.Answers[0].Entry = byBot, 0 },
	"other orders than the file's": func(c *crook, r *Resolved, _ *int) {
		if g := &r.Answers[0]; g.Decision.Kind == enginetest.Bid {
			g.Orders = "orders: {bid: none}\n"
		}
	},
	"a stop said to repeat another": func(c *crook, r *Resolved, _ *int) {
		if c.place > 2 {
			r.Again, r.Ruled = uint64(len(c.entries)-3), map[int]int{1: 6}
		}
	},
	"a number of the seat's stop": func(_ *crook, r *Resolved, _ *int) { r.Answers[0].SeatStop += 3 },
}

// An office that makes every hash of its log fit is found out all the same, whatever way
// it takes: by nothing but the log, in games of either scheme. The same game kept
// honestly holds.
func TestCrookedOfficesAreFoundOut(t *testing.T) {
	systems := []engine.Ruleset{enginetest.New()}
	verdict := func(t *testing.T, x *Export) Verdict {
		v, err := Verify(x, systems)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", v)
		return v.Verdict()
	}
	for _, scheme := range []int{schemeOld, schemeNow} {
		if got := verdict(t, newCrook(t, scheme).plays(nil)); got != Holds {
			t.Errorf("scheme %d: an honest game is called %d", scheme, got)
		}
		for name, do := range tricks {
			t.Run(fmt.Sprintf("%d/%s", scheme, name), func(t *testing.T) {
				x := newCrook(t, scheme).plays(do)
				got := verdict(t, x)
				if got == Holds || scheme == schemeNow && got != Broken {
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

// What an office can add without anybody's noticing it at once gives it no new throw:
// salts of entries, its own words in letters, when it writes. And with words of the
// players in the dice they fall otherwise for the same seed.
func TestSaltsAndWordsOfTheDice(t *testing.T) {
	one := newCrook(t, schemeNow)
	x := one.plays(nil)
	two := newCrook(t, schemeNow)
	two.at = two.at.Add(999 * time.Hour)
	y := two.plays(func(c *crook, _ *Resolved, _ *int) { c.note(LogSealed, "", "", 0, map[string]int{"try": c.place}) })
	rolls := func(x *Export) (all []int) {
		for _, e := range x.Entries {
			var r Resolved
			if read, err := decodeEntry([]byte(e.Body), &r); err == nil && read.Kind == LogResolved {
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
	three := newCrook(t, schemeNow)
	three.luck, three.words = true, []LuckWord{{"red", "grouchy"}, {"blue", "night, or the Prussians"}}
	z := three.plays(nil)
	if a, b := rolls(x), rolls(z); fmt.Sprint(a) == fmt.Sprint(b) {
		t.Error("the players' words change no die")
	}
	if v, err := Verify(z, []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Holds {
		t.Errorf("%v %+v", err, v)
	}
	four := newCrook(t, schemeNow)
	four.luck, four.words = true, three.words
	w := four.plays(nil)
	w.Entries[1].Body = strings.Replace(w.Entries[1].Body, "grouchy", "ney", 1)
	rechained(t, w)
	if v, err := Verify(w, []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Broken {
		t.Errorf("a word that the player has not sent: %v %+v", err, v)
	}
	five := newCrook(t, schemeNow)
	five.luck, five.words, five.dropped = true, three.words[1:], three.words[:1]
	if v, err := Verify(five.plays(nil), []engine.Ruleset{enginetest.New()}); err != nil || v.Verdict() != Broken {
		t.Errorf("a word taken back though nobody took the seat over: %v %+v", err, v)
	}
}

// A log in which two rulings overrule each other is read to its end.
func TestRulingsThatOverruleEachOther(t *testing.T) {
	x := newCrook(t, schemeNow).plays(func(c *crook, _ *Resolved, _ *int) {
		if c.place == 2 {
			next := uint64(len(c.entries)) + 1
			c.note(LogRuling, "", "gm", c.place, Ruling{Kind: actOverrule, About: next + 1})
			c.note(LogRuling, "", "gm", c.place, Ruling{Kind: actOverrule, About: next})
		}
	})
	if _, err := Verify(x, []engine.Ruleset{enginetest.New()}); err != nil {
		t.Error(err)
	}
}
