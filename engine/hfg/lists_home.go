package hfg

import (
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Lists that are judged at home, before they are sent.

// homeKeys are those of a file with one army: as at the stop list, with the points that were agreed, and the options of
// the game that bear on a list.
var homeKeys = append([]string{"ap", "max-train", "max-barricades"}, listKeys...)

// judgeList judges a file with one army, in the form of a letter at the stop list or as its orders
// alone, or with a whole book. Base is the list of the built-in book on which the army stands.
func judgeList(data []byte, base string) (told []phrase.Phrase, remarks, faults orders.Problems) {
	faults = play.ReadFile(data, "play.scenario-empty", func(r *orders.Reader, root *orders.Node) {
		if kind := root.Get("kind"); kind != nil && r.Is(kind, "armies") {
			return // a book, which is read below
		}
		n := root
		if body := root.Get("orders"); body != nil {
			n = body
		}
		r2 := orders.NewReader(vocabulary)
		told, remarks = judgeArmy(r2, n, base)
		r.Problems = append(r.Problems, r2.Problems...)
	})
	if len(faults) > 0 || len(told) > 0 {
		return told, remarks, faults
	}
	b, faults := readBook(data)
	if len(faults) > 0 {
		return nil, nil, faults
	}
	for i := range b.lists {
		l := &b.lists[i]
		told = append(told, b.summary(l.name, l.army, usualPoints)...)
	}
	return told, nil, nil
}

// judgeArmy judges one army. It stands on a list of the book: the one that is named, else the first
// of the file's year and nation, else the first of its year; without any every preparation is
// allowed, and that is remarked.
func judgeArmy(r *orders.Reader, n *orders.Node, base string) (told []phrase.Phrase, remarks orders.Problems) {
	f := r.Fields(n, homeKeys...)
	points := usualPoints
	if v := f.Get("ap"); v != nil {
		points, _ = r.Int(v, leastArmy, mostArmy)
	}
	if named := f.Get("list"); named != nil && !r.Is(named, ownPair) {
		if l, ok := book().list(named.Text); ok {
			return book().summary(l.name, l.army, points), nil
		}
		r.Refuse(named, "HFG-3.1", phrase.Say("hfg.list-none", phrase.Literal("name", named.Text), phrase.Literals("names", book().names(0))))
		return nil, nil
	}
	chosen := options{trains: usualTrain, barricades: provisions[buysBarricade].defender}
	agreed(r, f, &chosen, "max-train")
	agreed(r, f, &chosen, "max-barricades")
	rules := listRules{book: book(), points: points, train: chosen.trains, barricades: chosen.barricades}
	year, ok := r.Int(r.Require(f, "year"), firstYear, lastYear)
	a := readArmy(r, f)
	rules.year, a.gaps.year = year, !ok
	switch l := book().standsOn(base, year, a.nation); {
	case l != nil:
		rules.permits = l.permits
	case base != "" && ok:
		r.Refuse(n, "HFG-3.1", phrase.Say("hfg.list-none", phrase.Literal("name", base), phrase.Literals("names", book().names(year))))
		a.gaps.base = true
	case !ok:
		a.gaps.base = true
	default:
		for p := buysStrongPoint; p < provisionsEnd; p++ {
			rules.permits = append(rules.permits, p)
		}
		remarks = append(remarks, orders.Problem{Clause: "HFG-6.12", Why: phrase.Say("hfg.list-no-base", phrase.Number("year", year))})
	}
	unread := len(r.Problems) > 0
	faults, odd := a.judged(rules)
	tellFaults(r, faults, n)
	for _, o := range odd {
		at := someNode(where(o.at, n))
		remarks = append(remarks, orders.Problem{Line: at.Line, Column: at.Column, Clause: o.Clause, Why: o.Why})
	}
	if unread {
		return nil, remarks // what it costs isn't known
	}
	return book().summary(ownPair, a, points), remarks
}

// agreed reads an option of the game, if the file has it.
func agreed(r *orders.Reader, f orders.Fields, all *options, key string) {
	n := f.Get(key)
	if n == nil {
		return
	}
	for _, o := range library.Scenarios()[0].menu().Options {
		if o.Name != key {
			continue
		}
		if text, ok := r.Text(n); ok {
			o.Read(all, text).Refuse(r, n)
		}
	}
}

// standsOn is the list on which an army of a year stands; nil if there is none.
func (b *armyBook) standsOn(base string, year int, nation string) *bookList {
	if base != "" {
		l, ok := b.list(base)
		if !ok || l.year != year {
			return nil
		}
		return l
	}
	var first *bookList
	for i := range b.lists {
		l := &b.lists[i]
		switch {
		case l.year != year:
		case nation != "" && orders.Fold(l.army.nation) == orders.Fold(nation):
			return l
		case first == nil:
			first = l
		}
	}
	return first
}

// names are the lists of a year; of 0 all.
func (b *armyBook) names(year int) []string {
	var all []string
	for i := range b.lists {
		if year == 0 || b.lists[i].year == year {
			all = append(all, b.lists[i].id)
		}
	}
	return all
}

// summary tells what an army costs and counts, and each of its commands.
func (b *armyBook) summary(name string, a *armyList, points int) []phrase.Phrase {
	own := b.price(a)
	all := []phrase.Phrase{phrase.Say("hfg.list-sum", phrase.Literal("name", name), phrase.Number("own", own), phrase.Number("most", points),
		phrase.Number("defending", own+spentOn(a.defending)), phrase.Number("attacking", own+spentOn(a.attacking)),
		phrase.Literal("eq", equivalents(a.eq())), phrase.Number("dice", a.dice()))}
	for i := range a.commands {
		c := &a.commands[i]
		cost, n := 0, 0
		for _, id := range c.all() {
			if e := a.element(id); e != nil {
				cost, n = cost+b.cost(e.troop, e.grades), n+1
			}
		}
		all = append(all, phrase.Say("hfg.list-command", commandText(c.id), phrase.Literal("kind", rankWords[c.rank]), phrase.Number("n", n), phrase.Number("points", cost)))
	}
	return all
}
