package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/course"
	"berthier/orders"
)

// A waypoint is where a game stood after an entry of its log that moved it, as the replay
// works it out.
type waypoint struct {
	parent   uint64
	kind     string
	at       time.Time
	place    int                 // of the stop that is open, or would be; counted, not read
	position engine.Position     // nil: it is not known
	ended    bool                // the game was over
	asked    map[engine.Side]int // how often each side was asked, the open stop included; nil: not known
	seats    map[engine.Side]int // who sits where: the number of a player
	resolved *log.Resolved
	die      *log.Ruling                   // that replaced a die of the next stop
	dieBy    uint64                        // its entry
	founded  map[int]uint64                // rulings that replaced dice of the stop, by the number of the roll
	put      *log.Ruling                   // that put an answer into the next stop
	ahead    map[engine.Side]*waiting      // what seats had filed ahead when the stop opened
	left     map[engine.Side]*waiting      // what of it was left when the stop had been tried; nil: it was not
	tried    map[engine.Side]ahead.Outcome // what it came to
	stays    map[engine.Side]*waiting      // what players who have left had filed: an answer that came from it stays in force
	kept     bool                          // from here on, stops that are done again keep their dice: the seed had been published
}

// A replay plays a game again from its log.
type replay struct {
	*Verified
	x       *log.Export
	entries []numbered
	rules   engine.Ruleset
	made    log.Made
	digest  string // of the rules of this program
	inForce string // of those of the log, at the entry that is read
	seeds   [][]byte
	seed    int
	moments map[uint64]*waypoint
	head64  uint64
	back    uint64              // the entry that last brought the game back behind something; 0: none
	own     bool                // there only that waits again which the present players have filed
	epochs  map[engine.Side]int // how often a seat has got another player
	terms   map[int]int         // how often each player has left a seat
	ended   map[int]int         // of these, the last with which all ended that he had filed ahead
	bots    map[int]bool        // players for whom the bot plays
	seated  map[int]string      // bots that have seats of their own, and which they are
	gone    map[int]bool        // players who have resigned
	decided *engine.Outcome
	rulings map[uint64]*log.Ruling
	over    bool
	early   int // rolls before the first answer

	opened    time.Time // when the open stop was
	stood     []string  // standing orders that were given
	unlike    string    // digest of rules that were found to play otherwise
	differing int       // how much this program plays differently, except bots
	answered  bool

	files                     *filed
	rolls                     *rolled
	dice, stops, answers, end Check
}

// whatStops is what the check of stops is called.
const whatStops = "stops played again with the recorded orders and dice"

func newReplay(v *Verified, x *log.Export, entries []numbered, systems []engine.Ruleset) *replay {
	r := &replay{
		Verified: v, x: x, entries: entries, moments: map[uint64]*waypoint{},
		bots: map[int]bool{}, epochs: map[engine.Side]int{}, terms: map[int]int{}, ended: map[int]int{}, seated: map[int]string{}, gone: map[int]bool{}, rulings: map[uint64]*log.Ruling{},
		dice:    Check{What: "dice rolled again from the seed and the orders"},
		stops:   Check{What: whatStops},
		answers: Check{What: "answers against what their seats had sent"},
		end:     Check{What: "set-up and outcome against the game that was played"},
	}
	r.files = &filed{r: r, pending: map[engine.Side]*pending{}, silent: map[engine.Side]int{},
		former: map[uint64]map[engine.Side][]*pending{}, row: map[int]int{}, missed: map[int]time.Time{}}
	r.rolls = &rolled{r: r}
	for i, text := range x.Seeds {
		seed, err := hex.DecodeString(text)
		if err != nil {
			r.dice.fault("seed %d is not hexadecimal", i+1)
		}
		r.seeds = append(r.seeds, seed)
	}
	if len(entries) == 0 || entries[0].kind != log.KindSetup || json.Unmarshal(entries[0].data, &r.made) != nil {
		r.end.fault("the first entry is no set-up")
		return r
	}
	for _, rules := range systems {
		if rules.About().ID == r.made.System {
			r.rules, r.digest = rules, engine.Digest(rules)
		}
	}
	r.inForce = r.made.Rules
	return r
}

