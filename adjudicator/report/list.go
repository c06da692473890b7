package report

import (
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Listed is a game in a list.
type Listed struct {
	ID, Title, System string
	State             string
	Stop              int // counting all sides'
	Waiting           int // how many sides it waits for
}

// List lists the games that the reader of a heading looks after.
func List(h templates.Heading, games []Listed) templates.Notice {
	t := engine.Table{Head: []engine.Column{
		{Head: phrase.Say("office.list.game")}, {Head: phrase.Say("office.list.title")}, {Head: phrase.Say("office.list.system")},
		{Head: phrase.Say("office.list.state")}, {Head: phrase.Say("office.list.stop"), Right: true}, {Head: phrase.Say("office.list.waiting"), Right: true},
	}}
	for _, g := range games {
		t.Rows = append(t.Rows, []phrase.Value{
			text(g.ID), text(g.Title), text(g.System), say("office.state." + g.State),
			{Kind: phrase.KindNumber, Num: g.Stop}, {Kind: phrase.KindNumber, Num: g.Waiting},
		})
	}
	return templates.Notice{Heading: h, Subject: phrase.Say("office.list.subject"), Tables: []engine.Table{t}}
}
