package mistakes

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// each of the examples of a template is a file.
func exampleFiles(_ engine.View, n *orders.Node) []string { return rulestest.Examples(n) }

// listed are the templates whose examples are all that may be said, as long as there are few ways.
var listed = []string{stopSide, stopReroll, stopCounter, stopCombat, stopLimberedGun, stopUnlimberedGun, stopShelled, stopOutcome, stopWithdrawLoss, stopLosses}

// fewWays is how many ways to answer a template shows at most.
const fewWays = 8

// answersIn gives the answers of a list of examples and of choices alone in normal form.
func answersIn(v *View) (read func(string) string, chosen func(engine.Choice) []string, few bool) {
	d := v.owed[0]
	few = len(New().Choices(v, d, nil)) <= fewWays
	for _, c := range New().Choices(v, d, nil) {
		few = few && len(New().Choices(v, d, []engine.Choice{c})) == 0 // the first choice says all
	}
	return func(text string) string {
			doc, _ := orders.Parse("orders:\n  "+text+"\n", nil)
			if a, faults := New().Read(v, d, doc); len(faults) == 0 {
				return a.Orders().OneLine()
			}
			return text
		}, func(c engine.Choice) []string {
			return []string{New().Compose(v, d, []engine.Choice{c}).Orders().OneLine()}
		}, few
}

// wholeAnswers is the listing of a template whose examples are answers.
var wholeAnswers = rulestest.Listing{
	Offered: func(view engine.View, n *orders.Node) (all []string) {
		read, _, few := answersIn(view.(*View))
		for _, line := range rulestest.Examples(n) {
			if few {
				all = append(all, read(line))
			}
		}
		return all
	},
	Choice: func(view engine.View, c engine.Choice) []string {
		if _, chosen, few := answersIn(view.(*View)); few {
			return chosen(c)
		}
		return nil
	},
	Files: exampleFiles,
}

// offeredAims gives the lines of guns: 23: red-7 +2, red-8 0.
func offeredAims(_ engine.View, n *orders.Node) (all []string) {
	gun := ""
	for _, line := range rulestest.Comments(n) {
		head, rest, ok := strings.Cut(line, ": ")
		switch {
		case line == fireLegend:
			continue
		case ok && !strings.Contains(head, " "):
			gun = head
		case strings.HasPrefix(line, "  "):
			rest = strings.TrimSpace(line)
		default:
			continue
		}
		for one := range strings.SplitSeq(strings.TrimSuffix(rest, ","), ", ") {
			target, _, _ := strings.Cut(one, " ")
			all = append(all, gun+" "+target)
		}
	}
	return all
}

// offeredMovers gives the formations of which a line says what they can do.
func offeredMovers(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		if id, rest, ok := strings.Cut(line, ": "); ok && strings.Contains(rest, "segments ") && !strings.HasPrefix(line, " ") {
			all = append(all, id)
		}
	}
	return all
}

// offeredOrders gives the orders that set in motion, keep moving or rally, each once.
func offeredOrders(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Examples(n) {
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "- "), "  # ")
		node, _ := orders.ParseNode([]byte(line))
		for _, does := range []verb{setsInMotion, keepsMoving, rallies} {
			if of := node.Get(verbWords[does]); of != nil && node.Get("points") == nil && node.Get("split") == nil {
				if does == rallies {
					of = of.Get("formation")
				}
				all = append(all, node.Get("by").Text+" "+verbWords[does]+" "+of.Text)
			}
		}
	}
	return all
}

// The comments of every template list what is legal, and nothing else.
func TestTemplatesOfferWhatIsLegal(t *testing.T) {
	listings := map[string]rulestest.Listing{
		stopFire: {Offered: offeredAims, Choice: func(_ engine.View, c engine.Choice) []string { return []string{c.Of + " " + c.What} }, Files: exampleFiles},
		stopManoeuvres: {Offered: offeredMovers, Choice: func(_ engine.View, c engine.Choice) []string {
			if c.What != "advance" || strings.Contains(c.Of, " ") {
				return nil
			}
			return []string{c.Of}
		}, Files: exampleFiles},
		stopOrders: {Offered: offeredOrders, Choice: func(_ engine.View, c engine.Choice) []string {
			by, does, _ := strings.Cut(c.What, " ")
			if does != verbWords[setsInMotion] && does != verbWords[keepsMoving] && does != verbWords[rallies] {
				return nil
			}
			return []string{by + " " + does + " " + c.Of}
		}, Files: exampleFiles},
	}
	for kind := range stops {
		if _, ok := listings[kind]; !ok { // examples that are legal, but not all that is
			listings[kind] = rulestest.Listing{Offered: func(engine.View, *orders.Node) []string { return nil },
				Choice: func(engine.View, engine.Choice) []string { return nil }, Files: exampleFiles}
		}
	}
	for _, kind := range listed {
		listings[kind] = wholeAnswers
	}
	for _, kind := range []string{stopEntry, stopDeploy} {
		one := listings[kind]
		one.Files = func(_ engine.View, n *orders.Node) (all []string) {
			for _, line := range rulestest.Examples(n) {
				all = append(all, "rest: default\n"+line)
			}
			return all
		}
		listings[kind] = one
	}
	rulestest.Offers(t, "enemy-mistakes", New(), answerGames(t), listings)
}
