package adjudicator

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// gameElsewhere is a game that two people have played to its end in another office, as that office exports it.
func (h *testOffice) gameElsewhere(id, red, blue, more string) *log.Export {
	h.Helper()
	h.newGame(fmt.Sprintf("game: %s\nsystem: lots\nseats:\n  red: {name: R, address: %s@play.example}\n  blue: {name: B, address: %s@play.example}\ngm: {address: gm@eagle.example}\ndeadline: 3d\n%s", id, red, blue, more))
	h.playOut(id)
	return h.export(id, engine.GM)
}

// textOf is an export as a file.
func textOf(t testing.TB, x *log.Export) string {
	t.Helper()
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A game of another office counts in the place of one of the season, with mark X: if the set-up knows that office, the file
// is whole, signed by it and holds, and the game is such a one, begun since, of the same members on the same sides, once. A secretary
// without a stake hands it in; he can't make one, or choose one that was played before.
func TestAGameOfAnotherOffice(t *testing.T) {
	withoutRace(t)
	other := newTestOffice(t, func(o *testOffice) { o.secret, o.opt.Repeatable = "of eagle", false })
	eagle := hex.EncodeToString(signingKey(other.office).Public().(ed25519.PublicKey))
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, strings.Replace(twoPeople, "umpires:", "offices: {eagle: "+strings.ToUpper(eagle)+"}\numpires:", 1), names...)
	if own := hex.EncodeToString(signingKey(h.office).Public().(ed25519.PublicKey)); own == eagle {
		t.Fatal("two offices sign with one key")
	}
	h.enter(names...)
	h.start()
	s := h.office.Secretary()
	id := h.league().Divisions[0].Playing[0]
	g := h.seasonNow().Game(id)
	seat := func(member string) string {
		return names[slices.Index([]string{"M-0001", "M-0002", "M-0003", "M-0004"}, member)]
	}
	red, blue := seat(g.Entries[0]), seat(g.Entries[1])
	if h.record(id).Seats[0].Side != "red" {
		red, blue = blue, red
	}
	third := names[slices.IndexFunc(names, func(n string) bool { return n != red && n != blue })]
	early := other.gameElsewhere("early", red, blue, "options: {rounds: 1}\n")
	other.clock.move(h.clock.Now().Sub(other.clock.Now()) + time.Hour)
	good := other.gameElsewhere("good", red, blue, "options: {rounds: 1}\n")
	changed := func(do func(*log.Export)) string {
		x := *good
		x.Entries = slices.Clone(good.Entries)
		do(&x)
		return textOf(t, &x)
	}
	_, strange, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	ruling := LeagueRuling{Kind: "import", Game: id, By: secretaryAt, Reason: "their server is nearer", Text: textOf(t, good)}
	before := h.league().Log
	long, thirds, turned := other.gameElsewhere("long", red, blue, "options: {rounds: 2}\n"), other.gameElsewhere("third", red, third, "options: {rounds: 1}\n"), other.gameElsewhere("turned", blue, red, "options: {rounds: 1}\n")
	players := other.export("good", "red")
	other.opt.Repeatable = true
	other.restart()
	fixed := other.gameElsewhere("fixed", red, blue, "options: {rounds: 1}\nseed: \"theirs\"\n")
	for what, try := range map[string]struct{ text, code string }{
		"no file":                {"nothing", "league.import.file"},
		"its player's file":      {textOf(t, players), "league.import.whole"},
		"not signed":             {changed(func(x *log.Export) { x.Signature = "" }), "league.import.signature"},
		"signed by a stranger":   {changed(func(x *log.Export) { x.Sign(strange) }), "league.import.signature"},
		"a stranger's as theirs": {changed(func(x *log.Export) { x.Sign(strange); x.Office = eagle }), "league.import.signature"},
		"another end":            {changed(func(x *log.Export) { x.Entries = x.Entries[:len(x.Entries)-1] }), "league.import.signature"},
		"another entry": {changed(func(x *log.Export) {
			x.Entries[2].Body = strings.Replace(x.Entries[2].Body, `"kind":"`, `"kind":"x`, 1)
		}), "league.import.holds"},
		"begun too early":    {textOf(t, early), "league.import.early"},
		"with a chosen seed": {textOf(t, fixed), "league.import.unlike"},
		"another set-up":     {textOf(t, long), "league.import.unlike"},
		"somebody else":      {textOf(t, thirds), "league.import.players"},
		"sides exchanged":    {textOf(t, turned), "league.import.players"},
	} {
		r := ruling
		r.Text = try.text
		_, err := s.Rule(context.Background(), "aquila", r, "", true)
		if h.refusedAs(try.code, err); h.league().Log != before {
			t.Fatalf("%s counts", what)
		}
	}
	for code, by := range map[string]string{"league.stake": "ada@play.example", "league.no-secretary": "cara@play.example"} {
		r := ruling
		r.By = by
		_, err := s.Rule(context.Background(), "aquila", r, "", true)
		h.refusedAs(code, err)
	}
	shown, err := s.Rule(context.Background(), "aquila", ruling, "", false)
	if err != nil || shown.Done || len(shown.Changes) == 0 || h.league().Log != before {
		t.Fatalf("preview %+v, %v", shown, err)
	}
	if _, err := s.Rule(context.Background(), "aquila", ruling, shown.Code, false); err != nil {
		t.Fatal(err)
	}
	h.countsElsewhere(id, good, ruling, red, blue)
}

