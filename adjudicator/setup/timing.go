package setup

import (
	"maps"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/intake"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// ruleKeys are what a rule for deadlines says.
var ruleKeys = []string{"usual", "least", "at", "zone", "weekdays", "holidays", "grace", "reminders", "early", "late"}

// readTiming reads the rules for deadlines: deadline: is a length of time, or a rule. Beside
// the rule's own keys there may be kinds of stops with rules of their own, which take from
// the first rule what they don't say.
func (rd *Reader) readTiming(r *orders.Reader, f orders.Fields, s *Setup, rules engine.Ruleset) {
	before := len(r.Problems)
	t := &s.Timing
	t.Usual = timing.Rule{Usual: 7 * 24 * time.Hour, Early: true}
	t.Zone = intake.ReadZone(r, f.Get("zone"))
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
	readKinds(r, kinds, s.stopChoices(rules, rd.Languages), t)
	readSecond(r, f.Get("second-thoughts"), t)
	if len(r.Problems) > before {
		return
	}
	at := n
	if at == nil {
		at = f.Node
	}
	rd.checkTiming(r, at, t)
}

// usualSecond is how long a stop waits in a new game if something about an answer is odd.
const usualSecond = 20 * time.Minute

// readSecond reads second-thoughts: none, a time after every last answer, or one only if an
// answer is odd.
func readSecond(r *orders.Reader, n *orders.Node, t *timing.Timing) {
	switch {
	case n == nil:
		t.Second, t.Odd = usualSecond, true
		return
	case r.Is(n, "none"):
		return
	}
	at := *n
	for _, end := range []string{" if odd", " se strano", " se insolito"} {
		if text, ok := strings.CutSuffix(strings.ToLower(strings.TrimSpace(n.Text)), end); ok && n.Kind == orders.Scalar {
			at.Text, t.Odd = text, true
		}
	}
	t.Second, _ = intake.ReadDuration(r, &at)
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
func (rd *Reader) checkTiming(r *orders.Reader, at *orders.Node, t *timing.Timing) {
	for _, kind := range append([]string{""}, slices.Sorted(maps.Keys(t.Kinds))...) {
		rule := t.Of(kind)
		switch {
		case !rule.Early && rule.Usual == 0:
			r.Refuse(at, "", phrase.Say("office.setup.never"))
		case rule.Usual > 0 && rule.Least > rule.Usual:
			r.Refuse(at, "", phrase.Say("office.setup.least"))
		case rule.Bound() && !rule.AllowsAny(timing.DayOf(rd.Now)):
			r.Refuse(at, "", phrase.Say("office.setup.no-day"))
		default:
			continue
		}
		return
	}
}

// stopChoices are the kinds of stops of a game with their names in every
// language, if the ruleset tells them, and the keys of a rule, so that a spelling mistake in
// either can be corrected.
func (s *Setup) stopChoices(rules engine.Ruleset, languages []string) []orders.Choice {
	if rules == nil || s.position == nil {
		return nil
	}
	var all []orders.Choice
	for _, kind := range rules.About().Stops {
		c := orders.Choice{ID: kind}
		view := s.position.View(s.position.Sides()[0])
		for _, language := range languages {
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

// readRule reads a rule for deadlines on top of the one that it changes.
func readRule(r *orders.Reader, n *orders.Node, rule *timing.Rule) {
	if n.Kind != orders.Map {
		if d, ok := intake.ReadWait(r, n); ok {
			rule.Usual, rule.Least = d, 0
		}
		return
	}
	f := r.Fields(n, ruleKeys...)
	if n := f.Get("usual"); n != nil {
		if d, ok := intake.ReadWait(r, n); ok {
			rule.Usual, rule.Least = d, 0
		}
	}
	if n := f.Get("least"); n != nil {
		rule.Least, _ = intake.ReadDuration(r, n)
	}
	if n := f.Get("at"); n != nil {
		rule.Clock = readClock(r, n)
	}
	if n := f.Get("zone"); n != nil {
		rule.Zone = intake.ReadZone(r, n)
	}
	if n := f.Get("weekdays"); n != nil {
		rule.Weekdays = readWeekdays(r, n)
	}
	if n := f.Get("holidays"); n != nil {
		rule.Holidays = readHolidays(r, n)
	}
	if n := f.Get("grace"); n != nil {
		rule.Grace, _ = intake.ReadWait(r, n)
	}
	if n := f.Get("reminders"); n != nil {
		rule.Reminders = readReminders(r, n)
	}
	if n := f.Get("early"); n != nil {
		if early, ok := r.Bool(n); ok {
			rule.Early = early
		}
	}
	if n := f.Get("late"); n != nil {
		word, _ := r.Word(n, "wait", "default")
		rule.Wait = word == "wait"
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
		if d, ok := intake.ReadDuration(r, item); ok {
			all = append(all, d)
		}
	}
	if len(all) > mostReminders {
		r.Refuse(n, "", phrase.Say("office.setup.reminders", phrase.Number("most", mostReminders)))
	}
	slices.SortFunc(all, func(a, b time.Duration) int { return int(b/time.Second) - int(a/time.Second) })
	return slices.Compact(all)
}
