package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"

	"gopkg.in/yaml.v3"
)

// TestSentencesAgreeWithWhatTheyName reads sentences whose grammar hangs on what fills them: none, one or several,
// a command, a garrison, which is feminine in Italian, and one piece or a group.
func TestSentencesAgreeWithWhatTheyName(t *testing.T) {
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	spell := func(kind, id, language string) string {
		if strings.HasPrefix(kind, templates.GenderKind) {
			if strings.HasPrefix(id, "la ") || strings.HasPrefix(id, "blue-") {
				return ""
			}
			return templates.Masculine
		}
		if kind == templates.ArticleKind+"called" {
			if language == "en" {
				return "the"
			}
			return "la"
		}
		return id
	}
	pips := func(die, pips int, more ...phrase.Arg) phrase.Phrase {
		return phrase.Say("hfg.pips", append(more, phrase.Literal("command", "Riserva"), phrase.Number("die", die), phrase.Number("pips", pips))...)
	}
	helped := func(how ...phrase.Arg) phrase.Phrase {
		return phrase.Say("hfg.mark-t9", append(how, phrase.Literal("n", "+1"))...)
	}
	off := func(mark phrase.Arg) phrase.Phrase {
		return phrase.Say("hfg.where-off", phrase.Number("far", 412), phrase.Literal("toward", "est"), mark)
	}
	command := phrase.Literal("command", "Guardia imperiale")
	garrison, guns := phrase.Name("element", "element", "la guarnigione di Papelotte"), phrase.Name("element", "element", "guns-1")
	army := phrase.Literal("army", "alleati")
	reckoned := func(elements phrase.Arg) phrase.Phrase {
		return phrase.Say("hfg.reckoned", elements, phrase.Literal("first", "husson"), phrase.Literal("place", "[5500, 2950]"),
			phrase.Number("facing", 0), phrase.Number("paces", 400), phrase.Number("pips", 1))
	}
	redeployed := func(formations ...string) phrase.Phrase {
		return phrase.Say("em.redeployed", phrase.Literal("leader", "Picton"), phrase.Literals("formations", formations), phrase.Number("price", 2))
	}
	for _, c := range []struct {
		language string
		said     phrase.Phrase
		want     string
	}{
		{"it", phrase.Say("hfg.order-price", command, phrase.Number("have", 0), phrase.Number("price", 2)), "Il comando Guardia imperiale non ha PIP; questo ne costa 2"},
		{"it", phrase.Say("hfg.order-price", command, phrase.Number("have", 1), phrase.Number("price", 2)), "Il comando Guardia imperiale ha un PIP; questo ne costa 2"},
		{"it", phrase.Say("hfg.double-who", command), "Il generale del comando Guardia imperiale non è brillante, o non è sul campo"},
		{"it", phrase.Say("hfg.repulsed", garrison), "La guarnigione di Papelotte è respinta, e va ancora più indietro"},
		{"it", phrase.Say("hfg.repulsed", guns), "Guns-1 è respinto, e va ancora più indietro"},
		{"it", phrase.Say("hfg.fled", garrison, army), "La guarnigione di Papelotte (alleati) lascia il campo ed è persa"},
		{"it", off(phrase.Name("mark", "called", "fattoria di Rossomme")), "412 passi a est della fattoria di Rossomme"},
		{"it", off(phrase.Name("mark", "area", "Papelotte")), "412 passi a est di Papelotte"},
		{"it", phrase.Say("em.where-in", phrase.Name("mark", "called", "cresta")), "Nella cresta"},
		{"en", phrase.Say("em.where-on", phrase.Name("mark", "called", "ridge")), "On the ridge"},
		{"it", phrase.Say("em.eliminated", phrase.Name("unit", "unit", "il presidio di Hougoumont")), "Il presidio di Hougoumont è eliminato"},
		{"it", phrase.Say("em.eliminated", phrase.Name("unit", "unit", "blue-50")), "Blue-50 è eliminata"},
		{"it", pips(4, 4), "Riserva: dado 4, 4 PIP"},
		{"it", pips(4, 3, phrase.Number("inert", 1)), "Riserva: dado 4, uno in meno per il generale inerte, 3 PIP"},
		{"en", pips(1, 0, phrase.Number("inert", 1)), "Riserva: die 1, one less with an inert general, no PIPs"},
		{"en", helped(), "Overlap or aid +1"},
		{"en", helped(phrase.Number("aid", 1)), "Aid +1"},
		{"it", helped(phrase.Number("overlap", 1)), "Nemico sopravanzato sul fianco +1"},
		{"en", reckoned(phrase.Names("elements", "element", []string{"husson"})), "Husson comes to [5500, 2950], facing 0; 400 paces, one PIP"},
		{"en", reckoned(phrase.Names("elements", "element", []string{"husson", "campi"})), "Husson and campi: husson comes to [5500, 2950], facing 0; 400 paces, one PIP"},
		{"en", phrase.Say("em.fire-no-gun", phrase.Literal("unit", "blue-50 Farine")), "Blue-50 Farine doesn't bombard: name a gun that the notes of your order file list"},
		{"en", redeployed("r-27"), "Picton redeploys formation r-27 (2 CP)"},
		{"it", redeployed("r-27"), "Picton rischiera la formazione r-27 (2 PC)"},
		{"it", redeployed("r-27", "r-39"), "Picton rischiera le formazioni r-27 e r-39 (2 PC)"},
	} {
		got := words.Say(c.language, c.said, spell)
		if got = strings.ToUpper(got[:1]) + got[1:]; got != c.want {
			t.Errorf("%s: got %q, want %q", c.said.Code, got, c.want)
		}
	}
}

// TestNamesOfStopsHaveNoColon reads the names of stops in both languages: one stands behind a number in the head
// of an order file, where who types it anew would write a second colon on the line. Names that had one are still
// read, since punctuation counts for nothing.
func TestNamesOfStopsHaveNoColon(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "engine", "*", "words", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]string
		if err := yaml.Unmarshal(data, &words); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for key, name := range words {
			if strings.Contains(key, ".name.stop.") {
				if names++; strings.Contains(name, ":") {
					t.Errorf("%s: %q", key, name)
				}
			}
		}
	}
	if names < 80 {
		t.Errorf("only %d names", names)
	}
	if is, was := "un turno - dadi, mosse, tiro", "un turno: dadi, mosse, tiro"; orders.Fold(is) != orders.Fold(was) {
		t.Errorf("%q is not read as %q", was, is)
	}
}