// head compares what stands above the log with the set-up in it.
func (r *replay) head(x *log.Export) {
	r.end.Count++
	if r.made.Game != x.Game {
		r.end.fault("the file names the game %s, the set-up %s", x.Game, r.made.Game)
	}
	if r.made.System != x.System {
		r.end.fault("the file names the system %s, the set-up %s", x.System, r.made.System)
	}
	if r.made.DiceScheme() > log.Scheme {
		r.unchecked("its dice come from the seed in a way (scheme %d) that this program does not know", r.made.Scheme)
	}
	if r.made.Words > log.Words {
		r.unchecked("its answers are written in words (%d) that this program does not know", r.made.Words)
	}
	if r.rules == nil && r.made.System != "" {
		r.unchecked("this program has no ruleset %q: no stop was played again", r.made.System)
	}
}

// same tells whether the rules in force at the entry that is read are those of this
// program: then a different result is not caused by rules.
func (r *replay) same() bool { return r.digest != "" && r.inForce == r.digest }

// otherwise notes that this program plays something differently from the log.
func (r *replay) otherwise(c *Check, e numbered, format string, args ...any) {
	text := fmt.Sprintf("entry %d, stop %d: ", e.n, e.stop) + fmt.Sprintf(format, args...)
	if r.same() {
		c.Wrong = append(c.Wrong, text+", though its rules are those of this program")
		return
	}
	r.differing++
	r.Differ = append(r.Differ, text)
}

// now is where the game stands.
func (r *replay) now() *waypoint { return r.moments[r.head64] }

// run goes through the log from its first entry to its last.
func (r *replay) run() {
	for _, e := range r.entries {
		switch e.kind {
		case log.KindSetup:
			r.begin(e)
		case log.KindWord:
			r.rolls.word(e)
		case log.KindLuck:
			r.rolls.luck(e)
		case log.KindRules:
			r.otherRules(e)
		case log.KindStanding:
			r.standing(e)
		case log.KindTaken:
			r.files.taken(e)
		case log.KindAhead:
			aheads{r}.filedAhead(e)
		case log.KindDeadline:
			r.files.passed(e)
		case log.KindBot:
			r.botPlays(e)
		case log.KindReturned:
			delete(r.bots, r.player(e.seat))
		case log.KindReplaced:
			r.epochs[e.seat]++
			aheads{r}.leaves(e)
			r.replaced(e)
		case log.KindResigned:
			aheads{r}.leaves(e)
			r.resigned(e)
		case log.KindVacated:
			r.epochs[e.seat]++
			aheads{r}.leaves(e)
			r.gone[r.player(e.seat)] = true
			delete(r.bots, r.player(e.seat))
		case log.KindProcessed:
			r.files.processed(e)
		case log.KindChanged:
			r.files.madeAnew(e)
		case log.KindRestored:
			r.restores(e)
		case log.KindResolved:
			r.resolve(e)
		case log.KindRewound:
			r.rewound(e)
		case log.KindRuling:
			r.ruling(e)
		case log.KindOver, log.KindClosed:
			r.closes(e)
		}
	}
}

// move notes the game's state after an entry.
func (r *replay) move(e numbered, m *waypoint) {
	m.parent, m.kind, m.at = r.head64, e.kind, e.at
	if m.position != nil {
		_, m.ended = m.position.Outcome()
	}
	r.moments[e.n] = m
	r.head64 = e.n
}

// opens counts that the sides of the open stop are asked.
func (m *waypoint) opens(owed []engine.Decision) {
	if m.asked == nil {
		return
	}
	for _, d := range owed {
		m.asked[d.Side]++
	}
}

// begin sets the game up.
func (r *replay) begin(e numbered) {
	if e.n != 1 {
		r.end.fault("entry %d is a second set-up", e.n)
		return
	}
	r.openAt(e.at)
	m := &waypoint{place: 1, asked: map[engine.Side]int{}, seats: map[engine.Side]int{}}
	if r.rules != nil {
		p, err := r.rules.New(engine.Setup{Scenario: r.made.Scenario, Data: []byte(r.made.Data), Options: r.made.Options, Policies: r.made.Policies})
		if err != nil {
			r.otherwise(&r.end, e, "the game would not be set up so: %v", err)
		} else {
			m.position = p
			for i, side := range p.Sides() {
				m.seats[side] = i
				if bot := r.made.Bots[side]; bot != "" {
					r.seated[i] = bot
				}
			}
			owed := p.Owed()
			if _, ended := p.Outcome(); !ended && len(owed) == 0 {
				m.place = 0
			}
			m.opens(owed)
		}
	}
	if m.position == nil {
		m.asked = nil
		if first := r.firstStop(); first != nil && len(first.Answers) == 0 {
			m.place = 0
		}
	}
	r.move(e, m)
}

// firstStop is how the first stop of the log was resolved, nil if none was.
func (r *replay) firstStop() *log.Resolved {
	for _, e := range r.entries {
		if e.kind == log.KindResolved {
			var s log.Resolved
			if json.Unmarshal(e.data, &s) == nil {
				return &s
			}
		}
	}
	return nil
}

