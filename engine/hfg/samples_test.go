package hfg

import (
	"regexp"
	"strings"
	"testing"

	"berthier/docs/rules"
	"berthier/engine/shape"
	"berthier/orders"
)

// sampleBlocks are the files and parts of files that chapter 6 of the digest shows, and those in its sentences.
func sampleBlocks(t *testing.T) []string {
	t.Helper()
	_, text, _ := strings.Cut(string(rules.HorseFootGuns), "\n## 6. ")
	text, _, _ = strings.Cut(text, "\n## 7. ")
	var all []string
	for _, block := range regexp.MustCompile(`(?m)(?:^    .*\n)+`).FindAllString(text, -1) {
		block = regexp.MustCompile(`(?m)^    `).ReplaceAllString(block, "")
		all = append(all, strings.Split(block, "\n---\n")...)
	}
	for _, found := range regexp.MustCompile("`(orders: \\{[^`]*\\})`").FindAllStringSubmatch(text, -1) {
		if !strings.Contains(found[1], "..") {
			all = append(all, found[1])
		}
	}
	return all
}

// Every sample of chapter 6 of the digest is written as some stop takes it, and where it names its stop, as that one does: its
// names belong to no one game, so they and what is legal aren't looked at.
func TestSamplesOfTheDigestAreWrittenAsStopsTakeThem(t *testing.T) {
	sheet := declared.Shapes()
	read := 0
	faults := func(s shape.Shape, n *orders.Node) orders.Problems {
		r := orders.NewReader(vocabulary)
		shape.Read(r, n, s, nil)
		return r.Problems
	}
	for _, text := range sampleBlocks(t) {
		n, problems := orders.ParseNode([]byte(text + "\n"))
		if len(problems) > 0 {
			t.Errorf("%v\n%s", problems, text)
			continue
		}
		if n.Get("standing") != nil {
			read++
			if all := faults(sheet.Standing, n.Get("standing")); len(all) > 0 {
				t.Errorf("%v\n%s", all, text)
			}
		}
		said := n.Get("orders")
		if said == nil {
			continue
		}
		read++
		kinds := sheet.Stops
		if stop := n.Get("stop"); stop != nil {
			kind := strings.Fields(stop.Text)[1]
			kinds = map[string]shape.Shape{kind: sheet.Stops[kind]}
		}
		var least orders.Problems
		fits := false
		for _, s := range kinds {
			all := faults(s, said)
			fits = fits || len(all) == 0
			if least == nil || len(all) < len(least) {
				least = all
			}
		}
		if !fits {
			t.Errorf("no stop takes this: %v\n%s", least, text)
		}
	}
	if read < 15 {
		t.Errorf("%d samples were read", read)
	}
}
