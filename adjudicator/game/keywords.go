package game

import (
	"berthier/orders"
)

// Vocabulary holds the keywords of set-ups and commands in all languages.
var Vocabulary = orders.NewWords(orders.Common, map[string][]string{
	"system": {"sistema"}, "options": {"opzioni"}, "seats": {"posti"}, "gm": {"arbitro", "game-master"},
	"deadline": {"scadenza"}, "reminders": {"promemoria"}, "early": {"anticipo"}, "second-thoughts": {"ripensamento"},
	"pace": {"ritmo"}, "postal": {"postale"}, "every-decision": {"ogni-decisione"}, "by-plan": {"per-piano"},
	"relay": {"inoltro"}, "open": {"aperta", "aperto"}, "signed": {"firmata", "firmato"}, "allies": {"alleati"}, "delayed": {"differita", "differito"}, "faked": {"falsa", "falso"},
	"public": {"pubblica", "pubblico"}, "full": {"completa", "completo"},
	"seed": {"seme"}, "luck": {"fortuna"}, "asked": {"chiesta", "chiesto"}, "default": {"predefinita", "predefinito"},
	"proof": {"prova"}, "dkim": nil,
	"usual": {"consueto", "consueta"}, "least": {"minimo", "minima"}, "at": {"ora", "alle"}, "grace": {"tolleranza"},
	"weekdays": {"giorni-settimana", "giorni della settimana"}, "holidays": {"festivi", "festività"},
	"announce": {"annuncia"}, "postpone": {"rimanda"}, "admit": {"ammetti"}, "start": {"inizia"}, "end": {"concludi"}, "forfeit": {"a-tavolino", "a tavolino"}, "correct": {"rettifica"}, "stand": {"lascia"}, "dismiss": {"archivia"}, "export": {"esporta"}, "forget": {"dimentica"},
	"late": {"ritardo"}, "wait": {"aspetta", "attendi"},
	"silence": {"silenzio"}, "bot": {"automa"}, "sensible": {"sensato"}, "random": {"casuale"}, "bots": {"automi"}, "allowed": {"ammessi", "permessi"}, "my next letter": {"mia prossima lettera", "la mia prossima lettera"}, "share": {"quota"}, "reserves": {"riserve"}, "absence": {"assenza", "assenze"},
	"cancel": {"annulla"}, "gm-plays": {"arbitro-gioca"}, "blind": {"cieco"},
	"same": {"stessi", "gli stessi"}, "draw": {"patta", "pareggio"}, "stands": {"confermato", "vale"},
	"monday": {"mon", "lunedì", "lun"}, "tuesday": {"tue", "martedì", "mar"}, "wednesday": {"wed", "mercoledì", "mer"},
	"thursday": {"thu", "giovedì", "gio"}, "friday": {"fri", "venerdì", "ven"}, "saturday": {"sat", "sabato", "sab"},
	"sunday": {"sun", "domenica", "dom"},
})
