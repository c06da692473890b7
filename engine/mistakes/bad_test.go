package mistakes

import (
	"strings"
	"testing"

	"berthier/engine"
	filed "berthier/engine/ahead"
	"berthier/orders"
)

// A file in which everything is wrong gets all its faults at once, each at its place, with its clause if a
// rule is broken, and with what would be right if its sentence doesn't say that itself.
func TestBadInputIsToldAtOnce(t *testing.T) {
	g := begin(t, map[string]string{"game": "free-deploy"})
	if err := (&battlefield{game: g}).advance(nil); err != nil {
		t.Fatal(err)
	}
	deploys := engine.Decision{Side: "blue", Kind: stopDeploy}
	g.Turn = 1
	both := func(v *View, d engine.Decision, text string) (all []string) {
		t.Helper()
		rules := New()
		doc, _ := orders.Parse(text, vocabulary) // a key that stands twice is told by the judge, too
		_, faults := rules.Read(v, d, doc)
		_, more := filed.Read(rules, v, doc.Ahead)
		for _, f := range append(faults, more...) {
			line := strings.TrimSpace(strings.Split(text, "\n")[f.Line-1])
			remedy := ""
			if f.Remedy.Code != "" {
				remedy = " (" + f.Remedy.Code + ")"
			}
			all = append(all, line[strings.LastIndex(line, "# ")+2:]+": "+strings.TrimSpace(f.Clause+" "+f.Why.Code)+remedy)
		}
		return all
	}
	same(t, "the faults of a deployment", both(g.view("blue"), deploys, `orders:
  formations:
    - {id: k1, heading: n, units: {13: [5, 5]}} # off the field
    - {id: k2, heading: n, units: {14: [600, 150]}}
    - {id: k3, heading: n, units: {15: [610, 150]}} # on another
    - {id: k4, heading: n, heading: s, units: {16: [700, 150]}} # two headings
    - {id: k5, heading: n, units: {17: [650.1234, 150]}} # too many decimals
    - {id: k6, heading: n, units: {99: [650, 150]}} # an unknown name
    - {id: K 7, heading: n, units: {25: [800, 150]}} # no name
ahead:
  manoeuvres:
    - {formation: k2, advance: {wheel: right 181}} # a wheel of 181
    - {formation: k2, charge: nobody} # a charge at nothing
`), []string{
		"off the field: EM-1.4 em.deploy-area (em.area-remedy)",
		"on another: EM-1.4 em.position-overlap (em.overlap-remedy)",
		"two headings: order.key-twice (order.see-line)",
		"too many decimals: EM-3.1 em.length-fine",
		"an unknown name: order.unknown-unit (order.did-you-mean)",
		"no name: EM-6.2 em.formation-known",
		"a wheel of 181: em.wheel",
		"a charge at nothing: order.unknown-landmark",
	})
	moves := at(t, manoeuvring, nil)
	for _, id := range []string{"b-Quiot", "b-Durutte", "b-Foy", "b-Bachelu"} {
		moves.formationNamed(id).Green = true
	}
	same(t, "the faults of manoeuvres", both(moves.view("blue"), engine.Decision{Side: "blue", Kind: stopManoeuvres}, `orders:
  - {formation: b-Quiot, advance: {wheel: right 181}} # a wheel of 181
  - {formation: b-Durutte, charge: blue-13} # a charge at nothing
  - {formation: b-Foy, advance: {heading: n, wheel: right 3}} # two headings
  - {formation: b-Bachelu, advance: {mm: 3.5}} # too many decimals
  - {formation: b-Nobody, advance: all} # an unknown name
`), []string{
		"a wheel of 181: EM-3.12 em.wheel",
		"a charge at nothing: EM-10.4 em.charge-enemy (em.charge-remedy)",
		"two headings: EM-10.1 em.turn-two",
		"too many decimals: order.want-number",
		"an unknown name: order.unknown-formation",
	})
}
