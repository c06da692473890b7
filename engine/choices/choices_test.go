package choices_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/choices"
	"berthier/engine/enginetest"
	"berthier/orders"
)

// A decision of the game of lots: red bids a unit, and may lay coins with it.
func bid(t testing.TB) choices.Question {
	t.Helper()
	rules := enginetest.New()
	p, err := rules.New(engine.Setup{Options: map[string]string{"coins": "3"}})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Owed()[0]
	return choices.Question{Rules: rules, View: p.View(d.Side), Decision: d, Head: orders.Mapping().Set("side", orders.Text(string(d.Side)))}
}

// The keys of a sheet are what docs/choices.md says, lists without items are lists, and
// what the file says besides what was chosen stands in filled.
func TestSheet(t *testing.T) {
	q := bid(t)
	for _, c := range []struct{ made, want string }{
		{"", `{"system":"","seat":"red","kind":"bid","made":[],"choices":[{"of":"R-1","what":"bid","text":"R-1"},{"of":"R-2","what":"bid","text":"R-2"},{"of":"R-3","what":"bid","text":"R-3"},{"of":"R-4","what":"bid","text":"R-4"},{"of":"","what":"none","text":"none"}],"filled":[{"of":"","what":"none"}],"complete":false,"file":"side: red\norders: {bid: none}\n"}`},
		{`{"of": "R-2", "what": "bid"}`, `{"system":"","seat":"red","kind":"bid","made":[{"of":"R-2","what":"bid"}],"choices":[{"of":"","what":"coins","low":1,"high":3}],"filled":[],"complete":true,"file":"side: red\norders: {bid: R-2}\n"}`},
		{`{"of": "R-2", "what": "bid"} {"what": "coins", "value": 2}`, `{"system":"","seat":"red","kind":"bid","made":[{"of":"R-2","what":"bid"},{"of":"","what":"coins","value":2}],"choices":[],"filled":[],"complete":true,"file":"side: red\norders: {bid: R-2, coins: 2}\n"}`},
	} {
		var faults orders.Problems
		if q.Made, faults = choices.Read(c.made); len(faults) > 0 {
			t.Fatal(faults)
		}
		sheet, faults := q.Ask()
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		text, err := json.Marshal(sheet)
		if err != nil || string(text) != c.want {
			t.Errorf("after %s\n%s\nwant\n%s", c.made, text, c.want)
		}
	}
}

// Each fault of a list of choices is told at its place, all of a file at once.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ made, want string }{
		{`{"of": "R-2", "what": "bid"} {"what": "coins", "value": 4}`, "1:30 choices.out-of-bounds choices.offered"},
		{`{"of": "R-2", "what": "bid"} {"what": "coins"}`, "1:30 choices.no-value choices.no-value-do"},
		{`{"of": "R-2", "what": "bid"} {"what": "coins", "low": 1, "high": 3, "text": "1-3"}`, "1:30 choices.no-value choices.no-value-do"},
		{`{"of": "R-2", "what": "discard"}`, "1:1 choices.not-offered choices.offered"},
		{"\n  {\"of\": \"B-1\", \"what\": \"bid\"}", "2:3 choices.not-offered choices.offered-of"},
		{`[{"what": "none"},` + "\n" + `{"of": "R-1", "what": "bid"}, {"of": "R-2", "what": "bid"}]`, "2:1 choices.not-offered choices.nothing-more; 2:31 choices.not-offered choices.nothing-more"},
		{`{"of": "right", "what": null}`, "1:1 choices.no-what choices.form"},
		{`{"of": "right"} [3, {"What": "throw"}]`, "1:1 choices.no-what choices.form; 1:18 choices.no-choice choices.form; 1:22 choices.key choices.form"},
		{`{"of": "é", "of": 1, "what": "throw", "value": 1.5}`, "1:13 choices.key-twice choices.form; 1:39 choices.no-number choices.form"},
		{`{"what": "throw", "value": 99999999999999999999}`, "1:19 choices.no-number choices.form"},
		{"{\"what\": \"throw\"}\n{\"what\"", "2:8 choices.no-json choices.form"},
		{`{"what": "none", "next": 1}`, "1:1 choices.no-next choices.no-next-do"},
		{`{"what": "none", "next": -1} {"of": "R-9", "what": "bid"}`, "1:1 choices.no-next choices.no-next-do; 1:30 choices.not-offered choices.offered-of"},
		{`{"what": "none", "next": "1"}`, "1:18 choices.no-number choices.form"},
		{"[{\"what\": \"throw\"}\n", "2:1 choices.no-json choices.form"},
		{"{\"what\": \"throw\"}\n  ]", "2:3 choices.no-json choices.form"},
		{"orders: none", "1:1 choices.no-json choices.form"},
	} {
		q := bid(t)
		made, faults := choices.Read(c.made)
		if q.Made = made; len(faults) == 0 {
			_, faults = q.Ask()
		}
		var told []string
		for _, f := range faults {
			told = append(told, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Why.Code, f.Remedy.Code))
		}
		if got := strings.Join(told, "; "); got != c.want {
			t.Errorf("%s\nis refused with %s\nwant            %s", c.made, got, c.want)
		}
	}
}

// However many choices a file holds that are not offered, only some are told.
func TestManyFaults(t *testing.T) {
	q := bid(t)
	var faults orders.Problems
	if q.Made, faults = choices.Read(strings.Repeat(`{"what": "fly"}`, 5000)); len(faults) > 0 {
		t.Fatal(faults)
	}
	if _, faults = q.Ask(); len(faults) != 20 {
		t.Errorf("%d faults are told", len(faults))
	}
}

// Whatever a file holds, it is read or refused at a place inside it, and what is offered
// of it makes a legal file.
func FuzzRead(f *testing.F) {
	for _, text := range []string{``, `[]`, `[{"of": "R-2", "what": "bid"}, {"what": "coins", "value": 2}]`, `{"what":"\u0000"}{}`, `{"what": {"a": [1]}}`, "[1,,2]", "\xff", `{"a":1,"a":2}`, "[[[", `{"what":"coins","value":1,"low":null}`} {
		f.Add(text)
	}
	q := bid(f)
	f.Fuzz(func(t *testing.T, text string) {
		made, faults := choices.Read(text)
		if len(faults) == 0 {
			q := q
			q.Made = made
			var sheet *choices.Sheet
			if sheet, faults = q.Ask(); len(faults) == 0 {
				if doc, problems := orders.Parse(sheet.File, nil); len(problems) > 0 || doc.Orders == nil {
					t.Fatalf("%v\n%s", problems, sheet.File)
				}
			}
		}
		for _, p := range faults {
			if p.Line < 1 || p.Line > 1+strings.Count(text, "\n") || p.Column < 1 || p.Remedy.IsZero() {
				t.Fatalf("%+v", p)
			}
		}
	})
}
