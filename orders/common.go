package orders

// Common are the words of every order file and command letter, whatever the
// game, in the languages of the program. A ruleset adds its own:
//
//	words := orders.NewWords(orders.Common, mine)
//
// It must not be changed.
var Common = map[string][]string{
	// the envelope
	"game":     {"partita"},
	"side":     {"parte", "lato", "schieramento"},
	"stop":     {"domanda", "fermata"},
	"key":      {"chiave"},
	"serial":   {"numero", "seriale"},
	"command":  {"comando"},
	"draft":    {"bozza"},
	"what-if":  {"ipotesi", "simula"},
	"final":    {"definitivo", "definitiva"},
	"now":      {"ora", "subito"},
	"note":     {"nota", "notes"},
	"orders":   {"ordini", "order", "ordine"},
	"standing": {"permanenti", "standing orders", "ordini permanenti"},
	"policies": {"direttive", "policy", "direttiva"},
	"ahead":    {"in-anticipo", "anticipo"},

	// commands
	"status":  {"stato"},
	"report":  {"rapporto"},
	"rules":   {"regole", "regolamento"},
	"help":    {"aiuto"},
	"history": {"storia", "cronologia"},
	"resign":  {"abbandona", "abbandono", "resa"},
	"press":   {"messaggio"},
	"resend":  {"rispedisci", "rimanda"},
	"pass":    {"inoltra", "passa"},

	"overnight": {"notte"},
	"bot":       {"automa"},
	"rematch":   {"rivincita"},
	"observe":   {"osservatore", "osservatrice", "observer"},
	"vacation":  {"vacanza", "ferie", "assenza", "absence"},
	"release":   {"libera", "sblocca"},

	"new-key":       {"nuova-chiave", "chiave-nuova"},
	"public-key":    {"chiave-pubblica"},
	"pause":         {"pausa", "sospendi"},
	"resume":        {"riprendi"},
	"extend":        {"proroga"},
	"remind":        {"ricorda", "sollecita"},
	"replace":       {"sostituisci"},
	"hand-over":     {"passa-mano", "passa la mano"},
	"co-master":     {"altro-arbitro", "altro arbitro"},
	"process":       {"risolvi"},
	"vacate":        {"togli-posto", "togli il posto"},
	"change":        {"modifica"},
	"answer":        {"rispondi"},
	"close":         {"chiudi"},
	"new":           {"nuova", "nuovo"},
	"list":          {"elenco", "elenca"},
	"show":          {"mostra"},
	"position":      {"posizione"},
	"rule":          {"decidi", "decisione", "ruling"},
	"rewind":        {"riavvolgi", "torna"},
	"disputes":      {"contestazioni"},
	"refile":        {"ripresenta"},
	"join":          {"iscriviti", "iscrizione"},
	"member":        {"socio", "socia"},
	"record":        {"affidabilità"},
	"enter":         {"partecipa"},
	"withdraw":      {"ritiro"},
	"table":         {"classifica"},
	"schedule":      {"calendario"},
	"rating":        {"valutazione"},
	"league":        {"lega"},
	"division":      {"divisione"},
	"season":        {"stagione"},
	"decline":       {"rifiuta l'offerta", "declina"},
	"secretary":     {"segreteria"},
	"appeal":        {"ricorso"},
	"challenge":     {"sfida"},
	"bring":         {"porta"},
	"protest":       {"protesta"},
	"pause-entries": {"pausa-iscrizioni", "pausa iscrizioni"},
	"games":         {"partite"},
	"against":       {"contro"},
	"offer":         {"offerta"},
	"act":           {"atto"},
	"members":       {"soci"},
	"about":         {"riguarda"},
	"system":        {"sistema"},
	"deadlines":     {"scadenze"},
	"dispute":       {"contesta", "contestazione"},

	// what goes with a command
	"by":          {"entro"},
	"for":         {"per"},
	"from":        {"da", "dal"},
	"until":       {"fino", "fino a", "al"},
	"cancel":      {"annulla"},
	"hours":       {"ore"},
	"days":        {"giorni"},
	"reason":      {"motivo"},
	"player":      {"giocatore", "giocatrice"},
	"name":        {"nome"},
	"public-name": {"nome-pubblico"},
	"weekly":      {"settimanale"},
	"club":        {"circolo"},
	"family":      {"famiglia"},
	"address":     {"indirizzo", "email", "e-mail", "mail"},
	"language":    {"lingua"},
	"zone":        {"fuso", "fuso orario", "timezone"},
	"title":       {"titolo"},
	"setup":       {"impostazioni", "set-up"},
	"turn":        {"turno"},
	"text":        {"testo"},
	"subject":     {"oggetto"},
	"clause":      {"clausola", "clauses", "clausole"},
	"roll":        {"tiro", "lancio"},
	"result":      {"risultato"},
	"set":         {"correggi", "imposta"},
	"accept":      {"accetta", "accogli"},
	"refuse":      {"rifiuta", "respingi"},
	"outcome":     {"esito"},
	"option":      {"opzione"},
	"overrule":    {"revoca"},
	"overrules":   {"revocato"},
	"decision":    {"esame"},
	"event":       {"evento"},
	"confirm":     {"conferma"},
	"tell":        {"comunica"},
	"luck":        {"fortuna"},
	"word":        {"parola"},

	"detail":  {"dettaglio"},
	"attach":  {"allega", "allegato"},
	"full":    {"intera", "intero", "completa", "completo"},
	"changes": {"novità", "cambiamenti"},

	"reply":     {"risposta"},
	"anonymous": {"anonimo", "anonima"},
	"letter":    {"lettera"},
	"view":      {"vista", "visione"},
	"delay":     {"ritardo"},
	"sender":    {"mittente"},
	"pgp-key":   {"chiave-pgp"},

	// values
	"true":  {"vero"},
	"false": {"falso"},
	"yes":   {"sì", "si"},
	"no":    nil,
	"none":  {"nessuno", "nessuna", "niente"},
	"all":   {"tutte", "tutti", "tutto"},
}

