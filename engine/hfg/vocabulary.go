package hfg

import (
	"regexp"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
)

// names of things are in words/names.*.yaml.
var names = play.NewNames(files, "hfg")

// vocabulary are the keywords of order files, with their Italian (section 6 of the digest).
var vocabulary = orders.NewWords(orders.Cases, map[string][]string{
	"left..right": {"sinistra..destra"}, "along": {"lungo"}, "enter": {"entra"}, "file": {"fila"}, "deep": {"profonda"}, "stop-short": {"prima-di"},
	"move": {"muovi"}, "to": {"a"}, "facing": {"fronte"}, "forward": {"avanti"}, "back": {"indietro"},
	"left": {"sinistra"}, "right": {"destra"}, "via": {"per"}, "group": {"gruppo"}, "advance": {"avanza"},
	"march": {"marcia"}, "wheel": {"ruota"}, "contact": {"contatta"}, "edge": {"bordo", "lato"},
	"front": {"fronte-nemico"}, "flank": {"fianco"}, "rear": {"retro"}, "beside": {"accanto"},
	"behind": {"dietro"}, "road": {"strada"}, "column": {"colonna"}, "line": {"linea"}, "sidestep": {"scarta"},
	"rally": {"riordina"}, "ford": {"guado"}, "build": {"costruisci"}, "destroy-bridge": {"distruggi-ponte"},
	"fire": {"tira"}, "at": {"posto", "contro"}, "aid": {"aiuta"}, "hold": {"tieni"}, "press": {"incalza"},
	"halt": {"alt"}, "pursue": {"insegui"}, "charge": {"carica"}, "repulse": {"ripiega"},
	"silenced": {"zittito"}, "repulsed": {"respinto", "ripiegato"}, "mounted": {"montato"}, "dismounted": {"smontato"},
	"transfer": {"trasferisci"}, "exchange": {"scambia"}, "double": {"raddoppia"}, "wind": {"vento"},
	"face": {"affronta"}, "turn": {"turno"}, "order": {"ordine"}, "pass": {"passo"}, "more": {"ancora"},
	"reply": {"risposta"}, "then": {"poi"}, "results": {"esiti"}, "combat": {"mischia"}, "dice": {"dadi"}, "moves": {"mosse"},
	"deploy": {"schiera"}, "concealed": {"nascosto"}, "delayed": {"ritardato"}, "terrain": {"terreno"},
	"place": {"piazza"}, "list": {"lista"}, "found": {"trovato"}, "join": {"unisci"}, "rout": {"rotta"},
	"guns": {"cannoni"}, "best": {"migliore"}, "north": {"nord"}, "south": {"sud"}, "east": {"est"},
	"west": {"ovest"}, "yes": {"sì"}, "nearest": {"vicino"}, "straight": {"dritto"}, "nearest-feature": {"margine-vicino"}, "min": {"minimo"}, "max": {"massimo"},
	"rest": {"sosta", "resto", "riposo"}, "against": {"contro-chi"}, "by": {"da-chi", "da"}, "numbering": {"numerazione"},
	"pieces": {"pezzi"}, "kind": {"tipo"}, "size": {"misura"}, "reach": {"profondità"}, "width": {"larghezza"},
	"outline": {"contorno"}, "slope": {"pendio"}, "grade": {"grado"}, "going": {"suolo"}, "slow": {"lento"}, "good": {"buona"}, "bridges": {"ponti"},
	"upstream": {"a-monte"}, "where": {"dove"}, "bends": {"curve"}, "from": {"da"}, "years": {"anni"},
	"year": {"anno"}, "general": {"generale"}, "nation": {"nazione"}, "native": {"indigeno"}, "under": {"sotto"},
	"aggression": {"aggressività"}, "commands": {"comandi"}, "elements": {"elementi"},
	"defending": {"in-difesa"}, "attacking": {"in-attacco"}, "works": {"opere"}, "holds": {"tiene"},
	"garrison": {"guarnigione"}, "head": {"testa"}, "element": {"elemento"}, "waterway": {"acqua"},
	"river": {"fiume"}, "stream": {"torrente"}, "marsh": {"palude"}, "hill": {"collina"},
	"railway": {"ferrovia"}, "bua": {"abitato"}, "wood": {"bosco"}, "slow-going": {"terreno-lento"},
	"gentle": {"dolce"}, "difficult": {"difficile"}, "first-legal": {"primo-legale"}, "first": {"primo"},
	"last": {"ultimo"}, "strong-point": {"caposaldo"}, "redoubt": {"ridotta"}, "entrenchment": {"trincea"},
	"barricade": {"barricata"}, "concealed-position": {"posizione-nascosta"},
	"naval-minefield": {"campo-minato"}, "plan": {"piano"}, "map": {"mappa"}, "night": {"notte"},
	"morning": {"mattina"}, "afternoon": {"pomeriggio"}, "battle": {"battaglia"}, "avoid": {"evita"},
	"withdraw": {"ritirati"}, "stay": {"resta"}, "stages": {"tappe"}, "towards": {"verso"},
	"entrench": {"trincera"}, "demolish": {"demolisci"}, "repair": {"ripara"}, "own": {"proprio"},
	"after": {"dopo"}, "shot": {"tiro"}, "close": {"corpo-a-corpo"}, "beaten": {"battuto"}, "recoiled": {"arretrato"},
	"destroyed": {"distrutto"}, "leaves": {"lascia"}, "uphill": {"in-salita"}, "distance": {"distanza"}, "into": {"dentro"},
	"any": {"qualsiasi"}, "least-moved": {"meno-mosso"}, "most-dangerous": {"più-pericoloso"}, "weakest": {"più-debole"},
	"shoot-later": {"tira-dopo"}, "west-to-east": {"da-ovest-a-est"}, "best-first": {"prima-i-migliori"},
	"flanks-first": {"prima-i-fianchi"}, "dismount": {"smonta"},
	"losses": {"perdite"}, "pips": {"pip"},
	"range": {"gittata"}, "target": {"bersaglio"}, "odds": {"vantaggio"}, "exposes-flank": {"scopre-fianco"},
	"die": {"dado"}, "double-exchange": {"raddoppia-scambia"}, "elite-first": {"prima-gli-scelti"}, "cheapest-first": {"prima-i-meno-cari"},
	"keep-pips": {"serba-pip"}, "until": {"finché"}, "known-enemy-within": {"nemico-noto-entro"},
	"prefer": {"preferisci"}, "counter-battery": {"controbatteria"},
	"bridge": {"ponte"}, "brilliant": {"brillante"}, "brass": {"bronzo"}, "flagship": {"ammiraglia"}, "staff": {"stato-maggiore"}, "foot": {"fanteria"}, "artillery": {"artiglieria"}, "train": {"salmerie"}, "naval": {"navale"},
	"pontoon": {"pontone"}, "over": {"sopra"}, "minefield": {"mine"},
	"end": {"fine"}, "command": {"comando"}, "inert": {"inerte"}, "inferior": {"inferiore"}, "horse": {"a-cavallo"}, "heavy": {"pesante"},
}).InSense(senses)

