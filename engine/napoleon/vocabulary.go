package napoleon

import (
	"berthier/engine/play"
	"berthier/orders"
)

// formerKeys are the keys of answers that were once written with underscores.
var formerKeys = play.FormerKeys{
	"orders": {"on-fail": "on_fail"},
	"standing": {
		"lose-first": "lose_first", "retreat-to": "retreat_to", "battle-order": "battle_order", "morale-order": "morale_order",
		"supply-losses": "supply_losses", "per-turn": "per_turn", "up-to": "up_to", "ask-when": "ask_when", "on-fail": "on_fail",
	},
}

// vocabulary gives the ways to write the keywords of an order file besides the
// English words (section 6 of the digest).
var vocabulary = orders.NewWords(orders.Cases, map[string][]string{
	"orders": {"ordini"}, "standing": {"permanenti"}, "note": {"nota"}, "default": {"predefinito"},
	"move": {"muovi"}, "from": {"da"}, "to": {"a"}, "units": {"unità"},
	"all": {"tutte"}, "rest": {"resto"}, "none": {"nessuno", "nessuna"},
	"forced": {"forzata"}, "force": {"a-forza"}, "yes": {"sì", "si"}, "no": {}, "reveal": {"rivela"}, "night-march": {"marcia-notturna"},
	"bid": {"offerta"}, "camp": {"campo"}, "minus": {"meno"}, "pass": {"passo"}, "reduce": {"riduci"}, "up-to": {"fino-a"},
	"deploy": {"schiera"}, "battle-order": {"ordine-battaglie"}, "hits": {"colpi"}, "handicap": {"handicap"},
	"deploy-attacker": {"schiera-attaccante"}, "deploy-defender": {"schiera-difensore"},
	"terrain-attacker": {"terreno-attaccante"}, "terrain-defender": {"terreno-difensore"},
	"rout": {"rotta"}, "skirmish-retreat": {"ritirata-schermaglia"}, "stalemate": {"stallo"}, "supply": {"rifornimento"},
	"terrain": {"terreno"}, "wood": {"bosco"}, "farm": {"fattoria"}, "stream": {"corso"}, "hill": {"collina"},
	"left": {"sinistra"}, "center": {"centro", "centre"}, "right": {"destra"}, "reserve": {"riserva"}, "forward": {"avanti"},
	"morale": {"morale"}, "retreat": {"ritirata"}, "lose": {"perdi"}, "reinforce": {"rinforza"},
	"regroup": {"raggruppa"}, "in": {"dentro"}, "out": {"fuori"}, "remove": {"elimina"},
	"at": {"presso"}, "actions": {"azioni"}, "engage": {"ingaggia"}, "disengage": {"disimpegna"},
	"fire": {"fuoco"}, "move-fire": {"muovi-fuoco"}, "fire-move": {"fuoco-muovi"},
	"square": {"quadrato"}, "break": {"rompi"}, "squares": {"quadrati"}, "others": {"altri"},
	"shelter": {"riparo"}, "leave": {"lascia"}, "occupy": {"occupa"}, "swap": {"scambia"},
	"then": {"poi"}, "ask": {"chiedi"}, "end": {"fine"}, "on-fail": {"se-fallisce"}, "continue": {"continua"},
	"unit": {"unità"}, "pos": {"posizione"}, "path": {"percorso"}, "with": {"con"}, "what": {"cosa"},
	"plan": {"piano"}, "hold": {"tieni"}, "assault": {"assalto"}, "screen": {"schermo"}, "withdraw": {"ripiega"},
	"casualties": {"perdite"}, "lose-first": {"perdi-prima"}, "spare": {"risparmia"}, "keep": {"tieni-indietro"},
	"retreat-to": {"ritirata-a"}, "towns": {"città"}, "sacrifice": {"sacrifica"}, "skirmish": {"schermaglia"}, "show": {"mostra"},
	"strongest": {"più-forti"}, "weakest": {"più-deboli"},
	"morale-order": {"ordine-morale"}, "supply-losses": {"perdite-rifornimento"},
	"role": {"ruolo"}, "attacker": {"attaccante"}, "defender": {"difensore"}, "any": {"qualsiasi"},
	"infantry": {"fanteria"}, "cavalry": {"cavalleria"}, "artillery": {"artiglieria"},
	"light-cavalry": {"cavalleria-leggera"}, "heavy-cavalry": {"cavalleria-pesante"},
	"foot-artillery": {"artiglieria-appiedata"}, "horse-artillery": {"artiglieria-ippotrainata"}, "leader": {"comandante"},
	"french": {"francese"}, "allied": {"alleati"}, "anglo-dutch": {"anglo-olandese"}, "prussian": {"prussiana"},
	"moves": {"movimenti"}, "turn": {"turno"}, "turns": {"turni"}, "use": {"usa"}, "rules": {"regole"}, "ask-when": {"chiedi-se"},
	"when": {"quando"}, "do": {"fai"}, "always": {"sempre"}, "type": {"tipo"}, "strength": {"forza"}, "enemy": {"nemico"},
	"battle-turn": {"turno-battaglia"}, "odds": {"rapporto"}, "losses": {"perdite-subite"}, "total": {"totale"}, "own": {"proprie"}, "rout-risk": {"rischio-rotta"}, "reinforced": {"rinforzato"},
	"engaged": {"ingaggiata"}, "unengaged": {"non-ingaggiata"}, "only-cavalry": {"solo-cavalleria"}, "no-cavalry": {"senza-cavalleria"},
	"advance": {"avanza"}, "fill": {"riempi"}, "support": {"sostieni"}, "nothing": {"niente"},
	"else": {"altrimenti"}, "first-free": {"primo-libero"}, "worst-first": {"prima-i-peggiori"}, "best-first": {"prima-la-migliore"}, "nearest-supply": {"rifornimento-vicino"},
	"as-needed": {"se-serve"}, "never": {"mai"},
	"per-turn": {"per-turno"}, "max": {"massimo"},
})
