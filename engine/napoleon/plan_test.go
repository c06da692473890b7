package napoleon

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// everyStanding is a file with every kind of standing order.
const everyStanding = `
standing:
  - reinforce: {to: Ligny, from: [Charleroi], keep: 2, per_turn: 1}
  - deploy: {at: Ligny, role: attacker, left: [F-02], center: [F-05], right: [F-09], reserve: rest, farm: {left: F-02}}
  - plan: {at: Ligny, role: attacker, turns: 3, use: assault, pos: left, ask_when: [rout-risk, "strength<9", "turn>=7", reinforced]}
  - plan: {at: any, rules: [{when: [engaged, enemy: cavalry, type: [infantry, leader], strength: "<=3", total: "<1/2"], do: square}, {do: {retreat: [Charleroi]}}, {when: [unit: F-02], do: {fire: squares}}]}
  - moves: {turn: 6, orders: [{move: {from: Laneffe, via: [Charleroi], to: Ligny, units: [F-02]}}, {forced: [F-02]}]}
`

// Standing orders that are written and read again are the same, in normal form and in a
// position. The side sees its standing orders, and the enemy does not.
func TestStandingOrdersSurvive(t *testing.T) {
	position, err := New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := position.View("allied").Marshal()
	if err != nil {
		t.Fatal(err)
	}
	doc, problems := orders.Parse(everyStanding, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	given, problems := New().ReadStanding(position.View("french"), doc)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if err := position.(engine.Instructed).Instruct("french", given); err != nil {
		t.Fatal(err)
	}
	normal := given.Orders().Encode()
	again, problems := orders.Parse(normal, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, normal)
	}
	twice, problems := New().ReadStanding(position.View("french"), again)
	if len(problems) > 0 || twice.Orders().Encode() != normal {
		t.Fatalf("the normal form reads as something else: %v\n%s", problems, normal)
	}
	data, err := position.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := New().Load(data)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := back.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != string(data) {
		t.Error("the position comes back different")
	}
	after, err := position.View("allied").Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if string(after) != string(before) {
		t.Error("the enemy's view changed")
	}
	showsStandingTo(t, position, "french")
	none, _ := orders.Parse("standing: none\n", nil)
	given, problems = New().ReadStanding(position.View("french"), none)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if err := position.(engine.Instructed).Instruct("french", given); err != nil {
		t.Fatal(err)
	}
	if lines := position.(*game).view("french").inForce(); len(lines) > 0 {
		t.Errorf("standing: none leaves %v", lines)
	}
	if err := position.(engine.Instructed).Instruct("nobody", given); err == nil {
		t.Error("a side that is not in the game gave standing orders")
	}
}

// showsStandingTo finds that the standing orders of a game are on the page of one side alone, and
// in nobody's template.
func showsStandingTo(t *testing.T, position engine.Position, owner engine.Side) {
	t.Helper()
	for _, side := range position.Sides() {
		shown := false
		for _, s := range position.View(side).Page().Sections {
			shown = shown || s.Heading.Code == "nap.page.standing"
		}
		if shown != (side == owner) {
			t.Errorf("%s: standing orders shown: %v", side, shown)
		}
	}
	for _, d := range position.Owed() {
		text := New().Template(position.View(d.Side), d).Encode()
		if strings.Contains(text, "use: assault") {
			t.Errorf("%s sees the plan in a template", d.Side)
		}
	}
}
