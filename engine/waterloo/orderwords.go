package waterloo

import (
	"berthier/engine/play"
	"berthier/orders"
)

// formerKeys are the keys of answers that were once written with underscores.
var formerKeys = play.FormerKeys{
	"orders": {"on-reaction": "on_reaction"},
	"standing": {
		"cavalry-retreat": "cavalry_retreat", "attacker-loss": "attacker_loss", "min-mp": "min_mp",
		"max-cards": "max_cards", "max-bp": "max_bp", "if-short": "if_short",
	},
}

// vocabulary gives the ways to write the keywords of an order file besides the English
// words (section 6 of the digest).
var vocabulary = orders.NewWords(orders.Cases, map[string][]string{
	"orders": {"ordini"}, "standing": {"permanenti"}, "note": {"nota"}, "default": {"predefinito"},
	"card": {"carta"}, "cards": {"carte"}, "move": {"muovi"}, "path": {"via", "percorso"}, "unit": {"unità"},
	"face": {"fronte"}, "attack": {"attacco"}, "target": {"contro", "bersaglio"}, "with": {"con"}, "advance": {"avanza", "avanzata"},
	"end": {"fine"}, "round": {"round"}, "pass": {"passo"}, "bid": {"punta", "puntata"}, "army": {"esercito"},
	"enter": {"entra"}, "at": {"da", "presso"}, "action": {"azione"}, "artillery": {"artiglieria"}, "charge": {"carica"},
	"must-charge": {"provoca", "deve-caricare"}, "reorganise": {"riorganizza", "reorganize"}, "rally": {"riordina"}, "flip": {"gira"},
	"health": {"salute"}, "as": {"come"}, "command": {"comando"}, "elite": {"elite"}, "battle": {"battaglia"},
	"continue": {"continua"}, "then": {"poi"}, "retreat": {"ritirata"}, "stay": {"resta"}, "fire": {"fuoco"},
	"by": {"con-unità"}, "side": {"lato"}, "loss": {"perdita"}, "reduce": {"riduci"}, "reduction": {"riduzione"},
	"cdp": {"pdc"}, "for": {"per"}, "none": {"nessuno", "nessuna"}, "keep": {"tieni"}, "ask": {"chiedi"}, "hold": {"trattieni"}, "if-useful": {"se-utile"}, "best": {"migliore"},
	"commander": {"comandante"}, "to": {"a", "verso"}, "on-reaction": {"alla-reazione"}, "after": {"dopo"}, "go": {"vai"},
	"n": {"nord", "north"}, "e": {"est", "east"}, "s": {"sud", "south"}, "w": {"o", "ovest", "west"},
	"french": {"francese", "francesi"}, "anglo": {"inglese", "inglesi", "anglo-allied"}, "prussian": {"prussiano", "prussiani"},

	// Standing orders.
	"initiative": {"iniziativa"}, "lowest": {"minima"}, "highest": {"massima"}, "min-mp": {"mp-minimi"},
	"prefer": {"preferisci"}, "windows": {"finestre"}, "rules": {"regole"}, "when": {"quando"}, "any": {"qualsiasi"},
	"infantry": {"fanteria"}, "light-cavalry": {"cavalleria-leggera"}, "heavy-cavalry": {"cavalleria-pesante"},
	"artillery-fire": {"fuoco-artiglieria"}, "cavalry-charge": {"carica-cavalleria"}, "command-bonus": {"bonus-comando"},
	"elite-bonus": {"bonus-élite"}, "enemy-cavalry-must-charge": {"cavalleria-nemica-deve-caricare"},
	"napoleons-health": {"salute-di-napoleone"}, "reorganised": {"riorganizzata"}, "attacked": {"attaccata", "attaccato"},
	"state": {"stato"}, "disordered": {"disordinata"}, "ordered": {"ordinata"}, "reduced": {"ridotta"}, "full": {"piena"},
	"round-start": {"inizio-round"}, "entered": {"entrata"}, "after-card": {"dopo-carta"}, "after-battle": {"dopo-battaglia"},
	"round-end": {"fine-round"}, "revealed": {"rivelate"},
	"cavalry-retreat": {"ritirata-cavalleria"}, "do": {"fai"}, "reach": {"raggiungi"}, "tie": {"pareggio"}, "margin": {"margine"},
	"max-cards": {"massimo-carte"}, "max-bp": {"massimo-bp"}, "use": {"usa"}, "strongest": {"più-forte"}, "weakest": {"più-debole"},
	"if-short": {"se-manca"}, "all": {"tutte", "tutto"}, "square": {"riquadro"}, "order": {"ordine"},
	"turn": {"turno"}, "hand": {"mano"}, "losses": {"perdite-subite"}, "odds": {"rapporto"},
	"attacker-loss": {"perdita-attaccante"},
})
