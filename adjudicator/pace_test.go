package adjudicator

import (
	"fmt"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/engine/waterloo"
	"berthier/mail"
)

// policiesOf are the policies of a seat, as its view knows them.
func policiesOf(h *match, side engine.Side) map[string]engine.Policy {
	h.Helper()
	all := map[string]engine.Policy{}
	h.at(func(tr *transaction) error {
		for _, p := range tr.Rules.(engine.Policied).Policies(tr.View(side)) {
			all[p.Key] = p
		}
		return nil
	})
	return all
}

// A game at a pace begins with the policies of that pace. They stand in entry 1 of its log,
// from which the game is played again, and each seat changes its own by letter. A letter
// with policies alone counts at once and leaves what is owed as it was. The other side
// learns nothing of it, nor does anybody who looks at what the stop waits for.
func TestGameAtAPace(t *testing.T) {
	withoutRace(t)
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn+"pace: {french: every-decision, anglo: postal}\n")
	var made log.Made
	h.at(func(tr *transaction) error {
		_, err := tr.Entry(1, &made)
		return err
	})
	if made.Pace["anglo"] != engine.Postal || !strings.Contains(made.Policies["anglo"], "attacker-loss: default") ||
		!strings.Contains(made.Policies["french"], "attacker-loss: ask") {
		t.Fatalf("entry 1 has the pace %v and the policies %v", made.Pace, made.Policies)
	}
	if p := policiesOf(h, "anglo"); p["attacker-loss"].Value != "default" || p["loss"].Value != "ask" || !strings.Contains(p["artillery"].Value, "after-card: hold") {
		t.Errorf("the policies in force are %v", p)
	}
	head, _, _ := strings.Cut(h.template(mailboxOf("french")), "orders:")
	owed := h.record(h.id).Stop
	h.write(mailboxOf("french"), head+"policies: {loss: {default: [cdp]}}\n", mail.Rejected)
	h.write(mailboxOf("french"), head+"policies: {advance: best, artillery: {fire: best}}\n", mail.Processed)
	if p := policiesOf(h, "french"); p["advance"].Value != "best" || p["artillery"].Value != "ask" || p["artillery"].Later != "{fire: best}" || p["loss"].Value != "ask" {
		t.Errorf("the policies in force are %v", p)
	}
	if p := policiesOf(h, "anglo"); p["advance"].Value != "ask" {
		t.Errorf("the other side's policies are %v", p)
	}
	if h.record(h.id).Stop != owed || h.record(h.id).Seat("french").Owes == nil {
		t.Error("what was owed is not owed any more")
	}
	before := h.record(h.id).Stop
	h.playOn(6)
	h.write(mailboxOf("french"), head+"policies: ask\n", mail.Processed)
	h.playOn(1)
	if p := policiesOf(h, "french"); p["advance"].Value != "ask" {
		t.Errorf("with all on ask the policies are %v", p)
	}
	h.back(before + 1)
	if p := policiesOf(h, "french"); p["advance"].Value != "best" || p["artillery"].Later != "{fire: best}" {
		t.Errorf("after the rewind the policies in force are %v", p)
	}
	h.playOn(2)
	if err := h.office.Clerk().Close(t.Context(), h.id, "enough"); err != nil {
		t.Fatal(err)
	}
	if v := h.verify(h.export(h.id, "french")); !v.Sound() {
		t.Errorf("verification finds %v: %+v", v.Verdict(), v.Checks)
	}
}

// A game whose set-up chooses by an option what a pace decides is what it was before there
// were any paces: nothing is in force, and its log and position say nothing of policies.
func TestGameWithoutAPace(t *testing.T) {
	h := sit(t, napoleon.New(), "setup: historical, cadence: every-decision", []string{"french", "allied"}, masterOfHisOwn)
	h.at(func(tr *transaction) error {
		var made map[string]any
		if _, err := tr.Entry(1, &made); err != nil || made["pace"] != nil || made["policies"] != nil {
			t.Errorf("entry 1 speaks of policies: %v, %v", made, err)
		}
		text, err := tr.Position.Marshal()
		if strings.Contains(string(text), "policies") {
			t.Errorf("the position has policies: %s", text)
		}
		return err
	})
	if template := h.template(mailboxOf("french")); strings.Contains(template, "policies") {
		t.Errorf("the order file speaks of policies: %s", template)
	}
}

// playOn lets fair players answer some stops by letter.
func (h *match) playOn(stops int) {
	h.Helper()
	for range stops {
		position := h.position()
		for _, d := range position.Owed() {
			h.write(mailboxOf(d.Side), h.order(d.Side, h.rules.Sensible(position.View(d.Side), d, h.chance)), mail.Processed)
		}
	}
}

// back takes the game back to a stop, at which orders must be given anew, unless something else
// is said of them.
func (h *match) back(stop int, which ...string) {
	h.Helper()
	lines := append([]string{"command: rewind", fmt.Sprintf("stop: %d", stop), "reason: once more"}, append(which, "orders: new")[0])
	h.deliver(gmAt)
	h.write(gmAt, command(h.testOffice, h.id, engine.GM, lines...), mail.Processed)
	code := codeIn.FindStringSubmatch(wordsOf(h.last(gmAt)))
	if code == nil {
		h.Fatal("the preview has no code")
	}
	h.write(gmAt, command(h.testOffice, h.id, engine.GM, lines[0], "confirm: "+code[1]), mail.Processed)
}
