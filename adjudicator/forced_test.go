package adjudicator

import (
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// marching sits down to a movement and sends one that only force can make. It gives the office,
// the address of the player, and the letter that refuses the file.
func marching(t *testing.T, file string) (*match, string, *mail.Letter) {
	t.Helper()
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"second-thoughts: none\n")
	address := mailboxOf("french")
	head, _, _ := strings.Cut(h.template(address), "\norders:")
	h.deliver(address)
	h.write(address, head+"\n"+file, mail.Rejected)
	return h, address, h.one(h.deliver(address))
}

const pushed = "orders:\n  - move: {from: Philippeville, via: [Chimay], to: Beaumont, units: [F-17, F-18]}\n  - move: {from: Beaumont, via: [Chimay], to: Avesnes, units: [F-02, F-22]} # to the left\n  - end\n"

// A movement that needs a forced march which nobody has ordered comes back as two whole files,
// one with the march ordered and one without; A or B sends it. Nothing that costs a die counts
// before, and ok does not choose.
func TestForcedMarchIsChosenByALetter(t *testing.T) {
	withoutRace(t)
	for _, file := range []string{pushed, "orders: [{move: {from: Beaumont, via: [Chimay], to: Avesnes, units: [F-02, F-22]}}]\n"} {
		for word, want := range map[string]string{"A": "forced: [", "b": "to: Chimay"} {
			h, address, back := marching(t, file)
			text := quotedOf(back)
			if strings.Count(text, "# =====") != 4 || !strings.Contains(text, "- forced: F-02") && !strings.Contains(text, "- forced: [F-02]") {
				t.Fatalf("the letter is\n%s", text)
			}
			h.take(h.answering(address, "ok", back), mail.Rejected)
			h.says(h.one(h.deliver(address)), "Answer with A or B")
			h.take(h.answering(address, "", back), mail.Rejected)
			h.deliver(address)
			if s := h.record(h.id).Seat("french"); s.Owes.Answer != nil {
				t.Fatalf("in force is %+v", s.Owes.Answer)
			}
			h.take(h.answering(address, word, back), mail.Processed)
			entries := h.kinds(h.id)
			if !strings.Contains(strings.Join(entries, " "), log.KindTaken) {
				t.Errorf("%s: the log has %v", word, entries)
			}
			h.says(h.last(address), want)
		}
	}
}

// Where one of both is not there, the other stands alone and is sent by its own word.
func TestForcedMarchWhereNeverIsMeant(t *testing.T) {
	h, address, back := marching(t, "policies: {forced: never}\n"+pushed)
	text := quotedOf(back)
	if strings.Contains(text, "- forced:") || strings.Count(text, "# =====") != 2 {
		t.Fatalf("the letter is\n%s", text)
	}
	h.take(h.answering(address, "A", back), mail.Rejected)
	h.deliver(address)
	h.take(h.answering(address, "B", back), mail.Processed)
}

func quotedOf(l *mail.Letter) string {
	for _, p := range l.Parts {
		if p.Kind == mail.Plain {
			return p.Text
		}
	}
	return ""
}
