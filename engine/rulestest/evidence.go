package rulestest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/shape"
	"berthier/orders"
)

var evidenceUpdate = flag.Bool("evidence-update", false, "order reference: write what the cases show anew")

// mostSigns is how many bytes an example of the order reference may have.
const mostSigns = 400

// Evidence checks that docs/rules/<name>-orders.json holds what the conformance cases
// show about each kind of stop: a random answer, with a fixed seed, at one of its stops,
// and the clauses that its judge names; and that the standing orders that answer a stop
// are those that the ruleset names.
func Evidence(t *testing.T, name string, rules engine.Ruleset) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	found := map[string]*shape.Evidence{}
	of := func(kind string) *shape.Evidence {
		if found[kind] == nil {
			found[kind] = &shape.Evidence{Stop: kind}
		}
		return found[kind]
	}
	results := HearCases(t, name, rules, func(view engine.View, d engine.Decision, file *orders.Document) {
		e, alone := of(d.Kind), *file
		alone.Standing, alone.Policies = nil, nil
		_, faults := rules.Read(view, d, &alone)
		for _, f := range faults {
			if f.Clause != "" && !slices.Contains(e.Clauses, f.Clause) {
				e.Clauses = append(e.Clauses, f.Clause)
			}
		}
		chance := rand.New(rand.NewPCG(1815, 6)) // each time anew: a case more changes nothing at other stops
		example := orders.Mapping().Set("stop", orders.Text("12 "+d.Kind))
		example.Pairs = append(example.Pairs, rules.Random(view, d, chance).Orders().Pairs...)
		if text := example.Encode(); len(text) <= mostSigns && len(text) > len(e.Example) { // the richest example
			doc, wrong := orders.Parse(text, nil)
			if _, more := rules.Read(view, d, doc); len(wrong)+len(more) > 0 {
				t.Errorf("an answer by chance is refused: %v %v\n%s", wrong, more, text)
			}
			e.Example = text
		}
	})
	answered(t, rules.(engine.Shaped).Shapes(), rules.About().Stops, results)
	clauses := rules.(engine.Documented).Clauses()
	place := func(id string) int {
		return slices.IndexFunc(clauses, func(c engine.Clause) bool { return c.ID == id })
	}
	_, stops, _ := strings.Cut(string(digest(t, name)), "\n## 5. Stops")
	all := []shape.Evidence{}
	for kind, e := range found {
		if !slices.Contains(rules.About().Stops, kind) {
			t.Errorf("%s is no kind of stop", kind)
		}
		slices.SortFunc(e.Clauses, func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
		all = append(all, *e)
	}
	slices.SortFunc(all, func(a, b shape.Evidence) int { // in the order of the digest
		return cmp.Or(cmp.Compare(strings.Index(stops, "`"+a.Stop+"`"), strings.Index(stops, "`"+b.Stop+"`")), cmp.Compare(a.Stop, b.Stop))
	})
	for _, kind := range rules.About().Stops {
		if found[kind] == nil || found[kind].Example == "" {
			t.Errorf("no case shows %s", kind)
		}
	}
	holdEvidence(t, "../../docs/rules/"+name+"-orders.json", all)
}

// answered checks that the standing orders that answered a stop in the cases are among
// those that the ruleset names, and that these are keys of standing orders.
func answered(t *testing.T, sheet shape.Sheet, stops []string, results []cases.Result) {
	t.Helper()
	known := shape.Keywords(sheet.Standing)
	for stop, keys := range sheet.Answered {
		for _, key := range keys {
			if !slices.Contains(stops, stop) || !slices.Contains(known, key) {
				t.Errorf("%s is said to answer %s", key, stop)
			}
		}
	}
	seen := 0
	for _, result := range results {
		for _, h := range result.Log {
			if !strings.HasSuffix(h.Say.Code, engine.StandingUsed) {
				continue
			}
			said := map[string]string{}
			for _, a := range h.Say.Args {
				said[a.Name] = a.Value.Text
			}
			seen++
			if !slices.ContainsFunc(sheet.Answered[said["stop"]], func(key string) bool { return orders.Fold(key) == orders.Fold(said["order"]) }) {
				t.Errorf("%s: %s answered %s, which the ruleset does not say", result.Case.Name, said["order"], said["stop"])
			}
		}
	}
	if seen == 0 {
		t.Error("no case shows a standing order at work")
	}
}

// holdEvidence compares what was found with a file.
func holdEvidence(t *testing.T, file string, all []shape.Evidence) {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(all); err != nil {
		t.Fatal(err)
	}
	if *evidenceUpdate {
		if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text.Bytes(), want) {
		t.Errorf("%s is not what the cases show; write it with: go test -run TestOrderReference ./engine/... -args -evidence-update", file)
	}
}
