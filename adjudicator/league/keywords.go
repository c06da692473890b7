package league

import "berthier/orders"

// Vocabulary holds the keywords of leagues' set-ups in all languages.
var Vocabulary = orders.NewWords(orders.Common, map[string][]string{
	"league": {"lega"}, "secretaries": {"segretari"}, "open": {"aperta"}, "anybody": {"chiunque"}, "invited": {"su-invito"},
	"members": {"soci"}, "proof": {"prova"}, "dkim": nil, "signed": {"firmata"}, "addresses": {"indirizzi"}, "probation": {"tirocinio"},
	"entry": {"iscrizione"}, "reliability": {"affidabilità"}, "abandoned": {"abbandonate"}, "limit": {"limita"},
	"seasons": {"stagioni"}, "start": {"inizio"}, "enter-until": {"iscrizioni-fino"}, "length": {"durata"}, "pause": {"pausa"},
	"deadlines": {"scadenze"}, "absence": {"assenza"},
	"divisions": {"divisioni"}, "id": nil, "size": {"posti"}, "system": {"sistema"}, "template": {"modello"}, "form": {"formula"},
	"round-robin": {"girone"}, "swiss": {"svizzero"}, "ladder": {"scala"}, "pairing": {"abbinamento"}, "single": {"singolo"},
	"double": {"doppio"}, "trio": {"terzetto"}, "rounds": {"turni"}, "copies": {"copie"},
	"games": {"partite"}, "most-at-once": {"insieme"}, "sequential": {"in-sequenza"}, "concurrent": {"in-parallelo"},
	"moves": {"passaggi"}, "up": {"su"}, "down": {"giù"}, "playoff": {"spareggio"},
	"points": {"punti"}, "win": {"vittoria"}, "draw": {"patta"}, "loss": {"sconfitta"}, "bye": {"riposo"},
	"forfeit-win": {"vittoria-forfait"}, "forfeit-loss": {"sconfitta-forfait"},
	"ties": {"parità"}, "withdraw": {"ritiro"}, "before": {"prima"}, "remove": {"togli"}, "under": {"sotto"}, "then": {"allora"},
	"else": {"altrimenti"}, "annul": {"annulla"}, "cancel": {"cancella"}, "keep": {"tieni"},
	"silence": {"silenzio"}, "bot": {"automa"}, "replace": {"sostituisci"}, "forfeit": {"forfait"}, "stops": {"fermate"},
	"substitutes": {"sostituti"}, "most-games": {"partite-al-più"}, "rated": {"valutate"}, "own": {"proprie"},
	"umpires": {"arbitri"}, "of": {"tra"}, "never": {"mai"}, "same-club": {"stesso-circolo"}, "plays-in-division": {"gioca-nella-divisione"},
	"family": {"famiglia"}, "ratings": {"valutazioni"}, "glicko-2": nil, "period": {"periodo"}, "tau": nil, "by-side": {"per-parte"},
	"offices": {"uffici"}, "offset": {"correzione"}, "usual": {"consueta"},
})
