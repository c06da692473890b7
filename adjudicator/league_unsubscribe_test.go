package adjudicator

import (
	"bytes"
	netmail "net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// unsubscribe gives the subject that a mail program writes to stop a letter, as the letter names it; "": it names none.
func (h *testOffice) unsubscribe(raw []byte) string {
	h.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		h.Fatal(err)
	}
	said := m.Header.Get("List-Unsubscribe")
	if said == "" {
		return ""
	}
	u, err := url.Parse(strings.Trim(said, "<>"))
	if err != nil || u.Scheme != "mailto" || u.Opaque != h.office.opt.From.Addr || m.Header.Get("List-Unsubscribe-Post") != "" {
		h.Fatalf("List-Unsubscribe: %s: %v", said, err)
	}
	return u.Query().Get("subject")
}

// takes has the office take a letter with a subject in.
func (h *testOffice) takes(from, subject, text string, automatic string) mail.Folder {
	h.Helper()
	h.clock.move(time.Minute)
	l := h.letter(from, text)
	l.Subject, l.Automatic = subject, automatic
	folder, err := h.office.Take(h.Context(), l)
	if err != nil {
		h.Fatal(err)
	}
	return folder
}

// The weekly letter of a league, and no other, can be stopped by a mail program's button, by a letter to the office with the
// subject that it names, from an address of its reader alone; and by command. Reports of games come all the same.
func TestWeeklyLettersStop(t *testing.T) {
	withoutRace(t)
	h := aLeague(t, strings.Replace(aquila, "brisk: 2d", "brisk: 60d", 1), "ada", "bea", "cara")
	h.enter("ada", "bea", "cara")
	h.start()
	ada, bea := "ada@play.example", "bea@play.example"
	h.monday()
	codes := map[string]string{}
	for _, p := range h.post.sent {
		subject := h.unsubscribe(p.raw)
		if (subject != "") != strings.Contains(p.letter.Subject, "Your week in the league") {
			t.Errorf("%q to %s can be stopped by %q", p.letter.Subject, p.to, subject)
		}
		if subject != "" {
			codes[p.to] = subject
		}
	}
	if codes[ada] == "" || codes[bea] == "" || codes[ada] == codes[bea] {
		t.Fatalf("%v", codes)
	}
	h.deliver(ada)
	gets := func(address string) (week, others bool) {
		h.monday()
		all := h.deliver(address)
		return len(weeklies(all)) > 0, len(all) > len(weeklies(all))
	}
	roll := h.entriesKept(rollLog)
	for _, try := range []struct{ from, subject, text, automatic string }{
		{foeAt, codes[ada], "", ""}, {bea, codes[ada], "", ""}, {ada, codes[bea], "", ""}, {ada, "unsubscribe", "", ""}, {ada, "unsubscribe ABCD-EFGH", "", ""},
		{ada, "Re: " + codes[ada], "", ""}, {ada, "unsubscribe " + strings.TrimPrefix(h.keyOf("ada"), "key: "), "", ""}, {bea, codes[ada], "", "auto-generated"},
		{foeAt, "", h.keyOf("ada") + "\ncommand: member\nweekly: no\n", ""}, {ada, "", "command: member\nweekly: no\n", ""}, {ada, "", "key: ABCD-EFGH\ncommand: member\nweekly: no\n", ""},
		{ada, "", h.keyOf("bea") + "\ncommand: member\nweekly: no\n", ""}, {ada, "", h.keyOf("ada") + "\ncommand: member\nweekly: perhaps\n", ""},
	} {
		h.takes(try.from, try.subject, try.text, try.automatic)
	}
	if now := h.entriesKept(rollLog); now != roll {
		t.Fatal("a forged letter stops something")
	}
	h.deliver(ada)
	if week, _ := gets(ada); !week {
		t.Fatal("the weekly letter has stopped")
	}
	if folder := h.takes(ada, strings.ToUpper(codes[ada]), "This message was written by a mail program.", "auto-generated"); folder != mail.Processed {
		t.Errorf("the letter went to %s", folder)
	}
	h.says(h.one(h.deliver(ada)), "no weekly letters", "weekly: yes")
	h.takes(ada, codes[ada], "", "") // once more: nothing is said
	if got := h.deliver(ada); len(got) > 0 {
		t.Errorf("told again: %s", subjects(got))
	}
	h.restart()
	if week, _ := gets(ada); week {
		t.Error("the weekly letter comes although it was stopped")
	}
	if week, _ := gets(bea); !week {
		t.Error("bea's has stopped, too")
	}
	id := h.gameOf(ada)
	h.answersBut(id, "")
	if len(h.deliver(ada)) == 0 {
		t.Error("reports of games have stopped, too")
	}
	h.asMember(ada, h.keyOf("ada"), "command: member\n", mail.Processed)
	h.says(h.last(ada), "You get no weekly letters")
	h.asMember(ada, h.keyOf("ada"), "comando: socio\nsettimanale: sì\n", mail.Processed)
	h.lacks(h.last(ada), "You get no weekly letters")
	if week, _ := gets(ada); !week {
		t.Error("the weekly letter does not come again")
	}
	h.asMember(ada, h.keyOf("ada"), "command: member\nweekly: no\n", mail.Processed)
	if week, _ := gets(ada); week {
		t.Error("the weekly letter comes although it was stopped by command")
	}
}
