package hfg

import (
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
	"march": {"marcia"}, "wheel": {"ruota"}, "contact": {"contatta"}, "edge": {"lato"},
	"front": {"fronte-nemico"}, "flank": {"fianco"}, "rear": {"retro"}, "beside": {"accanto"},
	"behind": {"dietro"}, "road": {"strada"}, "column": {"colonna"}, "line": {"linea"}, "sidestep": {"scarta"},
	"rally": {"riordina"}, "ford": {"guado"}, "build": {"costruisci"}, "destroy-bridge": {"distruggi-ponte"},
	"fire": {"tira"}, "at": {"contro", "posto"}, "aid": {"aiuta"}, "hold": {"tieni"}, "press": {"incalza"},
	"halt": {"alt"}, "pursue": {"insegui"}, "charge": {"carica"}, "repulse": {"ripiega"},
	"silenced": {"zittito"}, "repulsed": {"ripiegato"}, "mounted": {"montato"}, "dismounted": {"smontato"},
	"transfer": {"trasferisci"}, "exchange": {"scambia"}, "double": {"raddoppia"}, "wind": {"vento"},
	"face": {"affronta"}, "turn": {"turno"}, "order": {"ordine"}, "pass": {"passo"}, "more": {"ancora"},
	"reply": {"risposta"}, "then": {"poi"}, "results": {"esiti"}, "combat": {"mischia"}, "dice": {"dadi"}, "moves": {"mosse"},
	"deploy": {"schiera"}, "concealed": {"nascosto"}, "delayed": {"ritardato"}, "terrain": {"terreno"},
	"place": {"piazza"}, "list": {"lista"}, "found": {"trovato"}, "join": {"unisci"}, "rout": {"rotta"},
	"guns": {"cannoni"}, "best": {"migliore"}, "north": {"nord"}, "south": {"sud"}, "east": {"est"},
	"west": {"ovest"}, "yes": {"sì"}, "nearest": {"vicino"}, "straight": {"dritto"}, "nearest-feature": {"margine-vicino"}, "min": {"minimo"}, "max": {"massimo"},
	"rest": {"resto"}, "against": {"contro-chi"}, "by": {"da-chi"}, "numbering": {"numerazione"},
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
})
