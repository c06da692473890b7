package rulestest

import (
	"bytes"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/engine/shape"
	"berthier/orders"
)

// Ahead holds what is promised of answers that are filed before their stop has come. In
// games by chance each answer that is given at a stop is written as a file of the stop
// before might have filed it: as a whole, as the value of its one field, and as a case. The
// reader of what is filed takes it, by how it is written alone; at its stop it means what
// was given there. An answer of another stop of the kind either is legal or is not used, and
// changes nothing by being looked at. All kinds of stops must come about.
func Ahead(t *testing.T, rules engine.Ruleset, games []playout.Game, kinds ...string) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	sheet, _ := ahead.Sheet(rules)
	met, alone, misfits := map[string]int{}, 0, 0
	for _, g := range games {
		former := map[string]*orders.Node{} // an answer of each kind, as orders: holds it
		var before engine.Position
		g.Rules = rules
		_, err := g.Play(func(m playout.Moment) error {
			if before == nil {
				before = m.Position.Clone()
				return nil
			}
			for _, d := range m.Position.Owed() {
				v, given := m.Position.View(d.Side), m.Answers[d.Side]
				body := given.Orders().Get("orders")
				earlier := before.View(d.Side)
				want := given.Orders().Encode()
				forms, field := aheadForms(sheet, d.Kind, body)
				for _, form := range forms {
					text, faults := ahead.Read(rules, earlier, form)
					if len(faults) > 0 {
						t.Errorf("%s %s: %v\n%s", d.Kind, d.At, faults, form.Encode())
						continue
					}
					f := ahead.Filed{Text: text}
					if !slices.Contains(f.Kinds(sheet), d.Kind) {
						t.Errorf("%s does not wait:\n%s", d.Kind, text)
					}
					o := f.Answer(rules, v, d, false)
					if o.Answer == nil || o.Answer.Orders().Encode() != want {
						t.Errorf("%s %s, filed ahead as\n%s: %+v\nand not\n%s", d.Kind, d.At, text, o, want)
					}
					if len(f.Waiting(sheet)) > 0 && len(body.Pairs)+len(body.Items)+len(body.Text) > 0 { // the default answers each stop
						t.Errorf("%s was used, and still waits:\n%s", d.Kind, text)
					}
				}
				if field {
					alone++
				}
				if old := former[d.Kind]; old != nil {
					misfits += unfitting(t, rules, m.Position, d, old)
				}
				former[d.Kind] = body
				met[d.Kind]++
			}
			before = m.Position.Clone()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%v, %d as the value of one field, %d that no longer fit", met, alone, misfits)
	for _, kind := range kinds {
		if met[kind] == 0 {
			t.Errorf("no stop %s came", kind)
		}
	}
	if misfits == 0 {
		t.Error("everything fitted, always")
	}
}

// aheadForms are the ways to write an answer ahead, and whether it may be written as the
// value of its one field.
func aheadForms(sheet shape.Sheet, kind string, body *orders.Node) (forms []*orders.Node, field bool) {
	file := func(n *orders.Node) *orders.Node { return orders.Mapping().Set(kind, n.Clone()) }
	forms = append(forms, file(body), file(orders.Items(orders.Mapping().Set("else", body.Clone()))))
	if body.Kind == orders.Map && len(body.Pairs) == 1 {
		if how, key := sheet.Means(kind, body.Pairs[0].Value); how == shape.MeansField && key == body.Pairs[0].Key.Text {
			forms, field = append(forms, file(body.Pairs[0].Value)), true
		}
	}
	return forms, field
}

// unfitting answers a decision by the answer to another, and tells whether that no longer
// fits. If it fits it can be carried out; looking changes nothing.
func unfitting(t *testing.T, rules engine.Ruleset, p engine.Position, d engine.Decision, old *orders.Node) int {
	t.Helper()
	before := marshalled(t, p)
	if old.Kind == orders.Map && len(old.Pairs) == 0 {
		old = orders.Text("default") // as it is filed
	}
	f := ahead.Filed{Text: orders.Mapping().Set(d.Kind, old.Clone()).Encode()}
	o := f.Answer(rules, p.View(d.Side), d, false)
	if !bytes.Equal(before, marshalled(t, p)) {
		t.Fatalf("an answer that was filed for %s changed the position", d.Kind)
	}
	switch {
	case o.Answer == nil && len(o.Misfit) != 1:
		t.Errorf("%s %s: nothing is said of what no longer fits:\n%s", d.Kind, d.At, f.Text)
	case o.Answer == nil:
		return 1
	}
	answers := map[engine.Side]engine.Answer{d.Side: o.Answer}
	for _, other := range p.Owed() {
		if other.Side != d.Side {
			answers[other.Side] = rules.Default(p.View(other.Side), other)
		}
	}
	if o.Answer != nil {
		if _, err := p.Clone().Advance(answers, playout.NewDice(1)); err != nil {
			t.Errorf("%s %s: what was filed is taken and can't be carried out: %v", d.Kind, d.At, err)
		}
	}
	return 0
}
