package adjudicator

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/engine/systems"
	"berthier/mail"
	"berthier/orders"
)

// A match is a game of a real ruleset that is played by letters.
type match struct {
	*testOffice
	chance *rand.Rand
	id     string
}

// A setting is how a game is set up that tests play by letter.
type setting struct {
	name    string
	rules   engine.Ruleset
	options string // as a set-up writes them, without braces
	sides   []string
	stops   int // that are played
}

// matches are games of every ruleset of the program: those that are chosen below, because they
// are short or have what tests look for, and of any other ruleset the game as it is set up
// where nothing is chosen.
var matches = settings(map[string][]setting{
	"enemy-mistakes": {{name: "enemy-mistakes", options: "game: ready-3p", stops: 6}}, // red's seat acts for two armies
	"hfg":            {{name: "hfg", options: "sunset-pairs: 6", stops: 6}},
	"napoleon":       {{name: "napoleon", options: "setup: historical", stops: 8}},
	"waterloo": {{name: "waterloo", options: "scenario-length: quick", stops: 10},
		{name: "waterloo, three players", options: "players: 3", stops: 8}},
})

// settings are the chosen games of every ruleset of the program, by its id, or else one that
// is set up as it comes.
func settings(chosen map[string][]setting) (all []setting) {
	for _, rules := range systems.All() {
		id := rules.About().ID
		games := chosen[id]
		if games == nil {
			games = []setting{{name: id, stops: 10}}
		}
		for _, one := range games {
			one.rules, one.sides = rules, sidesOf(rules, one.options)
			all = append(all, one)
		}
	}
	return all
}

// sidesOf are the seats of a game with such options.
func sidesOf(rules engine.Ruleset, options string) (sides []string) {
	n, faults := orders.ParseNode([]byte("{" + options + "}"))
	if len(faults) > 0 {
		panic(faults.Error())
	}
	setup := engine.Setup{Options: map[string]string{}}
	for _, pair := range n.Pairs {
		setup.Options[pair.Key.Text] = pair.Value.Text
	}
	p, err := rules.New(setup)
	if err != nil {
		panic(err)
	}
	for _, side := range p.Sides() {
		sides = append(sides, string(side))
	}
	return sides
}

// sit opens an office with one game. Two of them are the same game, to the byte.
func sit(t testing.TB, rules engine.Ruleset, options string, sides []string, more string) *match {
	t.Helper()
	h := newTestOffice(t, func(h *testOffice) {
		h.rules, h.opt.AnswersPerHour = rules, 1000
		h.opt.Entropy = rand.NewChaCha8([32]byte{18, 6})
	})
	var seats strings.Builder
	for i, side := range sides {
		fmt.Fprintf(&seats, "  %s: {name: Player %d, address: %s@play.example, language: %s}\n", side, i+1, side, []string{"en", "it"}[i%2])
	}
	h.newGame(fmt.Sprintf("game: match-1\nsystem: %s\noptions: {%s}\nseats:\n%s%sdeadline: 3d\n", rules.About().ID, options, &seats, more))
	return &match{testOffice: h, chance: rand.New(rand.NewPCG(18, 15)), id: "match-1"}
}

// masterOfHisOwn is the game master of most games.
const masterOfHisOwn = "gm: {name: Gina, address: gm@club.example}\n"

// at looks at the game.
func (h *match) at(look func(tr *transaction) error) {
	h.Helper()
	if err := h.office.look(h.id, look); err != nil {
		h.Fatal(err)
	}
}

// position is a copy of the game's.
func (h *match) position() (p engine.Position) {
	h.at(func(tr *transaction) error { p = tr.Position.Clone(); return nil })
	return p
}

// becomes puts another position in the place of the game's.
func (h *match) becomes(p engine.Position) {
	h.Helper()
	if err := h.office.change(context.Background(), h.id, func(tr *transaction) error { tr.Place(p); return nil }); err != nil {
		h.Fatal(err)
	}
}

// mailbox is the address of a side.
func mailboxOf(side engine.Side) string { return string(side) + "@play.example" }

// order is a letter that answers for a side, with further lines in its head.
func (h *match) order(side engine.Side, a engine.Answer, head ...string) string {
	h.Helper()
	top, _, ok := strings.Cut(h.template(mailboxOf(side)), "\norders:")
	if !ok {
		h.Fatalf("no orders in the order file of %s", side)
	}
	return top + "\n" + strings.Join(append(head, a.Orders().Encode()), "\n")
}

// lastRaw is the newest letter to an address, as it went out.
func (h *match) lastRaw(address string) []byte {
	h.Helper()
	h.one(h.deliver(address))
	for i := len(h.post.sent) - 1; ; i-- {
		if h.post.sent[i].to == address {
			return h.post.sent[i].raw
		}
	}
}