// senses are the Italian of keywords that mean two things, and words that are names of elements, too: General
// Hill and Best's brigade are called alike in every language.
var senses = map[string][]orders.Sense{
	"at":   {{Spelling: "contro", Where: shotAt}},
	"rest": {{Spelling: "resto", Where: othersToo}},
	"by":   {{Spelling: "da", Where: matching(`\{command: [^{}]*, $`, ``)}},
	"edge": {{Spelling: "lato", Where: matching(``, `^: (front|flank|left|right|rear)\b`)}},
	"hill": {{Where: not(matching(`\bkind: [^{}\[\],]*$`, ``))}},
	"best": {{Where: not(matching(`\bdismount: ((\{[^{}]*: )?([^{}\[\],]* )?$|.*\b(do|else): ([^{}\[\],]* )?$)`, ``))}},
}

// shotAt says whether "at" names the target of a shot, and not a place.
var shotAt = matching(`\b(element|hold)\b[^{}]*$`, `^: [^\[{]`)

// othersToo says whether "rest" means all others, and not that a command rests: in a list, or as a key.
func othersToo(before, after string) bool {
	return strings.HasPrefix(after, ":") || strings.HasSuffix(before, "[") || strings.HasSuffix(before, ", ")
}

// matching says whether what stands before and behind a word looks so.
func matching(before, behind string) func(before, after string) bool {
	x, y := regexp.MustCompile(before), regexp.MustCompile(behind)
	return func(before, after string) bool { return x.MatchString(before) && y.MatchString(after) }
}

// not says the opposite.
func not(where func(before, after string) bool) func(before, after string) bool {
	return func(before, after string) bool { return !where(before, after) }
}
