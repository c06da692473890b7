package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"berthier/engine/rulestest"
	"berthier/orders"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf is the JSON Schema of a game system as the command prints it.
func schemaOf(t *testing.T, args ...string) *jsonschema.Schema {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append([]string{"schema"}, args...), &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	doc, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("test.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("test.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The schema marks files that are badly written; each of them is good except for one
// word.
func TestSchemaMarksBadWriting(t *testing.T) {
	withoutRace(t)
	for system, files := range map[string][]struct{ good, was, is string }{
		"napoleon": {
			{"stop: 7 move\norders:\n  - move: {from: Ligny, via: [Wavre], to: Thuin, units: [F-03]}", "via:", "by:"},
			{"stop: 7 move\norders:\n  - move: {from: Ligny, to: Thuin, units: all}", ", to: Thuin", ""},
			{"stop: 7 move\norders:\n  - move: {from: Ligny, to: Thuin, units: all}", "move:", "march:"},
			{"stop: 7 move\norders:\n  - forced: [F-03]\n  - reveal: F-L", "\n  - reveal", "\n    reveal"},
			{"stop: 8 battle-turn\norders:\n  actions:\n  - fire: {unit: F-03, at: squares}\n  then: ask", "squares", "circles"},
			{"stop: 8 battle-turn\norders:\n  actions:\n  - fire: {unit: F-03, at: squares}\n  then: ask", "unit: F-03", "unit: F-03, units: F-07"},
			{"stop: 8 battle-turn\norders:\n  actions:\n  - fire: F-03\n  then: ask", "ask", "perhaps"},
			{"stop: 8 battle-turn\norders: {actions: none, regroup: {in: {Wavre: rest}}}", "in:", "into:"},
			{"stop: 8 battle-turn\norders: hold", "hold", "wait"},
			{"stop: 9 bid\norders: {bid: {camp: allied, minus: 3}}", "3", "300"},
			{"stop: 9 bid\norders: {bid: {camp: allied, minus: 3}}", "3", "three"},
			{"stop: 9 rout\norders: {retreat: {Wavre: [F-03]}, lose: [F-07]}", "lose", "loose"},
			{"stop: 9 reinforce\norders: none\nstanding:\n- casualties: {lose-first: [infantry]}", "casualties", "losses"},
			{"stop: 9 reinforce\norders: none\nstanding:\n- plan: {use: hold}", "hold", "charge"},
			{"orders: none\nfinal: no", "final", "finale"},
		},
		"waterloo": {
			{"stop: 3 round\norders:\n- {card: F06, move: [{unit: 3/I, path: [J-3, {to: J-4, face: N}]}]}", "face: N", "face: X"},
			{"stop: 3 round\norders:\n- {card: F06, action: charge, unit: 3/I, target: A-3/I}", "charge", "run"},
			{"stop: 3 round\norders:\n- {attack: {target: A-3/I, with: [3/I], after: go}}", ", with: [3/I]", ""},
			{"stop: 3 round\norders:\n- end: round", "round\norders:\n- end: round", "round\norders:\n- end: game"},
			{"stop: 4 loss\norders: {loss: {cdp: 1, for: retreat}}", "cdp: 1", "cdp: 3"},
			{"stop: 4 loss\norders: {loss: retreat, to: G-9}", "loss: retreat", "loss: flight"},
			{"stop: 4 artillery\norders: {fire: {card: F06, by: 3/I}}", ", by: 3/I", ""},
			{"stop: 4 army\norders: {army: pass}", "army: pass", "army: go"},
			{"stop: 4 army\norders: {army: pass}\nstanding: {initiative: {bid: {min_mp: 3}}}", "min_mp", "max_mp"},
		},
	} {
		for _, language := range []string{"en", "it"} {
			schema := schemaOf(t, system, "--language", language)
			for _, c := range files {
				bad := strings.Replace(c.good, c.was, c.is, 1)
				for file, good := range map[string]bool{c.good: true, bad: false} {
					root, faults := orders.ParseNode([]byte(file))
					if len(faults) > 0 {
						t.Fatal(faults, file)
					}
					for i, value := range rulestest.AsEditorsTake(root) {
						if i == 0 && !good {
							continue // a number that an editor takes for text has no bounds
						}
						if err := schema.Validate(value); (err == nil) != good {
							t.Errorf("%s, %s: accepted: %t:\n%s", system, language, err == nil, file)
						}
					}
				}
			}
		}
	}
}

// The order file on the page about editors belongs to a game, and it is accepted by the
// schema that the command line on that page prints.
func TestOrdersOnThePageOfEditors(t *testing.T) {
	withoutRace(t)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "editors.md"))
	if err != nil {
		t.Fatal(err)
	}
	file := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	doc, faults := orders.Parse(string(file[1]), nil)
	if len(faults) > 0 || doc.StopName != "battle-turn" {
		t.Fatal(faults)
	}
	for _, value := range rulestest.AsEditorsTake(doc.Root) {
		if err := schemaOf(t, "napoleon").Validate(value); err != nil {
			t.Error(err)
		}
	}
}
