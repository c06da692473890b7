package adjudicator

import (
	"errors"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// drilled is the ruleset of the tests, made to take standing orders: any text
// but "never".
type drilled struct{ enginetest.Lots }

type drilledPosition struct {
	engine.Position
	said string
}

type drill string

func (d drill) Orders() *orders.Node { return orders.Mapping().Set("standing", orders.Text(string(d))) }

const drillMark = "\n# standing "

func (r drilled) New(s engine.Setup) (engine.Position, error) {
	p, err := r.Lots.New(s)
	if err != nil {
		return nil, err
	}
	return &drilledPosition{Position: p}, nil
}

func (r drilled) Load(data []byte) (engine.Position, error) {
	text, said, _ := strings.Cut(string(data), drillMark)
	p, err := r.Lots.Load([]byte(text))
	if err != nil {
		return nil, err
	}
	return &drilledPosition{p, said}, nil
}

func (drilled) ReadStanding(_ engine.View, file *orders.Document) (engine.Answer, orders.Problems) {
	if file.Standing.Text == "never" {
		return nil, orders.Problems{{Line: file.Standing.Line, Why: phrase.Say("order.want-text")}}
	}
	return drill(file.Standing.Text), nil
}

func (drilled) Answers(engine.View, engine.Decision) (engine.Answer, bool) { return nil, false }

func (p *drilledPosition) Clone() engine.Position {
	return &drilledPosition{p.Position.Clone(), p.said}
}

func (p *drilledPosition) Marshal() ([]byte, error) {
	data, err := p.Position.Marshal()
	return append(data, drillMark+p.said...), err
}

func (p *drilledPosition) Instruct(_ engine.Side, a engine.Answer) error {
	d, ok := a.(drill)
	if !ok {
		return errors.New("no drill")
	}
	p.said = string(d)
	return nil
}

// A letter with standing orders alone counts at once, survives a restart, and
// leaves what is owed as it was.
func TestStandingOrdersAlone(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = drilled{enginetest.New()} })
	h.newGame(twoSides)
	template := h.template(redAt)
	head, _, _ := strings.Cut(template, "orders:")

	h.write(redAt, head+"standing: never\n", mail.Rejected)
	h.write(redAt, head+"standing: tomorrow\ndraft: true\n", mail.Processed)
	if kinds := h.kinds("lot-1"); len(kinds) > 0 && kinds[len(kinds)-1] == log.KindStanding {
		t.Error("a draft counted")
	}
	h.deliver(redAt)
	h.write(redAt, head+"standing: forward\n", mail.Processed)
	h.says(h.one(h.deliver(redAt)), "forward")
	h.restart()
	h.write(redAt, head+"standing: onward\n", mail.Processed)
	h.says(h.one(h.deliver(redAt)), "onward", "still owe")
	h.write(redAt, fill(template, "{bid: R-1}"), mail.Processed)
}
