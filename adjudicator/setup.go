package adjudicator

import (
	"crypto/sha256"
	"errors"
	"maps"
	netmail "net/mail"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A Setup is what a new game is made of, as a set-up file says it.
type Setup struct {
	Game   string // id: "ligny-7"
	Title  string
	System string // id of the ruleset
	Rules  engine.Setup
	Seats  map[engine.Side]log.Person
	GM     log.Person
	Timing timing.Timing
	Seed   []byte // of the dice; nil: drawn
	Luck   bool   // the players' words go into every roll
	// Press: which kinds of letters players may write to each other.
	Press    []string
	Silence  log.Silence
	Reserves []log.Person  // who take over from players that stay silent
	Proof    string        // what is asked for before a letter is believed: address, key, dkim, signed; "": key
	Absence  time.Duration // how long a player may be away in all; 0: no absences
	// GMPlays: a game master who plays in the game sees what is hidden, and rules,
	// all the same.
	GMPlays bool

	position engine.Position
}

// Bounds of set-ups.
const (
	longestName   = 80
	longestWait   = game.LongestWait
	shortestWait  = time.Minute
	mostReminders = 10
	mostOptions   = 100
)

// ReadSetup reads a set-up file. All faults are reported at once. A file
// without a gm gets the one given, if any.
func (o *Office) ReadSetup(text string, gm *log.Person) (*Setup, orders.Problems) {
	root, problems := orders.ParseNode([]byte(text))
	if root == nil {
		if len(problems) == 0 {
			problems = orders.Problems{{Why: phrase.Say("office.setup.empty")}}
		}
		return nil, problems
	}
	return o.readSetup(root, problems, gm)
}

func (o *Office) readSetup(root *orders.Node, problems orders.Problems, gm *log.Person) (*Setup, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	r.Problems = append(r.Problems, problems...)
	f := r.Fields(root, "game", "title", "system", "scenario", "options", "seats", "gm", "deadline", "reminders",
		"early", "second-thoughts", "seed", "luck", "press", "zone", "silence", "reserves", "absence", "proof", "gm-plays")
	s := &Setup{Rules: engine.Setup{Options: map[string]string{}}, Absence: usualAbsence}

	if id, ok := r.Text(r.Require(f, "game")); ok {
		s.Game = strings.ToLower(strings.TrimSpace(id))
		if !intake.GameID.MatchString(s.Game) {
			r.Refuse(f.Get("game"), "", phrase.Say("office.setup.game-id", phrase.Literal("id", id)))
		}
	}
	s.Title = readName(r, f.Get("title"))
	rules := o.readSystem(r, f, s)
	o.readSeats(r, f, s, rules)
	if n := f.Get("gm"); n != nil {
		s.GM, _ = o.readPerson(r, n)
	} else if gm != nil {
		s.GM = *gm
	} else {
		r.Require(f, "gm")
	}
	o.readProof(r, f, s)
	o.readTiming(r, f, s, rules)
	o.readSilence(r, f, s)
	if n := f.Get("absence"); n != nil {
		s.Absence, _ = readWait(r, n)
	}
	s.atHome()
	if n := f.Get("gm-plays"); n != nil {
		word, _ := r.Word(n, "open", "blind")
		s.GMPlays = word == "open"
	}
	if n := f.Get("press"); n != nil {
		s.Press = readPress(r, n)
	}
	if n := f.Get("seed"); n != nil && gm != nil {
		r.Refuse(n, "", phrase.Say("office.setup.seed-by-letter"))
	}
	if n := f.Get("seed"); n != nil && gm == nil && !o.opt.Repeatable {
		r.RefuseWith(n, "", phrase.Say("office.setup.seed-fixed"), phrase.Say("office.setup.seed-drawn"))
	}
	if n := f.Get("luck"); n != nil {
		word, _ := r.Word(n, "asked")
		s.Luck = word == "asked"
	}
	if text, ok := r.Text(f.Get("seed")); ok && text != "" {
		sum := sha256.Sum256([]byte(text))
		s.Seed = sum[:]
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return nil, r.Problems
	}
	return s, nil
}

// readSystem reads which game it is and sets it up.
func (o *Office) readSystem(r *orders.Reader, f orders.Fields, s *Setup) engine.Ruleset {
	var choices []orders.Choice
	for _, name := range o.names {
		choices = append(choices, orders.Choice{ID: name})
	}
	s.System, _ = r.Pick(r.Require(f, "system"), "setup-system", choices)
	rules := o.systems[s.System]
	if rules == nil {
		return nil
	}
	about, sound := rules.About(), true
	if n := f.Get("scenario"); n != nil {
		var all []orders.Choice
		for _, name := range about.Scenarios {
			all = append(all, orders.Choice{ID: name})
		}
		s.Rules.Scenario, sound = r.Pick(n, "setup-scenario", all)
	}
	if n := f.Get("options"); n != nil {
		sound = readOptions(r, n, about, s) && sound
	}
	if !sound {
		return rules
	}
	position, err := rules.New(s.Rules)
	if err != nil {
		at := f.Get("options")
		if at == nil {
			at = f.Get("scenario")
		}
		if at == nil {
			at = f.Get("system")
		}
		var faults orders.Problems
		if !errors.As(err, &faults) {
			faults = orders.Problems{{Why: phrase.Say("office.setup.rules", phrase.Literal("error", err.Error()))}}
		}
		for _, p := range faults {
			if p.Line == 0 {
				p.Line, p.Column = at.Line, at.Column
			}
			r.Problems = append(r.Problems, p)
		}
		return rules
	}
	s.position = position
	return rules
}

func readOptions(r *orders.Reader, n *orders.Node, about engine.About, s *Setup) bool {
	before := len(r.Problems)
	if n.Kind != orders.Map || len(n.Pairs) > mostOptions {
		r.Refuse(n, "", phrase.Say("office.setup.options"))
		return false
	}
	var names []orders.Choice
	for _, option := range about.Options {
		names = append(names, orders.Choice{ID: option.Name})
	}
	for _, p := range n.Pairs {
		name, ok := r.Pick(p.Key, "setup-option", names)
		if !ok {
			continue
		}
		if _, twice := s.Rules.Options[name]; twice {
			r.Refuse(p.Key, "", phrase.Say("office.setup.option-twice", phrase.Literal("name", name)))
			continue
		}
		text, ok := r.Text(p.Value)
		if !ok {
			continue
		}
		i := slices.IndexFunc(about.Options, func(o engine.Option) bool { return o.Name == name })
		for _, value := range about.Options[i].Values {
			if orders.Fold(value) == orders.Fold(text) {
				text = value
			}
		}
		s.Rules.Options[name] = text
	}
	return len(r.Problems) == before
}

// readSeats reads who plays what. Which sides there are, the position knows.
func (o *Office) readSeats(r *orders.Reader, f orders.Fields, s *Setup, rules engine.Ruleset) {
	n := r.Require(f, "seats")
	if n == nil {
		return
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "", phrase.Say("office.setup.seats"))
		return
	}
	s.Seats = map[engine.Side]log.Person{}
	var sides []orders.Choice
	if s.position != nil {
		sides = sideChoices(s.position)
	}
	for _, p := range n.Pairs {
		person, sound := o.readPerson(r, p.Value)
		if s.position == nil {
			continue
		}
		id, ok := r.Pick(p.Key, "setup-side", sides)
		if !ok {
			continue
		}
		if _, twice := s.Seats[engine.Side(id)]; twice {
			r.Refuse(p.Key, "", phrase.Say("office.setup.side-twice", phrase.Literal("side", id)))
			continue
		}
		if sound {
			s.Seats[engine.Side(id)] = person
			twoSeats(r, s.Seats, engine.Side(id), p.Value)
		} else {
			s.Seats[engine.Side(id)] = log.Person{}
		}
	}
	if s.position == nil {
		return
	}
	for _, side := range s.position.Sides() {
		if _, ok := s.Seats[side]; !ok {
			r.Refuse(n, "", phrase.Say("office.setup.no-seat", phrase.Literal("side", string(side))))
		}
	}
}

