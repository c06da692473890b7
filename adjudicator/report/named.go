package report

import (
	"slices"
	"strings"
	"unicode"

	"berthier/engine"
	"berthier/orders"
)

// nameUnits adds to an order file the names of those units that stand in it by their ids alone:
// orders have ids, and players know names. It names nothing that the file does not, and gives the
// names of all that it does.
func nameUnits(view engine.View, file *orders.Node, language string) (all []string) {
	namer, ok := view.(engine.Namer)
	body := file.Get("orders")
	if !ok || body == nil {
		return nil
	}
	text := file.Encode()
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "##", "")), " ") // a name may go on in the next line
	said := strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '/' })
	slices.Sort(said)
	var missing []string
	for _, unit := range namer.Names("unit") {
		if _, found := slices.BinarySearch(said, unit.ID); !found {
			continue
		}
		name := view.Spell("unit", unit.ID, language)
		if !strings.HasPrefix(name, unit.ID+" ") {
			continue
		}
		all = append(all, name)
		if !strings.Contains(text, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		names := strings.Join(missing, ", ")
		// A name that has a keyword in it, such as "of", is the same in each language.
		body.Above = strings.TrimPrefix(body.Above+"\n"+orders.Tongues(names, names), "\n")
	}
	return all
}
