package waterloo

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// The comments of every template list what is legal, and nothing else.
func TestTemplatesOfferWhatIsLegal(t *testing.T) {
	var games []playout.Game
	for i := range 2 * len(setups) {
		games = append(games, playout.Game{Setup: setups[i%len(setups)].Setup, Seed: uint64(7600 + i)})
	}
	fire := rulestest.Listing{Offered: offeredShots, Choice: func(_ engine.View, c engine.Choice) []string {
		if c.What == "none" {
			return []string{"none"}
		}
		return []string{c.Of + " artillery", strings.TrimPrefix(c.What, "artillery ")}
	}}
	rulestest.Offers(t, "waterloo", New(), games, map[string]rulestest.Listing{
		stopBid:  {Offered: offeredBids, Choice: ofOrWhat},
		stopArmy: {Offered: offeredBehind, Choice: ofOrWhat},
		stopRound: {Offered: offeredSteps, Choice: func(_ engine.View, c engine.Choice) []string {
			word, _, _ := strings.Cut(c.What, " ")
			switch word {
			case "rally", "flip":
				word = "reorganise"
			case "end":
				return nil
			case "attack": // alone
				return []string{c.Of + " < " + strings.TrimPrefix(c.What, "attack alone with ")}
			}
			return []string{c.Of + " " + word}
		}, Files: stepFiles},
		stopContinue:       {Offered: offeredPaces, Choice: firstPace, Files: onwardFiles},
		stopCavalryRetreat: {Offered: offeredRetreats, Choice: func(_ engine.View, c engine.Choice) []string { return []string{c.Of + " " + c.What} }},
		stopArtillery:      fire,
		stopRevealed:       fire,
		stopCommit:         {Offered: offeredCommits, Choice: commitTexts},
		stopLoss:           {Offered: offeredLosses, Choice: func(_ engine.View, c engine.Choice) []string { return []string{c.What} }},
		stopAttackerLoss:   {Offered: offeredUnits, Choice: ofOrWhat},
		stopAdvance: {Offered: func(v engine.View, n *orders.Node) []string {
			return withFaces(offeredUnits(v, n), offeredFaces(n))
		}, Choice: func(_ engine.View, c engine.Choice) []string {
			return []string{c.Of + strings.TrimPrefix(c.What, "advance")}
		}},
		stopCommander: {Offered: offeredBehind, Choice: func(_ engine.View, c engine.Choice) []string { return []string{c.What} }},
	})
}

func ofOrWhat(_ engine.View, c engine.Choice) []string { return []string{cmp.Or(c.Of, c.What)} }

// hand gives the cards of the hand with what each may be used for, as a template lists them.
func hand(n *orders.Node) (uses []string) {
	for _, line := range rulestest.Comments(n) {
		if card, list, ok := strings.Cut(line, " = "); ok && strings.Contains(card, " MP ") {
			id, _, _ := strings.Cut(card, " ")
			for _, use := range strings.Split(list, ", ") {
				if use != "-" {
					uses = append(uses, id+" "+use)
				}
			}
		}
	}
	return uses
}

// offeredBehind gives the words of the last remark, of each item the first.
func offeredBehind(_ engine.View, n *orders.Node) (all []string) {
	lines := rulestest.Comments(n)
	for _, one := range strings.Split(lines[len(lines)-1], ", ") {
		word, _, _ := strings.Cut(one, " ")
		all = append(all, word)
	}
	return all
}

func offeredBids(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Examples(n) {
		if word, _, _ := strings.Cut(strings.TrimPrefix(line, "- bid: "), " "); word == "none" || word == "prussian" {
			all = append(all, word)
		}
	}
	for _, use := range hand(n) {
		all = append(all, strings.TrimSuffix(use, " bid"))
	}
	return all
}

// offeredUnits gives the first word of each line that is about a unit.
func offeredUnits(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		if word, _, _ := strings.Cut(line, " "); !strings.HasSuffix(word, ":") {
			all = append(all, word)
		}
	}
	return all
}

// offeredFaces gives the facings of the line face: N | E; the facing that is kept is "".
func offeredFaces(n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		if list, ok := strings.CutPrefix(line, "face: "); ok {
			all = strings.Split(list, " | ")
		}
	}
	return all
}

// withFaces is each of some texts with each of some facings.
func withFaces(texts, faces []string) (all []string) {
	for _, text := range texts {
		for _, face := range faces {
			if face == "keep" {
				all = append(all, text)
			} else {
				all = append(all, text+" face "+face)
			}
		}
	}
	return all
}

// offeredSteps gives the uses of cards that are steps, and the attacks if there is a right
// to one.
func offeredSteps(view engine.View, n *orders.Node) (all []string) {
	for _, use := range hand(n) {
		if _, word, _ := strings.Cut(use, " "); word != "battle" && word != "command" && word != "elite" {
			all = append(all, use)
		}
	}
	lines := rulestest.Comments(n)
	at := slices.Index(lines, attackLegend)
	if v := view.(*View); at < 0 || v.rightFault() != nil {
		return all
	}
	for _, line := range lines[at+1:] {
		target, list, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "- ") {
			break
		}
		target, _, _ = strings.Cut(target, " ")
		units := strings.Split(list, ", ")
		for _, id := range units[:len(units)-1] { // the last are battle points
			all = append(all, target+" < "+id)
		}
	}
	return all
}

func offeredRetreats(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		line = strings.TrimSuffix(strings.TrimPrefix(line, "retreat: [{unit: "), "}]")
		unit, rest, _ := strings.Cut(line, ", to: ")
		list, faces, _ := strings.Cut(rest, ", face: ")
		for _, to := range strings.Split(list, " | ") {
			all = append(all, withFaces([]string{unit + " retreat " + to}, strings.Split(faces, " | "))...)
		}
	}
	return all
}

