package play

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"berthier/engine"
)

// docs/adding-a-ruleset.md names every field of what a ruleset declares of a stop, in the table of its type.
func TestThePageNamesWhatAStopHas(t *testing.T) {
	page, err := os.ReadFile("../../docs/adding-a-ruleset.md")
	if err != nil {
		t.Fatal(err)
	}
	table := func(head string) string {
		_, rest, ok := strings.Cut(string(page), "| "+head+" | which |\n")
		if !ok {
			t.Fatalf("the page has no table %q", head)
		}
		rows, _, _ := strings.Cut(rest, "\n\n")
		return rows
	}
	rule := table("a field's rule has")
	for _, c := range []struct {
		of    reflect.Type
		table string
	}{
		{reflect.TypeFor[Form[engine.View, any, any]](), table("a form has")},
		{reflect.TypeFor[Rule[engine.View, any, int]](), rule},
		{reflect.TypeFor[Field[engine.View, any]](), rule + table("a field has besides")},
	} {
		name, _, _ := strings.Cut(c.of.Name(), "[")
		for i := range c.of.NumField() {
			if f := c.of.Field(i); f.IsExported() && !strings.Contains(c.table, "`"+f.Name+"`") {
				t.Errorf("%s has %s, which no table of the page names", name, f.Name)
			}
		}
		if name == "Field" {
			continue // what a rule has besides, the constructors use
		}
		for _, row := range strings.Split(c.table, "\n") {
			names, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
			for _, named := range strings.Split(names, ", ") {
				if named = strings.Trim(named, "`"); named != "" && !strings.HasPrefix(named, "|") {
					if _, ok := c.of.FieldByName(named); !ok {
						t.Errorf("the page says that %s has %s, which it has not", name, named)
					}
				}
			}
		}
	}
}
