package hfg

import (
	"strings"
	"testing"

	"berthier/orders"
)

// A keyword that means two things has two words in Italian, an element's name none, and all of them are read.
func TestKeywordsBySense(t *testing.T) {
	for english, italian := range map[string]string{
		"fire: [{element: guns-5, at: la-haye-sainte}]": "tira: [{elemento: guns-5, contro: la-haye-sainte}]",
		"element | hold: a, at: b":                      "elemento | tieni: a, contro: b",
		"{place: road-1, at: [1000, 1000]}":             "{piazza: road-1, posto: [1000, 1000]}",
		"deploy: [{element: a, at: [5000, 700]}]":       "schiera: [{elemento: a, posto: [5000, 700]}]",
		"centre: rest":                                        "centre: sosta",
		"night: rest | entrench":                              "notte: sosta | trincera",
		"order: [a, rest]":                                    "ordine: [a, resto]",
		"where: {rest: first-legal}":                          "dove: {resto: primo-legale}",
		"delayed: [{command: c, by: road-1, edge: s}]":        "ritardato: [{comando: c, da: road-1, bordo: s}]",
		"moves: [{column: [a, b], by: napoleon}]":             "mosse: [{colonna: [a, b], da-chi: napoleon}]",
		"contact: a, edge: left":                              "contatta: a, lato: sinistra",
		"edge: north":                                         "bordo: nord",
		"moves: [{element: hill, to: front of best}]":         "mosse: [{elemento: hill, a: fronte-nemico di best}]",
		"pieces: [{kind: hill, size: 500}]":                   "pezzi: [{tipo: collina, misura: 500}]",
		"kind: marsh | hill | road":                           "tipo: palude | collina | strada",
		"dismount: best | mounted":                            "smonta: migliore | montato",
		"dismount: {best: best}":                              "smonta: {best: migliore}",
		"dismount: [{of: best, do: best}, {else: best}]":      "smonta: [{di: best, fai: migliore}, {altrimenti: migliore}]",
		"combat: {dismount: mounted, order: [a, best, rest]}": "mischia: {smonta: montato, ordine: [a, best, resto]}",
		"best > husson 3:3":                                   "best > husson 3:3",
		"until: {at: papelotte}":                              "finché: {posto: papelotte}",
	} {
		if got := vocabulary.Respell(english, "it"); got != italian {
			t.Errorf("%s is %s, not %s", english, got, italian)
		}
		if got := vocabulary.Respell(english, "en"); got != english {
			t.Errorf("%s is %s in English", english, got)
		}
		n, faults := orders.ParseNode([]byte(english))
		if len(faults) > 0 || n.Kind != orders.Map || len(n.Pairs) != 1 || strings.Contains(english, "|") {
			continue
		}
		if got := n.In("it", vocabulary).OneLine(); got != italian && got != "{"+italian+"}" {
			t.Errorf("as a file %s is %s, not %s", english, got, italian)
		}
	}
	for key, all := range map[string][]string{"at": {"contro", "posto"}, "rest": {"resto", "sosta", "riposo"}, "by": {"da-chi", "da"}, "edge": {"lato", "bordo"},
		"repulsed": {"respinto", "ripiegato"}, "end": {"fine"}} {
		for _, spelling := range all {
			if got, ok := vocabulary.Key(spelling, []string{key}); !ok || got != key {
				t.Errorf("%s is not read as %s", spelling, key)
			}
		}
	}
}
