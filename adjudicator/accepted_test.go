package adjudicator

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
	"berthier/orders"
)

// asBefore is the game as an earlier program judged it, which added forced
// marches that no file had ordered.
type asBefore struct{ napoleon.Ruleset }

func (r asBefore) Read(v engine.View, d engine.Decision, file *orders.Document) (engine.Answer, orders.Problems) {
	was := *file
	was.Accepted = true
	return r.Ruleset.Read(v, d, &was)
}

// Sources are those of another program.
func (r asBefore) Sources() []fs.FS {
	return append(r.Ruleset.Sources(), fstest.MapFS{"before.go": {Data: []byte("package before")}})
}

// What an earlier program accepted stays in force under one that asks for more:
// an answer that waits for its deadline counts as it was confirmed, standing
// orders go on, the log plays again, and a rewind puts the answer in force anew.
// A new file has to say what is asked now.
func TestFilesAcceptedBeforeStayInForce(t *testing.T) {
	withoutRace(t)
	h := sit(t, asBefore{napoleon.New()}, "setup: historical", []string{"french", "allied"}, masterOfHisOwn)
	send := func(side engine.Side, text string, want mail.Folder) {
		t.Helper()
		h.clock.move(time.Minute)
		top, _, _ := strings.Cut(h.template(mailboxOf(side)), "\norders:")
		h.write(mailboxOf(side), top+"\n"+text, want)
	}
	const open = "final: no\norders:\n  - move: {from: Beaumont, via: [Chimay], to: Avesnes, units: [F-02, F-22]}\n"
	send("french", "orders:\n  - move: {from: Philippeville, via: [Chimay], to: Beaumont, units: [F-17, F-18]}\n"+
		"standing:\n  - moves: {turn: 5, orders: [{move: {from: Solre, via: [Maubeuge], to: Bavay, units: [F-07, F-13]}}]}\n", mail.Processed)
	for _, side := range []engine.Side{"allied", "french"} {
		send(side, "orders: none\n", mail.Processed)
	}

	h.rules = napoleon.New() // the new program
	h.restart()
	send("allied", "orders: none\n", mail.Processed)
	if kinds := h.kinds(h.id); kinds[len(kinds)-1] != log.KindResolved || h.record(h.id).Seat("french").Owes != nil {
		t.Fatal("the standing order for the French turn was not used")
	}

	h.rules = asBefore{napoleon.New()}
	h.restart()
	send("allied", "orders: none\n", mail.Processed)
	send("french", open, mail.Processed)

	h.rules = napoleon.New()
	h.restart()
	h.deliver(mailboxOf("french"))
	send("french", strings.Replace(open, "F-02, F-22", "F-03", 1), mail.Rejected)
	refused := h.one(h.deliver(mailboxOf("french")))
	h.says(refused, "- forced: [F-03]")
	if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(wordsOf(refused), "#", "")), " "), "- move: {from: Beaumont, to: Chimay, units: [F-03]}") {
		t.Errorf("the letter does not say where to stop:\n%s", wordsOf(refused))
	}
	h.clock.move(4 * 24 * time.Hour)
	h.tick()
	x, err := h.office.Clerk().Export(h.id, engine.GM)
	if err != nil {
		t.Fatal(err)
	}
	log := string(x.Entries[len(x.Entries)-1].Body)
	if !strings.Contains(log, `forced: [F-02]`) || !strings.Contains(log, `"by":"player"`) {
		t.Errorf("the answer that waited did not count: %s", log)
	}
	v, err := verify.Game(x, []engine.Ruleset{napoleon.New()})
	if err != nil || !v.Sound() || len(v.Differ) > 0 {
		t.Errorf("the log does not play again: %+v, %v", v, err)
	}

}