// sideChoices are the sides of a position with their names in every language.
func sideChoices(p engine.Position) []orders.Choice {
	var all []orders.Choice
	for _, side := range p.Sides() {
		c := orders.Choice{ID: string(side)}
		view := p.View(side)
		for _, language := range templates.Languages {
			c.Names = append(c.Names, view.Spell("side", string(side), language))
		}
		all = append(all, c)
	}
	return all
}

// readPerson reads a name, an address, a language and a time zone.
func (o *Office) readPerson(r *orders.Reader, n *orders.Node) (log.Person, bool) {
	before := len(r.Problems)
	f := r.Fields(n, "name", "address", "language", "zone", "pgp-key")
	p := log.Person{
		PGP:      o.readPublicKey(r, f.Get("pgp-key")),
		Name:     readName(r, f.Get("name")),
		Address:  readAddress(r, r.Require(f, "address")),
		Language: readLanguage(r, f.Get("language")),
		Zone:     readZone(r, f.Get("zone")),
	}
	return p, len(r.Problems) == before
}

func readName(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	text = strings.Join(strings.Fields(text), " ")
	if len([]rune(text)) > longestName || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		r.Refuse(n, "", phrase.Say("office.setup.name", phrase.Number("most", longestName)))
		return ""
	}
	return text
}

