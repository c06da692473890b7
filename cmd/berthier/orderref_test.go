package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/engine/shape"
	"berthier/orders"
)

// The pages docs/rules/<system>-orders.md are what the command prints. The flag -update
// writes them anew.
func TestOrderReferenceIsThePageOfTheDocs(t *testing.T) {
	for _, system := range strings.Split(rulesetNames(), ",") {
		var out, errs bytes.Buffer
		if code := run(t.Context(), []string{"rules", system, "--orders"}, &out, &errs); code != 0 {
			t.Fatal(errs.String())
		}
		page := filepath.Join("..", "..", "docs", "rules", system+"-orders.md")
		if *update {
			if err := os.WriteFile(page, out.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s is not what berthier rules %s --orders prints; write it with -update", page, system)
		}
	}
}

// The reference describes every kind of stop, in both languages, and no word is missing;
// its examples are well written, and the schema of the system accepts them.
func TestOrderReferenceTellsAll(t *testing.T) {
	withoutRace(t)
	lacking := regexp.MustCompile(`(?i)reference\.kind\.|reference\.|\{system\}|\{keys`)
	for system, rules := range rulesets {
		sheet := rules.(engine.Shaped).Shapes()
		schema := rulestest.Compile(t, sheet.Schema(system, "en", nil))
		stops, err := sheet.Shown()
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, one := range stops {
			kinds = append(kinds, one.Stop)
			doc, faults := orders.Parse(one.Example, sheet.Vocabulary)
			r := orders.NewReader(sheet.Vocabulary)
			shape.Read(r, doc.Orders, sheet.Stops[one.Stop], nil)
			if len(faults)+len(r.Problems) > 0 || doc.StopName != one.Stop {
				t.Errorf("%s: %v %v\n%s", one.Stop, faults, r.Problems, one.Example)
			}
			for _, value := range rulestest.AsEditorsTake(doc.Root) {
				if err := schema.Validate(value); err != nil {
					t.Errorf("%s: %.500s", one.Stop, err.Error())
				}
			}
		}
		if slices.Sort(kinds); !slices.Equal(kinds, rules.About().Stops) {
			t.Errorf("%s shows %v, and has the stops %v", system, kinds, rules.About().Stops)
		}
		for _, language := range []string{"en", "it"} {
			text, err := orderReference(rules, language)
			if err != nil || lacking.MatchString(text) {
				t.Errorf("%s, %s: %v, %q", system, language, err, lacking.FindString(text))
			}
		}
	}
}