// countsElsewhere expects that a game of another office counts in the place of one of the season, once, with its mark, until that is overruled.
func (h *testOffice) countsElsewhere(id string, good *log.Export, ruling LeagueRuling, players ...string) {
	h.Helper()
	h.restart()
	s := h.office.Secretary()
	h.tick()
	if o := h.seasonNow().Value(h.seasonNow().Game(id)); o.Kind != table.Played || h.record(id).Phase != game.Closed {
		h.Errorf("it counts as %+v; the game in whose place it does is %s", o, h.record(id).Phase)
	}
	for _, name := range players {
		if !slices.ContainsFunc(h.deliver(name+"@play.example"), func(l *mail.Letter) bool { return strings.Contains(wordsOf(l), "played in another office") }) {
			h.Errorf("%s is not told", name)
		}
	}
	marked := 0
	for _, row := range h.league().Divisions[0].Table.Rows {
		for _, c := range row.Cells {
			if slices.Contains(c.Marks, table.Elsewhere) {
				marked++
			}
		}
	}
	if marked != 2 {
		h.Errorf("%d cells of the table have the mark X", marked)
	}
	weeks, err := leagues{h.office}.weeks(h.clock.Now())
	if err != nil {
		h.Fatal(err)
	}
	if news := weeks[0].news["1"]["first"]; len(news) != 1 || news[0].Game.ID != id || news[0].Game.Foreign == nil || news[0].Now.Kind != table.Played || news[0].Was.Kind != table.Open {
		h.Errorf("the week's news: %+v", news)
	}
	again := ruling
	again.Game = h.league().Divisions[0].Playing[0]
	if _, err := s.Rule(context.Background(), "aquila", again, "", true); err == nil {
		h.Error("one game counts twice")
	}
	h.verified("aquila")
	whole, _ := h.exported(false)
	v, err := verify.League(whole, map[string]*log.Export{"good": good}, []engine.Ruleset{h.rules})
	if err != nil || !v.Sound() || v.Checks[2].Count != 1 {
		h.Errorf("verified by the exports: %+v, %v", v, err)
	}
	if _, err := s.Rule(context.Background(), "aquila", LeagueRuling{Kind: "overrule", Game: id, By: secretaryAt, Reason: "r"}, "", true); err != nil {
		h.Fatal(err)
	}
	if o := h.seasonNow().Value(h.seasonNow().Game(id)); o.Kind != table.Open {
		h.Errorf("overruled it counts as %+v", o)
	}
}