func readAddress(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	a, err := netmail.ParseAddress(text)
	if err == nil {
		_, err = mailbox.Wire(a.Address)
	}
	if err != nil || a.Name != "" || len(a.Address) > 254 || strings.ContainsFunc(a.Address, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '"' }) {
		r.Refuse(n, "", phrase.Say("office.setup.address", phrase.Literal("address", text)))
		return ""
	}
	return mailbox.Clean(a.Address)
}

func readLanguage(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	text = strings.ToLower(strings.TrimSpace(text))
	if !slices.Contains(templates.Languages, text) {
		r.Refuse(n, "", phrase.Say("office.setup.language", phrase.Literal("language", text), phrase.Literals("languages", templates.Languages)))
		return ""
	}
	return text
}

func readZone(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok {
		return ""
	}
	text = strings.TrimSpace(text)
	if _, err := time.LoadLocation(text); err != nil || text == "" || text == "Local" {
		r.Refuse(n, "", phrase.Say("office.setup.zone", phrase.Literal("zone", text)))
		return ""
	}
	return text
}

// atHome gives whoever has no time zone that of the game.
func (s *Setup) atHome() {
	if s.GM.Zone == "" {
		s.GM.Zone = s.Timing.Zone
	}
	for side, p := range s.Seats {
		if p.Zone == "" {
			p.Zone = s.Timing.Zone
			s.Seats[side] = p
		}
	}
	for i := range s.Reserves {
		if s.Reserves[i].Zone == "" {
			s.Reserves[i].Zone = s.Timing.Zone
		}
	}
}

// ruleKeys are what a rule for deadlines says.
var ruleKeys = []string{"usual", "least", "at", "zone", "weekdays", "holidays", "grace", "reminders", "early"}

// readTiming reads the rules for deadlines: deadline: as a length of time, or as
// a rule; beside the rule's own keys stand kinds of stops with rules of theirs,
// which have from the first what they don't say.
func (o *Office) readTiming(r *orders.Reader, f orders.Fields, s *Setup, rules engine.Ruleset) {
	before := len(r.Problems)
	t := &s.Timing
	t.Usual = timing.Rule{Usual: 7 * 24 * time.Hour, Early: true}
	t.Zone = readZone(r, f.Get("zone"))
	n := f.Get("deadline")
	kinds := readUsual(r, n, &t.Usual)
	if n := f.Get("reminders"); n != nil {
		t.Usual.Reminders = readReminders(r, n)
	}
	if n := f.Get("early"); n != nil {
		if early, ok := r.Bool(n); ok {
			t.Usual.Early = early
		}
	}
	readKinds(r, kinds, s.stopChoices(rules), t)
	if n := f.Get("second-thoughts"); n != nil && !r.Is(n, "none") {
		t.Second, _ = readDuration(r, n)
	}
	if len(r.Problems) > before {
		return
	}
	at := n
	if at == nil {
		at = f.Node
	}
	o.checkTiming(r, at, t)
}

// readUsual reads the rule for all stops, and gives what stands beside its keys: rules
// for kinds of stops.
func readUsual(r *orders.Reader, n *orders.Node, usual *timing.Rule) (kinds []orders.Pair) {
	if n != nil && n.Kind == orders.Map {
		own := *n
		own.Pairs = nil
		for _, p := range n.Pairs {
			switch {
			case slices.ContainsFunc(ruleKeys, func(key string) bool { return r.Is(p.Key, key) }):
				own.Pairs = append(own.Pairs, p)
			case r.Is(p.Key, "default"):
				readRule(r, p.Value, usual)
			default:
				kinds = append(kinds, p)
			}
		}
		readRule(r, &own, usual)
	} else if n != nil {
		readRule(r, n, usual)
	}
	return kinds
}

