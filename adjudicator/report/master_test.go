package report

import (
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/orders"
	"berthier/orders/phrase"
)

// TestWhatIsConfirmedIsWhatWasShown: the letter that confirms an act has its code and all that it
// says, so that nothing else can be confirmed by it; one that counts asks for nothing.
func TestWhatIsConfirmedIsWhatWasShown(t *testing.T) {
	turn := begun(t)
	m := madeUp(t).Of(turn, past.Of(turn, nothing{})).Master()
	to := log.Person{Name: "Nina", Address: "nina@play.example", Language: "it", Zone: "Europe/Rome"}
	for _, c := range []struct {
		act   game.Input
		asked Asked
		shown []string
		form  string
	}{
		{game.Replaced{Side: "red", To: to}, Asked{Command: "replace", To: to}, []string{"red@play.example", "Nina", "nina@play.example"},
			"game: lot-1\nkey: K\ncommand: replace\nside: red\nname: Nina\naddress: \"nina@play.example\"\nlanguage: it\nzone: Europe/Rome\nconfirm: AAAA-BBBB\n"},
		{game.BrokenOff{Reason: "no time"}, Asked{Command: "close"}, []string{"no time"},
			"game: lot-1\nkey: K\ncommand: close\nreason: no time\nconfirm: AAAA-BBBB\n"},
		{game.Mastered{Masters: []log.Person{to}}, Asked{Command: "co-master", To: to, Gone: true}, []string{"nina@play.example"},
			"game: lot-1\nkey: K\ncommand: co-master\nname: Nina\naddress: \"nina@play.example\"\nlanguage: it\nzone: Europe/Rome\ncancel: yes\nconfirm: AAAA-BBBB\n"},
	} {
		text := m.Words.Notice(m.Grave(c.act)).Text
		for _, word := range c.shown {
			if !strings.Contains(text, word) {
				t.Errorf("%T does not show %q:\n%s", c.act, word, text)
			}
		}
		c.asked.Key, c.asked.Code = "K", "AAAA-BBBB"
		if got := m.GraveForm(c.act, c.asked); got != c.form {
			t.Errorf("%T is confirmed by\n%s\nwant\n%s", c.act, got, c.form)
		}
	}

	p := Pronounced{Is: []phrase.Phrase{phrase.Say("office.rule.settles", phrase.Number("entry", 7))}, Anew: []int{2, 3}, Left: 1, After: turn,
		Told: []ToldTo{{Side: "red", News: []game.News{{Say: phrase.Say("office.gm-plays"), Number: 41}}}}, Changes: []string{"round: 1 -> 2"}}
	shown := m.Previewed(p, &Confirm{Command: "rule", Code: "CCCC-DDDD", Key: "K"}, false)
	text := m.Words.Notice(shown).Text
	for _, word := range []string{"stops 2 and 3", "41", "round: 1 -> 2", "the code is CCCC-DDDD", "confirm: CCCC-DDDD"} {
		if !strings.Contains(text, word) {
			t.Errorf("a preview does not show %q:\n%s", word, text)
		}
	}
	stale := m.Previewed(p, nil, true)
	if stale.Lines[0].Code != "office.rule.stale" || strings.Contains(m.Words.Notice(stale).Text, "confirm:") {
		t.Errorf("a stale preview on the machine:\n%s", m.Words.Notice(stale).Text)
	}
	if done := m.Words.Notice(m.Ruled(p, 12)).Text; strings.Contains(done, "confirm:") || !strings.Contains(done, "round: 1 -> 2") || !strings.Contains(done, "12") {
		t.Errorf("a ruling that counts:\n%s", done)
	}
}

// TestNobodyOutsideReadsOfAGame: letters to whoever has shown no key are made without a game, and
// give back nothing of his own that could be a key.
func TestNobodyOutsideReadsOfAGame(t *testing.T) {
	o := madeUp(t).Outside(log.Person{Name: "Eve", Address: "eve@evil.example", Language: "en"}, noon)
	problems := orders.Problems{{Why: phrase.Say("office.key-missing")}}
	for name, l := range map[string]string{
		"Short":      o.Short(phrase.Say("office.wrong-key.subject"), phrase.Say("office.wrong-key.what")).Text,
		"Refused":    o.Refused(Faults(&orders.Document{Source: "orders: x"}, problems)).Text,
		"Help":       o.Help([]string{"status", "help"}).Text,
		"MasterHelp": o.MasterHelp([]string{"show"}).Text,
		"List":       o.List(nil).Text,
	} {
		for _, word := range []string{"lot-1", "KEY-OF", "hash"} {
			if strings.Contains(l, word) {
				t.Errorf("%s tells %q:\n%s", name, word, l)
			}
		}
		if !strings.Contains(l, "Eve") && !strings.Contains(l, "Written by Berthier") {
			t.Errorf("%s is no letter:\n%s", name, l)
		}
	}
}