// player is the number of the player who has a side now.
func (r *replay) player(side engine.Side) int {
	m := r.now()
	if m == nil {
		return -1
	}
	if n, ok := m.seats[side]; ok {
		return n
	}
	n := len(m.seats)
	m.seats[side] = n
	return n
}

// goesOn takes up the position with which a game went on under rules that its master
// accepted: the log has it, and it must be the position after the last stop.
func (r *replay) goesOn(e numbered, c *log.RulesChanged) {
	was := r.now()
	if was == nil || was.position != nil || c.Position == "" || r.rules == nil {
		return
	}
	sum := sha256.Sum256([]byte(c.Position))
	if was.resolved != nil && was.resolved.Position != hex.EncodeToString(sum[:]) {
		r.stops.fault("entry %d: the game went on from another position than it had", e.n)
		return
	}
	if p, err := r.rules.Load([]byte(c.Position)); err == nil {
		was.position = p
	}
}

// standing gives standing orders again. A player's export of an old game withholds those of
// other sides: then nothing can be compared from there on.
func (r *replay) standing(e numbered) {
	was := r.now()
	if was == nil {
		r.stops.fault("entry %d: the log does not begin with a set-up", e.n)
		return
	}
	m := was.copied()
	if was.position != nil {
		p := was.position.Clone()
		if err := r.standingAgain(p, e, m); err != nil {
			r.otherwise(&r.stops, e, "%v", err)
		} else {
			m.position = p
			aheads{r}.try(m, e.seat)
		}
	}
	r.move(e, m)
}

// standingAgain gives standing orders again.
func (r *replay) standingAgain(p engine.Position, e numbered, m *waypoint) error {
	var t log.Taken
	if err := json.Unmarshal(e.data, &t); err != nil {
		return err
	}
	r.sentBy(e, t.File)
	instructor, ok := r.rules.(engine.Instructor)
	position, able := p.(engine.Instructed)
	if !ok || !able {
		return errors.New("standing orders would not be taken")
	}
	doc, problems := orders.Parse(t.File, nil)
	doc.Accepted = !r.same()
	if len(problems) > 0 {
		return errors.New("standing orders would be refused")
	}
	given, problems := instructor.ReadStanding(p.View(e.seat), r.dated(doc))
	if len(problems) > 0 {
		return errors.New("standing orders would be refused")
	}
	at := &waypoint{position: p, ahead: m.ahead}
	if e.by != "office" || t.Aside { // who gives back what was in force for a while changes nothing
		aheads{r}.aside(at, e.seat, given)
	}
	if pd := r.files.pending[e.seat]; pd != nil {
		pd.aside = append(slices.Clip(pd.aside), ahead.Changed(r.rules, p.View(e.seat), given)...)
	}
	if r.files.spoken == nil {
		r.files.spoken = map[int][]string{}
	}
	r.files.spoken[r.player(e.seat)] = append(r.files.spoken[r.player(e.seat)], ahead.Changed(r.rules, p.View(e.seat), given)...)
	r.files.filesAhead(e, &t)
	if t.Ahead != "" {
		aheads{r}.takes(at, e.seat, e.n)
		at.tried = m.tried
		aheads{r}.alone(at, e)
	}
	return position.Instruct(e.seat, given)
}

// resolve plays a stop again and checks everything that the log says about it.
func (r *replay) resolve(e numbered) {
	r.stops.Count++
	var s log.Resolved
	was := r.now()
	switch err := json.Unmarshal(e.data, &s); {
	case err != nil:
		r.stops.fault("entry %d can't be read: %v", e.n, err)
		return
	case was == nil:
		r.stops.fault("entry %d: the log does not begin with a set-up", e.n)
		return
	case r.over:
		r.stops.fault("entry %d: a stop is resolved after the end of the game", e.n)
	case was.ended:
		r.stops.fault("entry %d: a stop is resolved in a game that is decided", e.n)
	}
	if e.stop != was.place {
		r.stops.fault("entry %d: its stop is called %d, and is number %d of its branch", e.n, e.stop, was.place)
	}
	if len(s.Answers) > 0 {
		r.answered = true
	} else if !r.answered {
		r.early += len(s.Rolls)
	}
	normal := r.files.judge(e, was, &s)
	r.rolls.roll(e, was, &s, normal)
	founded := r.rolls.ruled(e, was, &s)
	left := aheads{r}.waits(e, was, &s, normal)
	m := &waypoint{place: was.place + 1, ahead: left, asked: maps.Clone(was.asked), seats: exchanged(was.seats, s.Events), resolved: &s, kept: was.kept, founded: founded}
	if was.position != nil && normal != nil {
		m.position = r.advance(e, was.position.Clone(), normal, &s)
	}
	if m.position == nil {
		m.asked, m.ended = nil, s.Outcome != nil
		if was.position != nil || was.kind == log.KindSetup {
			r.unchecked("stops after entry %d: the position there is not known", e.n)
		}
	} else {
		r.outcome(e, m.position, &s)
		m.opens(m.position.Owed())
	}
	for _, event := range s.Events {
		for _, side := range event.Exchange {
			r.epochs[side]++
			delete(m.ahead, side)
		}
	}
	aheads{r}.lapse(m)
	r.files.countSilence(e, &s)
	r.files.redone(e)
	r.files.pending, r.files.silent = map[engine.Side]*pending{}, map[engine.Side]int{}
	r.openAt(e.at)
	aheads{r}.try(m)
	r.move(e, m)
}