// readKinds reads the rules for kinds of stops.
func readKinds(r *orders.Reader, kinds []orders.Pair, choices []orders.Choice, t *timing.Timing) {
	for _, p := range kinds {
		var kind string
		sound := false
		if len(choices) == 0 {
			if kind, sound = r.Text(p.Key); sound {
				kind = strings.ToLower(strings.TrimSpace(kind))
			}
		} else {
			kind, sound = r.Pick(p.Key, "setup-stop", choices)
		}
		rule := t.Usual
		readRule(r, p.Value, &rule)
		if !sound {
			continue
		}
		if slices.Contains(ruleKeys, kind) || kind == "default" {
			r.Refuse(p.Key, "", phrase.Say("office.setup.rule-twice", phrase.Literal("key", kind)))
			continue
		}
		if t.Kinds == nil {
			t.Kinds = map[string]timing.Rule{}
		}
		if _, twice := t.Kinds[kind]; twice {
			r.Refuse(p.Key, "", phrase.Say("office.setup.rule-twice", phrase.Literal("key", kind)))
			continue
		}
		t.Kinds[kind] = rule
	}
}

// checkTiming refuses rules by which no deadline can be set.
func (o *Office) checkTiming(r *orders.Reader, at *orders.Node, t *timing.Timing) {
	for _, kind := range append([]string{""}, slices.Sorted(maps.Keys(t.Kinds))...) {
		rule := t.Of(kind)
		switch {
		case !rule.Early && rule.Usual == 0:
			r.Refuse(at, "", phrase.Say("office.setup.never"))
		case rule.Usual > 0 && rule.Least > rule.Usual:
			r.Refuse(at, "", phrase.Say("office.setup.least"))
		case rule.Bound() && !rule.AllowsAny(timing.DayOf(o.now())):
			r.Refuse(at, "", phrase.Say("office.setup.no-day"))
		default:
			continue
		}
		return
	}
}

