package adjudicator

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/mail"
	"berthier/orders/phrase"
)

// A player may appeal against the last ruling of his game, once. The next umpire of the rota, never the one who
// ruled, is asked, and may overrule it. Nobody appeals who does not play in the game, where nothing was ruled, or
// in another's name.
func TestAnAppeal(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora", "eva"}
	h := aLeague(t, aquila, names...)
	h.enter(names[:4]...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	g := h.seasonNow().Game(id)
	at := map[string]string{}
	for _, name := range names {
		m, err := h.office.Secretary().ShowMember(name + "@play.example")
		if err != nil {
			t.Fatal(err)
		}
		at[m.ID] = name
	}
	who := at[g.Entries[0]]
	appeal := "command: appeal\nleague: aquila\nabout: " + id + "\nreason: the die was read wrongly\n"
	h.asMember(who+"@play.example", h.keyOf(who), appeal, mail.Rejected) // nothing is ruled
	first := h.umpiresOf(id)
	if len(first) != 1 {
		t.Fatalf("%q", first)
	}
	if _, err := h.office.Clerk().Rule(context.Background(), id, "command: rule\noutcome: draw\nreason: r\n", "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	log := h.league().Log
	h.asMember("eva@play.example", h.keyOf("eva"), appeal, mail.Rejected)
	h.asMember(who+"@play.example", h.keyOf(who), strings.Replace(appeal, "reason: the die was read wrongly\n", "", 1), mail.Rejected)
	for _, forged := range [][2]string{{who + "@play.example", h.keyOf("eva")}, {who + "@play.example", ""}, {foeAt, h.keyOf(who)}} {
		if _, err := h.office.Take(context.Background(), h.letter(forged[0], forged[1]+"\n"+appeal)); err != nil {
			t.Fatal(err)
		}
	}
	if h.league().Log != log {
		t.Fatal("who may not has appealed")
	}
	h.asMember(who+"@play.example", h.keyOf(who), appeal, mail.Processed)
	h.tick()
	now := h.umpiresOf(id)
	if len(now) != 2 || now[0] != first[0] || slices.Contains(first, now[1]) {
		t.Fatalf("umpires %q, were %q", now, first)
	}
	told := ""
	for _, l := range h.deliver(now[1]) {
		told += wordsOf(l)
	}
	if !strings.Contains(told, "the die was read wrongly") || !strings.Contains(told, fmt.Sprintf("game %s", id)) {
		t.Errorf("the other umpire is told: %s", told)
	}
	h.asMember(who+"@play.example", h.keyOf(who), appeal, mail.Rejected) // once
	h.verified("aquila")
}

// What a player disputes and an umpire lets stand is secret: his opponent can't learn by an appeal that there was anything, nor use
// up the disputer's own.
func TestAnAppealTellsNothingOfADispute(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora", "eva"}
	h := aLeague(t, aquila, names...)
	h.enter(names[:4]...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	g := h.record(id)
	disputer, other := g.Seats[0].Person.Address, g.Seats[1].Person.Address
	name := func(address string) string { return strings.TrimSuffix(address, "@play.example") }
	appeal := "command: appeal\nleague: aquila\nabout: " + id + "\nreason: the die was read wrongly\n"
	refused := func() string {
		h.asMember(other, h.keyOf(name(other)), appeal, mail.Rejected)
		return footHash.ReplaceAllString(wordsOf(h.last(other)), "")
	}
	before := refused()
	h.must("", h.office.change(context.Background(), id, func(tr *transaction) error {
		return tr.Do(game.Disputed{Side: g.Seats[0].Side, About: log.Disputed{Event: 1, Reason: "unlikely"}, What: phrase.Say("office.dispute.do")})
	}))
	dispute := h.record(id).Disputes[0]
	if _, err := h.office.Clerk().Rule(context.Background(), id, fmt.Sprintf("command: rule\ndispute: %d\ndecision: stands\nreason: r\n", dispute), "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	h.deliver(other)
	if after := refused(); after != before {
		t.Errorf("who appeals learns that something was disputed:\n%s\n%s", before, after)
	}
	h.asMember(disputer, h.keyOf(name(disputer)), appeal, mail.Processed)
	h.verified("aquila")
}

// The umpire who is asked by an appeal finds in his letter how the ruling is taken back. If he does that the game goes on as if nothing had
// been ruled, both players are told, and an appeal against his own ruling goes to the other one. If he does nothing the ruling stands: it is
// final when its time has come, and nobody appeals any more.
func TestAnAppealIsDecided(t *testing.T) {
	withoutRace(t)
	for _, overrules := range []bool{true, false} {
		names := []string{"ada", "bea"}
		h := aLeague(t, strings.NewReplacer("size: 4", "size: 2", "brisk: 2d, steady: 4d", "brisk: 90d, steady: 90d").Replace(aquila), names...)
		h.enter(names...)
		h.start()
		id := h.league().Divisions[0].Playing[0]
		first := h.umpiresOf(id)[0]
		appeal := "command: appeal\nleague: aquila\nabout: " + id + "\nreason: the die was read wrongly\n"
		umpire := func(address, text string) {
			t.Helper()
			g := h.record(id)
			for _, p := range g.MastersOf() {
				if p.Address == address {
					h.confirm(address, "game: "+id+"\nkey: "+h.office.keys.Master(g, p)+"\ncommand: rule\n"+text+"reason: r\n")
				}
			}
			h.tick()
		}
		value := func() season.Outcome { return h.seasonNow().Value(h.seasonNow().Game(id)) }
		umpire(first, "outcome: draw\n")
		if o := value(); o.Kind != table.Adjudicated || h.record(id).Phase == game.Running {
			t.Fatalf("ruled: %+v, the game is %s", o, h.record(id).Phase)
		}
		h.asMember("ada@play.example", h.keyOf("ada"), appeal, mail.Processed)
		h.tick()
		second := h.umpiresOf(id)[1]
		told := ""
		for _, l := range h.deliver(second) {
			told += wordsOf(l)
		}
		how := regexp.MustCompile(`overrule: \d+`).FindString(told)
		if how == "" {
			t.Fatal("the second umpire is not told how to overrule")
		}
		for _, name := range names {
			h.deliver(name + "@play.example")
		}
		if !overrules {
			h.clock.move(finalAfter)
			h.tick()
			if o := value(); o.Kind != table.Adjudicated || !slices.Equal(o.Places, []table.Place{table.Drew, table.Drew}) || !h.seasonNow().Game(id).Final {
				t.Errorf("upheld: %+v", o)
			}
			h.asMember("bea@play.example", h.keyOf("bea"), appeal, mail.Rejected)
			h.says(h.last("bea@play.example"), "result of this game is final")
			continue
		}
		umpire(second, how+"\n")
		if o := value(); o.Kind != table.Open || h.record(id).Phase != game.Running {
			t.Errorf("overruled: %+v, the game is %s", o, h.record(id).Phase)
		}
		for _, name := range names {
			if !slices.ContainsFunc(h.deliver(name+"@play.example"), func(l *mail.Letter) bool { return strings.Contains(l.Subject, id) }) {
				t.Errorf("%s is not told that the ruling is taken back", name)
			}
		}
		h.deliver(first)
		h.asMember("bea@play.example", h.keyOf("bea"), appeal, mail.Processed)
		h.says(h.last(first), "as one who has not ruled there")
		h.playOut(id)
		h.tick()
		if o := value(); o.Kind != table.Played {
			t.Errorf("played on: %+v", o)
		}
	}
}