// exchanged gives who sits where after the events of a stop.
func exchanged(seats map[engine.Side]int, events []engine.Event) map[engine.Side]int {
	now := maps.Clone(seats)
	for _, event := range events {
		if pair := event.Exchange; len(pair) == 2 {
			now[pair[0]], now[pair[1]] = now[pair[1]], now[pair[0]]
		}
	}
	return now
}

// advance plays a position on with answers that were read again, and compares the result
// with the log. It gives the position after it; nil if that is not known.
func (r *replay) advance(e numbered, p engine.Position, normal map[engine.Side]engine.Answer, s *log.Resolved) engine.Position {
	fixed := &engine.FixedDice{}
	for _, roll := range s.Rolls {
		fixed.Results = append(fixed.Results, roll.Result)
	}
	dice := &engine.Recorder{Dice: fixed}
	events, snapshot, err := course.Advance(p, normal, dice, s.Asked)
	if err != nil {
		r.otherwise(&r.stops, e, "%v", err)
		return nil
	}
	fit := slices.EqualFunc(dice.Rolls, s.Rolls, func(a, b engine.Roll) bool { return a.Sides == b.Sides && a.Purpose.Code == b.Purpose.Code })
	if len(fixed.Faults) > 0 || fixed.Used != len(fixed.Results) || !fit {
		r.otherwise(&r.stops, e, "other dice would be rolled")
		return nil
	}
	sum := sha256.Sum256(snapshot)
	if hex.EncodeToString(sum[:]) != s.Position {
		r.otherwise(&r.stops, e, "the position would be another")
		return nil
	}
	if !alike(dice.Rolls, s.Rolls) {
		r.otherwise(&r.stops, e, "other dice would be rolled: they are for something else")
	}
	if !alike(events, s.Events) && !(r.made.Former() && alikeButForSpelling(events, s.Events)) && (r.same() || !toldFormerly(r.rules, events, s.Events)) {
		r.otherwise(&r.stops, e, "other things would be told")
	}
	return p
}

// toldFormerly tells whether a log that was kept with other rules tells the same as this
// program, except for what its tellings have come to say since. (Where the rules are those
// of this program, nothing may be left out.)
func toldFormerly(ruleset engine.Ruleset, now, then []engine.Event) bool {
	rules, ok := ruleset.(engine.Retold)
	if rejoined, both := ruleset.(engine.Rejoined); both && len(now) != len(then) {
		now = rejoined.Apart(now)
	}
	if !ok || len(now) != len(then) {
		return false
	}
	for i := range now {
		if len(now[i].Tellings) != len(then[i].Tellings) {
			return false
		}
		was := now[i]
		was.Tellings = slices.Clone(was.Tellings)
		for k := range was.Tellings {
			if old := then[i].Tellings[k].Say; rules.Formerly(was.Tellings[k].Say, old) {
				was.Tellings[k].Say = old
			}
		}
		if !alike(was, then[i]) {
			return false
		}
	}
	return true
}

// alikeButForSpelling tells whether two values are written alike except for underscores,
// with which the names of standing orders were once written.
func alikeButForSpelling(a, b any) bool {
	one, err1 := json.Marshal(a)
	two, err2 := json.Marshal(b)
	plain := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("_"), []byte("-")) }
	return err1 == nil && err2 == nil && bytes.Equal(plain(one), plain(two))
}

// alike tells whether two values are written alike.
func alike(a, b any) bool {
	one, err1 := json.Marshal(a)
	two, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(one, two)
}