// stopChoices are the kinds of stops of a game with their names in every
// language, if the ruleset tells them, and the keys of a rule, so that a slip in
// either is named.
func (s *Setup) stopChoices(rules engine.Ruleset) []orders.Choice {
	if rules == nil || s.position == nil {
		return nil
	}
	var all []orders.Choice
	for _, kind := range rules.About().Stops {
		c := orders.Choice{ID: kind}
		view := s.position.View(s.position.Sides()[0])
		for _, language := range templates.Languages {
			c.Names = append(c.Names, view.Spell("stop", kind, language))
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil
	}
	for _, key := range append([]string{"default"}, ruleKeys...) {
		all = append(all, orders.Choice{ID: key})
	}
	return all
}

// readRule reads a rule for deadlines over the one that it changes.
func readRule(r *orders.Reader, n *orders.Node, rule *timing.Rule) {
	if n.Kind != orders.Map {
		if d, ok := readWait(r, n); ok {
			rule.Usual, rule.Least = d, 0
		}
		return
	}
	f := r.Fields(n, ruleKeys...)
	if n := f.Get("usual"); n != nil {
		if d, ok := readWait(r, n); ok {
			rule.Usual, rule.Least = d, 0
		}
	}
	if n := f.Get("least"); n != nil {
		rule.Least, _ = readDuration(r, n)
	}
	if n := f.Get("at"); n != nil {
		rule.Clock = readClock(r, n)
	}
	if n := f.Get("zone"); n != nil {
		rule.Zone = readZone(r, n)
	}
	if n := f.Get("weekdays"); n != nil {
		rule.Weekdays = readWeekdays(r, n)
	}
	if n := f.Get("holidays"); n != nil {
		rule.Holidays = readHolidays(r, n)
	}
	if n := f.Get("grace"); n != nil {
		rule.Grace, _ = readWait(r, n)
	}
	if n := f.Get("reminders"); n != nil {
		rule.Reminders = readReminders(r, n)
	}
	if n := f.Get("early"); n != nil {
		if early, ok := r.Bool(n); ok {
			rule.Early = early
		}
	}
}

// readClock reads a time of the day, "20:00"; none is any.
func readClock(r *orders.Reader, n *orders.Node) string {
	text, ok := r.Text(n)
	if !ok || r.Is(n, "none") {
		return ""
	}
	t, err := time.Parse("15:04", strings.Replace(strings.TrimSpace(text), ".", ":", 1))
	if err != nil {
		r.Refuse(n, "", phrase.Say("office.setup.clock", phrase.Literal("got", text)))
		return ""
	}
	return t.Format("15:04")
}

// weekdayWords are the days of the week, Sunday being the first.
var weekdayWords = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

func readWeekdays(r *orders.Reader, n *orders.Node) []time.Weekday {
	if r.Is(n, "all") {
		return nil
	}
	var all []time.Weekday
	for _, item := range r.List(n) {
		if word, ok := r.Word(item, weekdayWords...); ok {
			all = append(all, time.Weekday(slices.Index(weekdayWords, word)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostHolidays bounds a list of holidays.
const mostHolidays = 100

// readHolidays reads days and spans of days: 2026-12-25, 12-25 for every year,
// 12-24..01-06.
func readHolidays(r *orders.Reader, n *orders.Node) []timing.Holidays {
	if r.Is(n, "none") {
		return nil
	}
	var all []timing.Holidays
	for _, item := range r.List(n) {
		text, ok := r.Text(item)
		if !ok {
			continue
		}
		from, to, span := strings.Cut(text, "..")
		if !span {
			to = from
		}
		h := timing.Holidays{From: strings.TrimSpace(from), To: strings.TrimSpace(to)}
		sound := len(h.From) == len(h.To)
		for _, end := range []string{h.From, h.To} {
			form := "2006-01-02"
			if len(end) == len("01-02") {
				form, end = "2006-01-02", "2000-"+end // a leap year: 29 February is a day
			}
			if _, err := time.Parse(form, end); err != nil {
				sound = false
			}
		}
		if !sound || len(h.From) == len("2006-01-02") && h.To < h.From {
			r.Refuse(item, "", phrase.Say("office.setup.holiday", phrase.Literal("got", text)))
			continue
		}
		all = append(all, h)
	}
	if len(all) > mostHolidays {
		r.Refuse(n, "", phrase.Say("office.setup.holidays", phrase.Number("most", mostHolidays)))
	}
	return all
}

// readReminders reads how long before a deadline reminders go out, the longest
// first.
func readReminders(r *orders.Reader, n *orders.Node) []time.Duration {
	if r.Is(n, "none") {
		return nil
	}
	var all []time.Duration
	for _, item := range r.List(n) {
		if d, ok := readDuration(r, item); ok {
			all = append(all, d)
		}
	}
	if len(all) > mostReminders {
		r.Refuse(n, "", phrase.Say("office.setup.reminders", phrase.Number("most", mostReminders)))
	}
	slices.SortFunc(all, func(a, b time.Duration) int { return int(b/time.Second) - int(a/time.Second) })
	return slices.Compact(all)
}

// Bounds of the ladder against silence.
const (
	mostMissed   = 100
	mostReserves = 20
)

// readSilence reads the ladder against silence and who stands by.
func (o *Office) readSilence(r *orders.Reader, f orders.Fields, s *Setup) {
	if n := f.Get("silence"); n != nil && !r.Is(n, "none") {
		g := r.Fields(n, "bot", "replace", "share")
		rung := func(key string) int {
			n := g.Get(key)
			if n == nil || r.Is(n, "none") {
				return 0
			}
			count, _ := r.Int(n, 1, mostMissed)
			return count
		}
		s.Silence.Bot, s.Silence.Replace = rung("bot"), rung("replace")
		if n := g.Get("share"); n != nil {
			if r.Is(n, "none") {
				s.Silence.Share = 100
			} else {
				s.Silence.Share, _ = r.Int(n, 1, 100)
			}
		}
	}
	if n := f.Get("reserves"); n != nil && !r.Is(n, "none") {
		for _, item := range r.List(n) {
			if p, ok := o.readPerson(r, item); ok {
				s.Reserves = append(s.Reserves, p)
			}
		}
		switch {
		case len(s.Reserves) > mostReserves:
			r.Refuse(n, "", phrase.Say("office.setup.reserves", phrase.Number("most", mostReserves)))
		case len(s.Reserves) > 0 && s.Silence.Replace == 0:
			r.Refuse(n, "", phrase.Say("office.setup.reserves-when"))
		}
	}
}

// readWait reads how long to wait for an answer; none means for ever.
func readWait(r *orders.Reader, n *orders.Node) (time.Duration, bool) {
	if r.Is(n, "none") {
		return 0, true
	}
	return readDuration(r, n)
}

func readDuration(r *orders.Reader, n *orders.Node) (time.Duration, bool) {
	text, ok := r.Text(n)
	if !ok {
		return 0, false
	}
	d, ok := timing.ParseDuration(text)
	if !ok || d < shortestWait || d > longestWait {
		r.Refuse(n, "", phrase.Say("office.duration", phrase.Literal("got", text)))
		return 0, false
	}
	return d, true
}