// Cases are the words of what is filed ahead, and of lists of cases. The vocabularies of
// rulesets begin with them. It must not be changed.
var Cases = map[string][]string{
	"ahead":    {"in-anticipo"},
	"if":       {"se"},
	"of":       {"di"},
	"do":       {"fai"},
	"else":     {"altrimenti"},
	"next":     {"prossima"},
	"ask":      {"chiedi"},
	"default":  {"predefinito"},
	"standing": {"permanenti"},
	"policies": {"direttive"},
	"none":     {"nessuno", "nessuna"},

	"attacked": {"attaccata", "attaccato"}, "attacked-by": {"attaccata-da", "attaccato-da"}, "won": {"vinta", "vinto"}, "lost": {"persa", "perso"},
	"routed": {"in-rotta"}, "reinforced": {"rinforzato"}, "unchanged": {"invariato"}, "taken": {"presa", "preso"}, "free": {"libera", "libero"},
	"remaining": {"rimaste", "left"}, "enemy": {"nemico"}, "moved": {"mossa", "mosso"},
}

// Commands are the keywords that "command:" takes. Who may give which, the
// office decides.
var Commands = []string{
	"status", "report", "rules", "help", "history", "resign", "press", "resend", "vacation", "overnight", "pass", "observe", "release", "new-key", "public-key",
	"pause", "resume", "extend", "remind", "replace", "hand-over", "co-master", "process", "vacate", "change", "what-if", "answer", "close", "new", "list", "show", "position",
	"rule", "rewind", "disputes", "dispute", "luck", "refile", "policies", "bot", "rematch",
	"join", "member", "address", "record", "enter", "withdraw", "table", "schedule", "rating", "accept", "decline", "secretary", "appeal", "challenge", "bring", "protest", "pause-entries",
}

// common is the vocabulary of a reader who gives none.
var common = NewWords(Common)

// envelope are the keys of an order file.
var envelope = []string{"game", "side", "stop", "key", "serial", "command", "draft", "what-if", "final", "now", "note", "orders", "standing", "policies", "ahead"}

// Bodies are the keys of the envelope under which something is ordered, and whose values a
// ruleset reads. It must not be changed.
var Bodies = []string{"orders", "standing", "policies", "ahead"}

// arguments are the further keys that a letter with a command may have.
var arguments = []string{"for", "by", "from", "until", "cancel", "hours", "days", "reason", "player", "name", "public-name", "weekly", "club", "family", "address", "bot", "language", "zone",
	"title", "setup", "turn", "text", "subject", "clause", "reply", "anonymous", "letter", "report", "view", "delay", "sender", "pgp-key",
	"dispute", "roll", "result", "set", "accept", "refuse", "outcome", "option", "overrule", "decision", "event", "confirm", "tell", "word", "rules", "detail", "attach",
	"league", "division", "season", "system", "deadlines", "games", "offer", "act", "overrules", "members", "about", "against"}
