package napoleon

import (
	"fmt"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// Of lines that can't be read, one below the other, each is told at its place and with a remedy; and a line beside them that can
// be read is not called unknown.
func TestEachUnreadableLineIsTold(t *testing.T) {
	rules := New()
	p, err := rules.New(engine.Setup{Options: map[string]string{"setup": "historical"}})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Owed()[0]
	for _, test := range []struct {
		file string
		want []string
	}{
		{"orders:\n  go away\n  not here either\n\n  F-99 over there\n", []string{"2:3 order.want-map", "3:3 order.want-map", "5:3 order.want-map"}},
		{"orders:\n  Beaumont - Thuin: F-01\n  go away\n  F-99 over there\n", []string{"3:3 order.stray-line", "4:3 order.stray-line"}},
	} {
		doc, problems := orders.Parse(test.file, nil)
		doc.Mends = true
		_, faults := rules.Read(p.View(d.Side), d, doc)
		var got []string
		for _, q := range append(problems, faults...) {
			got = append(got, fmt.Sprintf("%d:%d %s", q.Line, q.Column, q.Why.Code))
			if q.Remedy.Code == "" {
				t.Errorf("%s: no remedy", got[len(got)-1])
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s%q, want %q", test.file, got, test.want)
		}
	}
}
