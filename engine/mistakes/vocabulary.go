package mistakes

import (
	"berthier/engine/play"
	"berthier/orders"
)

// names of things are in words/names.*.yaml.
var names = play.NewNames(files, "em")

// vocabulary are the keywords of order files, with their Italian (section 6 of the digest).
var vocabulary = orders.NewWords(orders.Cases, map[string][]string{
	"bid": {"punta"}, "fire": {"bombarda"}, "gun": {"pezzo"}, "target": {"bersaglio"}, "support": {"supporto"},
	"back": {"arretra"}, "stand": {"resta"}, "assign": {"assegna"}, "leaders": {"generali"}, "move": {"sposta"},
	"attach": {"aggrega"}, "detach": {"stacca"}, "by": {"da"}, "join": {"unisci"}, "split": {"fraziona"},
	"part": {"parte-di"}, "as": {"come"}, "set-in-motion": {"metti-in-movimento"}, "keep-moving": {"mantieni"}, "rally": {"recupera"},
	"formation": {"formazione"}, "units": {"unità"}, "points": {"punti"}, "keep": {"tieni"}, "place": {"colloca"},
	"blue": {"blu"}, "red": {"rosso"}, "black": {"nero"}, "shelled": {"colpito"}, "substitute": {"sostituto"},
	"orders": {"ordini"}, "entry": {"ingresso"}, "formations": {"formazioni"}, "heading": {"direzione"}, "limbered": {"agganciati"},
	"id": {"id"}, "manoeuvres": {"manovre"}, "advance": {"avanza"}, "withdraw": {"ripiega"}, "charge": {"carica"},
	"wheel": {"ruota"}, "left": {"sinistra"}, "right": {"destra"}, "towards": {"verso"}, "segments": {"segmenti"},
	"mm": {"mm"}, "as-far-as": {"fino-a"}, "aoe": {"area"}, "level-with": {"allineato-a"}, "else": {"altrimenti"},
	"hold": {"fermo"}, "auto": {"automatica"}, "limbered-gun": {"pezzo-agganciato"}, "unlimbered-gun": {"pezzo-sganciato"}, "swap": {"scambia"},
	"side": {"parte"}, "front": {"fronte"}, "flank": {"fianco"}, "rear": {"retro"}, "unlimber": {"sgancia"},
	"combat": {"combattimento"}, "next": {"prossimo"}, "against": {"contro"}, "reroll": {"rilancia"}, "losses": {"perdite"},
	"pursue": {"insegui"}, "target-mod": {"bonus-bersaglio"}, "general-mod": {"bonus-generale"}, "up": {"su"}, "down": {"giù"},
	"side-step": {"scarto"}, "infantry": {"fanteria"}, "counter": {"contrattacca"}, "reinforce": {"rinforza"}, "unit": {"unità-singola"},
	"outcome": {"esito"}, "low": {"bassa"}, "high": {"alta"}, "level": {"livello"}, "minus": {"meno"},
	"plus": {"più"}, "leader": {"generale"}, "withdraw-loss": {"perdita-ripiegando"}, "loss": {"perdita"}, "yes": {"sì"},
	"no": {"no"}, "cavalry": {"cavalleria"}, "none": {"nessuno"}, "all": {"tutti"}, "default": {"predefinito"},
	"end": {"fine"}, "escape": {"fuggi"}, "deploy": {"schiera"}, "interrupt": {"anticipa"}, "react": {"reagisci"}, "pay": {"paga"},
	"fixed": {"fisso"}, "losing-by": {"sotto-di"}, "columns": {"colonne"}, "always": {"sempre"}, "never": {"mai"},
	"lowest": {"minore"}, "highest": {"maggiore"}, "most-capacity": {"più-capacità"}, "away": {"lontano"}, "ask": {"chiedi"},
	"redeploy": {"rischiera"}, "new": {"nuove"}, "forward": {"avanti"}, "behind": {"dietro"}, "beside": {"accanto"}, "front-of": {"davanti"},
	"turn": {"gira", "turno"}, "rest": {"resto"}, "balance": {"vantaggio"}, "charge-on": {"carica-su"}, "near": {"vicino"},
	"artillery": {"artiglieria"}, "defend": {"difendi"}, "min": {"minimo"}, "targets": {"bersagli"}, "nearest": {"il-più-vicino"},
	"min-bonus": {"bonus-minimo"}, "max-cp": {"pc-massimi"}, "charger": {"chi-carica"}, "until": {"finché"}, "until-turn": {"fino-al-turno"}, "melee": {"mischia"}, "advance-within": {"avanza-entro"},
})
