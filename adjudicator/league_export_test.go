package adjudicator

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/enginetest"
)

// exported is a league as its export reads when it was written and read again.
func (h *testOffice) exported(public bool) (x *log.Export, text string) {
	h.Helper()
	made, err := h.office.Secretary().ExportLeague("aquila", public)
	if err != nil {
		h.Fatal(err)
	}
	var b bytes.Buffer
	if err := made.Write(&b); err != nil {
		h.Fatal(err)
	}
	if x, err = log.ReadExport(b.Bytes()); err != nil {
		h.Fatal(err)
	}
	return x, b.String()
}

// A league that was exported is verified without its office, whole or as everybody may read it, which holds no address, no reason
// and no seed of a season that is not over. Whoever changes it is found out: by the chain, by the rules, or by the logs of its games.
func TestAnExportedLeague(t *testing.T) {
	withoutRace(t)
	h, games := played(t, twoPeople)
	systems := []engine.Ruleset{enginetest.New()}
	check := func(x *log.Export, own map[string]*log.Export) *verify.Verified {
		t.Helper()
		v, err := verify.League(x, own, systems)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	public, text := h.exported(true)
	for _, secret := range []string{"@", "reason", "not told"} {
		if strings.Contains(text, secret) {
			t.Errorf("what everybody may read has %q", secret)
		}
	}
	if err := (leagues{h.office}).look("aquila", func(b *openBook) error {
		if strings.Contains(text, b.Seed.String()) {
			t.Error("what everybody may read has the seed of a season that is not over")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if v := check(public, nil); v.Verdict() != verify.Unproven || len(v.Unchecked) < 2 {
		t.Errorf("a season that is not over, as everybody may read it: %+v", v)
	}
	if v := check(&log.Export{System: "league", Game: "aquila", For: "gm", Entries: public.Entries[1:]}, nil); v.Verdict() != verify.Broken {
		t.Errorf("without its first entry: %+v", v)
	}
	h.clock.move(finalAfter)
	h.tick()
	h.rewind(games[0])
	for _, by := range []string{secretaryAt, "other@club.example"} {
		if _, err := h.office.Secretary().Rule(context.Background(), "aquila", LeagueRuling{Kind: "stand", Game: games[0], By: by, Reason: "not told"}, "", true); err != nil {
			t.Fatal(err)
		}
	}
	h.must(h.office.Secretary().End(context.Background(), "aquila"))
	own := map[string]*log.Export{}
	for _, id := range games {
		x, err := h.office.Clerk().Export(id, engine.GM)
		if err != nil {
			t.Fatal(err)
		}
		own[id] = x
	}
	whole, _ := h.exported(false)
	if v := check(whole, own); v.Verdict() != verify.Holds || v.Checks[2].Count < 6 {
		t.Errorf("whole: %+v", v)
	}
	if public, text = h.exported(true); strings.Contains(text, "not told") {
		t.Error("a reason is told to everybody")
	}
	if v := check(public, own); v.Verdict() != verify.Unproven || !v.Sound() || v.Checks[1].Count != len(public.Entries) {
		t.Errorf("as everybody may read it: %+v", v)
	}
	forgeries(t, whole, func(x *log.Export) *verify.Verified { return check(x, own) })
	if _, err := verify.League(own[games[0]], nil, systems); err == nil {
		t.Error("a game is taken for a league")
	}
}

// forgeries changes a whole export in ways that must be found out.
func forgeries(t *testing.T, whole *log.Export, check func(*log.Export) *verify.Verified) {
	t.Helper()
	changed := *whole
	changed.Entries = slices.Clone(whole.Entries)
	at := slices.IndexFunc(changed.Entries, func(e log.ExportedEntry) bool { return strings.Contains(e.Body, `"kind":"resulted"`) })
	e := &changed.Entries[at]
	was := e.Body
	e.Body = strings.NewReplacer(`"won"`, `"lost"`, `"lost"`, `"won"`, `"drew","drew"`, `"won","lost"`).Replace(e.Body)
	if e.Body == was {
		t.Fatalf("no result in %s", was)
	}
	if v := check(&changed); v.Verdict() != verify.Broken || len(v.Checks[0].Wrong) == 0 {
		t.Errorf("a result was changed: %+v", v)
	}
	var last chain.Link
	for i := range changed.Entries { // and the chain made again
		body, private, err := changed.Entries[i].Digests()
		if err != nil {
			t.Fatal(err)
		}
		last = chain.Chain(last, body, private)
		changed.Entries[i].Hash = hex.EncodeToString(last.Hash[:])
	}
	if v := check(&changed); v.Verdict() != verify.Broken || len(v.Checks[0].Wrong) > 0 || len(v.Checks[2].Wrong) != 1 {
		t.Errorf("a result and the chain were changed: %+v", v)
	}
	started := slices.IndexFunc(whole.Entries, func(e log.ExportedEntry) bool { return strings.Contains(e.Body, `"kind":"started"`) })
	changed.Entries = slices.Clone(whole.Entries)
	changed.Entries[started].Body = strings.Replace(changed.Entries[started].Body, `"M-0001","M-0002"`, `"M-0002","M-0001"`, 1)
	if changed.Entries[started].Body == whole.Entries[started].Body {
		changed.Entries[started].Body = strings.NewReplacer("M-0001", "M-0002", "M-0002", "M-0001").Replace(changed.Entries[started].Body)
	}
	if v := check(&changed); len(v.Checks[1].Wrong) == 0 {
		t.Errorf("the divisions were changed: %+v", v)
	}
}