// Drafts are tried out by letter at whatever stop: two games that differ in what
// the writer can't see, and in nothing else, send him the same letter to the byte.
// Nothing is logged, nobody else hears of it, and the answer says what it never
// used.
func TestWhatIfByLetter(t *testing.T) {
	withoutRace(t)
	for _, game := range matches {
		t.Run(game.name, func(t *testing.T) {
			t.Parallel()
			stops := game.stops
			if !fullSamples {
				stops = 3
			}
			one, two := sit(t, game.rules, game.options, game.sides, masterOfHisOwn+"second-thoughts: none\n"), sit(t, game.rules, game.options, game.sides, masterOfHisOwn+"second-thoughts: none\n")
			rules, changed, tried := game.rules.(engine.Sampler), 0, 0
			kinds := map[string]bool{}
			for stop := range stops {
				position := one.position()
				for _, side := range game.sides {
					one.deliver(mailboxOf(engine.Side(side)))
					two.deliver(mailboxOf(engine.Side(side)))
				}
				one.deliver(gmAt)
				for _, d := range position.Owed() {
					view := position.View(d.Side)
					lines := []string{"draft: true", "what-if: 12"}
					if stop%2 == 1 { // what it files ahead is played, too
						lines = append(lines, "ahead: "+defaultsAhead(t, game.rules))
					}
					draft := one.order(d.Side, game.rules.Sensible(view, d, one.chance), lines...)
					if other := two.template(mailboxOf(d.Side)); other != one.template(mailboxOf(d.Side)) {
						t.Fatalf("stop %d: the games are not the same", stop)
					}
					// Any position of this view will do: the true one is not asked for.
					other, err := rules.Sample(view, d, rand.New(rand.NewPCG(uint64(stop), 1)))
					if err != nil {
						t.Fatal(err)
					}
					if a, b := marshalled(t, position), marshalled(t, other); !bytes.Equal(a, b) {
						changed++
					}
					before := one.kinds(one.id)
					two.becomes(other)
					one.write(mailboxOf(d.Side), draft, mail.Processed)
					two.write(mailboxOf(d.Side), draft, mail.Processed)
					a, b := one.lastRaw(mailboxOf(d.Side)), two.lastRaw(mailboxOf(d.Side))
					if !bytes.Equal(a, b) {
						t.Fatalf("stop %d: %s, who owes %s, gets another letter when what can't be seen is otherwise:\n%s\n%s", stop, d.Side, d.Kind, a, b)
					}
					two.becomes(position.Clone())
					letter, err := mail.Read(a, mail.Own{})
					if err != nil {
						t.Fatal(err)
					}
					if d.Side == engine.Side(game.sides[0]) {
						one.says(letter, "What might follow", "played out 12 times", "never used", "You would be")
					} else if game.sides[1] == string(d.Side) {
						one.says(letter, "Che cosa potrebbe seguire", "12 volte", "mai stato usato")
					}
					for _, side := range append(append([]string(nil), game.sides...), "gm") {
						if side != string(d.Side) {
							one.silent(strings.Replace(mailboxOf(engine.Side(side)), "gm@play", "gm@club", 1))
						}
					}
					if after := one.kinds(one.id); len(after) != len(before) {
						t.Fatalf("the log has grown: %v", after[len(before):])
					}
					tried++
					kinds[d.Kind] = true
					one.clock.move(time.Minute)
					two.clock.move(time.Minute)
				}
				for _, d := range position.Owed() {
					answer := game.rules.Sensible(position.View(d.Side), d, one.chance)
					for _, h := range []*match{one, two} {
						h.write(mailboxOf(d.Side), h.order(d.Side, answer), mail.Processed)
						h.clock.move(time.Minute)
					}
				}
			}
			t.Logf("%d drafts at %v, %d with something hidden", tried, kinds, changed)
			if changed < tried*2/3 {
				t.Errorf("of %d drafts only %d had anything hidden", tried, changed)
			}
		})
	}
}

// defaultsAhead files the default for each kind of stop of a ruleset.
func defaultsAhead(t *testing.T, rules engine.Ruleset) string {
	t.Helper()
	all := orders.Inline()
	for _, kind := range rules.About().Stops {
		all.Set(kind, orders.Text("default"))
	}
	return all.OneLine()
}

func marshalled(t *testing.T, p engine.Position) []byte {
	t.Helper()
	text, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A game master who plays tries no draft out for another side: he would do it from
// that side's view. For his own he may, as any player, and who does not play may for
// anybody.
func TestWhatIfOfAMasterWhoPlays(t *testing.T) {
	game := matches[slices.IndexFunc(matches, func(s setting) bool { return s.name == "waterloo" })]
	for _, who := range []struct {
		name, more string
		want       mail.Folder
	}{
		{"plays", "gm: {name: Gina, address: anglo@play.example}\n", mail.Rejected},
		{"plays openly", "gm: {name: Gina, address: anglo@play.example}\ngm-plays: open\n", mail.Processed},
		{"looks after it", masterOfHisOwn, mail.Processed},
	} {
		t.Run(who.name, func(t *testing.T) {
			h := sit(t, game.rules, game.options, game.sides, who.more)
			from := gmAt
			if strings.Contains(who.more, "anglo@") {
				from = mailboxOf("anglo")
			}
			h.deliver(from)
			h.deliver(mailboxOf("french"))
			before := h.kinds(h.id)
			h.write(from, command(h.testOffice, h.id, engine.GM, "side: french", "stop: 1", "draft: true", "what-if: 10", "orders: [{end: round}]"), who.want)
			letter := h.one(h.deliver(from))
			if who.want == mail.Rejected {
				h.says(letter, "You play in this game")
				h.lacks(letter, "Che cosa potrebbe seguire", "What might follow", "round francese")
			} else if text := wordsOf(letter); !strings.Contains(text, "never used") && !strings.Contains(text, "mai stato usato") {
				t.Errorf("the draft was not tried out:\n%s", text)
			}
			h.silent(mailboxOf("french"))
			if after := h.kinds(h.id); who.want == mail.Processed && len(after) != len(before) {
				t.Errorf("the log has grown: %v", after[len(before):])
			}
		})
	}
}
