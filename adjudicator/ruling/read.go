package ruling

import (
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Words are the things of its game that a letter may name.
type Words struct {
	Sides []orders.Choice
	// Options reads options of the ruleset into those that are set.
	Options func(r *orders.Reader, n *orders.Node, into map[string]string)
}

// Read reads what a letter with command: rule or command: rewind asks for.
func Read(doc *orders.Document, words Words) (*Act, orders.Problems) {
	l := &letter{doc: doc, at: doc.Field("command"), r: orders.NewReader(game.Vocabulary), words: words}
	l.act = &Act{Dispute: l.number("dispute"), Stop: doc.Stop, Reason: l.text("reason"), Tell: l.text("tell")}
	if l.act.Reason == "" {
		l.refuse(l.at, "office.rule.no-reason", "office.rule.write-reason")
	}
	if doc.Command == log.ActRewind {
		l.rewind()
	} else {
		l.ruling()
	}
	return l.act, l.r.Problems
}

// A letter is read for the ruling or rewind that it asks for.
type letter struct {
	doc   *orders.Document
	at    *orders.Node // its command, where faults stand that have no place of their own
	r     *orders.Reader
	words Words
	act   *Act
}

func (l *letter) refuse(n *orders.Node, code, remedy string, args ...phrase.Arg) {
	l.r.RefuseWith(n, "", phrase.Say(code, args...), phrase.Say(remedy))
}

func (l *letter) number(key string) uint64 {
	n := l.doc.Field(key)
	if n == nil {
		return 0
	}
	v, _ := l.r.Int(n, 1, 1<<30)
	return uint64(max(v, 0))
}

func (l *letter) text(key string) string {
	n := l.doc.Field(key)
	if n == nil {
		return ""
	}
	t, _ := l.r.Text(n)
	return phrase.OneLine(phrase.Clip(strings.TrimSpace(t), log.LongestReason))
}

// rewind reads how the game is to go back.
func (l *letter) rewind() {
	l.act.Kind = log.ActRewind
	if l.doc.Field("stop") == nil {
		l.refuse(l.at, "office.rule.no-stop", "office.rule.rewind-form")
	}
	n := l.doc.Field("orders")
	if n == nil {
		l.refuse(l.at, "office.rule.which-orders", "office.rule.rewind-form")
		return
	}
	word, _ := l.r.Word(n, "same", "new")
	l.act.Same = word == "same"
}

// ruling reads what the ruling is to do.
func (l *letter) ruling() {
	var asked []string
	for _, key := range []string{"roll", "set", "accept", "refuse", "outcome", "option", "overrule", "decision"} {
		if l.doc.Field(key) != nil && !(key == "set" && l.doc.Field("accept") != nil) {
			asked = append(asked, key)
		}
	}
	if len(asked) != 1 {
		l.refuse(l.at, "office.rule.one-thing", "office.rule.forms", phrase.Number("n", len(asked)))
		return
	}
	if n := l.doc.Field("set"); n != nil {
		if n.Kind != orders.Map || len(n.Pairs) == 0 {
			l.refuse(n, "office.rule.set-map", "office.rule.set-form")
		}
		l.act.Set, l.act.At = n.Encode(), n
	}
	l.one(asked[0])
}

// one reads the one thing that a ruling does.
func (l *letter) one(asked string) {
	a, n := l.act, l.doc.Field(asked)
	switch asked {
	case "roll":
		a.Kind, a.Roll, a.Result = log.ActDie, int(l.number("roll")), int(l.number("result"))
		a.First = StopZero(l.doc)
		if l.doc.Field("result") == nil || a.Stop == 0 && !a.First {
			l.refuse(l.at, "office.rule.die-missing", "office.rule.die-form")
		}
	case "set":
		a.Kind = log.ActPosition
	case "accept":
		a.Kind, a.Entry = log.ActAccept, l.number("accept")
		if l.doc.Orders != nil {
			a.Orders = orders.Mapping().Set("orders", l.doc.Orders.Clone()).Encode()
		}
	case "refuse":
		a.Kind, a.Entry = log.ActRefuse, l.number("refuse")
	case "overrule":
		a.Kind, a.Entry = log.ActOverrule, l.number("overrule")
	case "decision":
		a.Kind = log.ActStands
		l.r.Word(n, "stands")
		if a.Dispute == 0 {
			l.refuse(l.at, "office.rule.stands-what", "office.rule.forms")
		}
	case "outcome":
		a.Kind = log.ActOutcome
		l.winners(n)
	case "option":
		a.Kind = log.ActOption
		l.option(n)
	}
}

// winners reads who has won; none: it is a draw.
func (l *letter) winners(n *orders.Node) {
	if l.r.Is(n, "draw") {
		return
	}
	for _, item := range l.r.List(n) {
		if id, ok := l.r.Pick(item, "setup-side", l.words.Sides); ok && !slices.Contains(l.act.Winners, engine.Side(id)) {
			l.act.Winners = append(l.act.Winners, engine.Side(id))
		}
	}
}

// option reads the one option that is to have another value.
func (l *letter) option(n *orders.Node) {
	if n.Kind != orders.Map || len(n.Pairs) != 1 {
		l.refuse(n, "office.rule.option-one", "office.rule.option-form")
		return
	}
	set := map[string]string{}
	l.words.Options(l.r, n, set)
	for name, value := range set { // one at most
		l.act.Option, l.act.Value = name, value
	}
}

// StopZero tells whether a file names stop 0: what is rolled before the first stop,
// such as the hands that are dealt.
func StopZero(doc *orders.Document) bool {
	n := doc.Field("stop")
	if n == nil {
		return false
	}
	text, _ := orders.NewReader(game.Vocabulary).Text(n)
	return strings.TrimSpace(text) == "0"
}