// shots gives the lines by: UNIT, side: N > TARGET as a choice names a shot.
func shots(view engine.View, n *orders.Node, before string) (all []string) {
	v := view.(*View)
	for _, line := range rulestest.Comments(n) {
		line, ok := strings.CutPrefix(line, before+"by: ")
		if !ok {
			continue
		}
		line, _, _ = strings.Cut(line, " > ")
		unit, side, round := strings.Cut(line, ", side: ")
		if !round {
			id, _ := v.unitNamed(unit)
			side = v.unit(id).Face.String()
		}
		all = append(all, "by "+unit+" side "+side)
	}
	return all
}

func offeredShots(v engine.View, n *orders.Node) []string {
	all := append(hand(n), shots(v, n, "")...)
	if rulestest.Examples(n)[0] == "- fire: none  # default" {
		all = append(all, "none")
	}
	return all
}

func offeredCommits(v engine.View, n *orders.Node) []string {
	all := append(hand(n), shots(v, n, "as: artillery, ")...)
	for _, line := range rulestest.Comments(n) {
		if unit, ok := strings.CutPrefix(line, "as: elite, unit: "); ok {
			all = append(all, "elite "+unit)
		}
	}
	return all
}

// commitTexts is a card with its use, and whom the use is for.
func commitTexts(_ engine.View, c engine.Choice) []string {
	word, of, more := strings.Cut(c.What, " ")
	texts := []string{c.Of + " " + word}
	switch {
	case word == "elite":
		texts = append(texts, c.What)
	case more:
		texts = append(texts, of)
	}
	return texts
}

func offeredLosses(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		how, to, far := strings.Cut(line, ", to: ")
		how, ok := strings.CutPrefix(how, "loss: ")
		switch {
		case !ok:
		case !far:
			all = append(all, "loss "+how)
		default:
			for _, q := range strings.Split(to, " | ") {
				all = append(all, withFaces([]string{"loss " + how + " to " + q}, offeredFaces(n))...)
			}
		}
	}
	return all
}

// A reach is how far a unit gets in a direction, as templates list it: the squares one
// after the other, each with the MP to there.
type reach struct {
	unit    string
	turn    string // the direction, if it is not the one ahead
	free    bool   // it need not turn for that: it leaves a chateau (WAT-10.9)
	squares []string
}

// path is how a file says that the unit goes so many squares.
func (r reach) path(n int) string {
	words := slices.Clone(r.squares[:n])
	switch {
	case r.turn == "":
	case r.free:
		words[0] = "{to: " + words[0] + ", face: " + r.turn + "}"
	default:
		words = slices.Insert(words, 0, "face "+r.turn)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// reaches reads the lines UNIT ... SQUARE FACE ...: FACE SQUARE MP, SQUARE MP | FACE ....
func reaches(view engine.View, n *orders.Node) (all []reach) {
	v := view.(*View)
	for _, line := range rulestest.Comments(n) {
		name, _, _ := strings.Cut(line, " ")
		id, ok := v.unitNamed(name)
		_, list, more := strings.Cut(line, ": ")
		if !ok || !more || v.unit(id).At == 0 || strings.Contains(line, " : ") {
			continue
		}
		for _, part := range strings.Split(list, " | ") {
			face, squares, _ := strings.Cut(part, " ")
			one := reach{unit: name, free: v.allRound(id)}
			if face != v.unit(id).Face.String() {
				one.turn = face
			}
			for _, s := range strings.Split(squares, ", ") {
				if q, _, _ := strings.Cut(s, " "); q != "!" {
					one.squares = append(one.squares, q)
				}
			}
			all = append(all, one)
		}
	}
	return all
}

// offeredPaces gives the squares that the unit under way may enter without a turn.
func offeredPaces(v engine.View, n *orders.Node) (all []string) {
	for _, r := range reaches(v, n) {
		if (r.turn == "" || r.free) && len(r.squares) > 0 {
			all = append(all, r.squares[0])
		}
	}
	return all
}

// firstPace is the square to which a unit goes first.
func firstPace(_ engine.View, c engine.Choice) []string {
	to, ok := strings.CutPrefix(c.What, "continue ")
	if !ok || to == "none" || strings.Contains(to, "face") {
		return nil
	}
	return []string{to}
}

// onwardFiles go as far as the template says.
func onwardFiles(v engine.View, n *orders.Node) (all []string) {
	for _, r := range reaches(v, n) {
		for k := range r.squares {
			all = append(all, "continue: "+r.path(k+1))
		}
	}
	return all
}

// stepFiles move units as far as the template of a round says, each with the card that
// has most MP, and are its examples.
func stepFiles(view engine.View, n *orders.Node) (all []string) {
	v := view.(*View)
	best := map[army]cardID{}
	for _, c := range v.hand() {
		if a := v.card(c).army; best[a] == 0 || v.card(c).mp > v.card(best[a]).mp {
			best[a] = c
		}
	}
	for _, r := range reaches(v, n) {
		id, _ := v.unitNamed(r.unit)
		if k := len(r.squares); k > 0 {
			all = append(all, "- {card: "+v.card(best[v.armyOf(id)]).id+", move: [{unit: "+r.unit+", path: "+r.path(k)+"}]}")
		}
	}
	for _, line := range rulestest.Examples(n) {
		if strings.HasPrefix(line, "- {") {
			all = append(all, line)
		}
	}
	return all
}
