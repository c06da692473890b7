package orders_test

import (
	"fmt"

	"berthier/orders"
)

// A letter comes in: the file is found in it, read, and every fault is told with
// its place.
func Example() {
	letter := []orders.Part{{Kind: orders.Plain, Text: `Here they are.

game: ligny-7
side: french
stop: 12 move
orders:
  - move: {from:Charleroi, to: Ligny, units: [F–03, F-07]}
fnal: no

Anna
`}}
	found, problems := orders.Find(letter)
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	file, problems := orders.Parse(found.Text, nil)
	for _, p := range problems {
		fmt.Printf("line %d, column %d: %s %s\n", p.Line, p.Column, p.Why.Code, p.Remedy.Code)
	}
	for _, r := range file.Repairs {
		fmt.Printf("line %d read as %q\n", r.Line, r.ReadAs)
	}
	// Output:
	// line 5, column 16: order.space-after-colon order.write
	// line 6, column 1: order.unknown-key order.did-you-mean
	// line 5 read as "  - move: {from:Charleroi, to: Ligny, units: [F-03, F-07]}"
}

// A template is made of nodes with comments.
func ExampleNode_Encode() {
	file := orders.Mapping().
		Set("game", orders.Text("ligny-7")).
		Set("stop", orders.Text("12 move").Remark("by Friday")).
		Set("orders", orders.Items(
			orders.Mapping().Set("move", orders.Inline().
				Set("from", orders.Text("Charleroi")).
				Set("units", orders.Texts("F-03", "F-07"))).Over("The road takes eight units.")))
	fmt.Print(file.Encode())
	// Output:
	// game: ligny-7
	// stop: 12 move  # by Friday
	// orders:
	//   ## The road takes eight units.
	//   - move: {from: Charleroi, units: [F-03, F-07]}
}

// A ruleset takes orders apart with a Reader, which gathers the faults.
func ExampleReader() {
	words := orders.NewWords(orders.Common, map[string][]string{"move": {"muovi"}, "to": {"a"}})
	file, _ := orders.Parse("ordini:\n  - muovi: {a: Lingy}\n", words)
	r := orders.NewReader(words)
	for _, item := range r.List(file.Orders) {
		if _, order := r.Only(item, "move"); order != nil {
			f := r.Fields(order, "to")
			r.Pick(f.Get("to"), "town", []orders.Choice{{ID: "ligny", Names: []string{"Ligny"}}})
		}
	}
	fmt.Println(r.Problems)
	// Output:
	// 2:16: order.unknown-town name="Lingy"
}
