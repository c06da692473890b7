package adjudicator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
)

// A Check is one thing that was looked into when a game was verified.
type Check struct {
	What  string   // what was looked into, in a few words
	Count int      // of how many things
	Wrong []string // what does not fit, each with its place; empty: all is well
	// Lost are letters from a time that a restore has lost: neither right nor wrong,
	// for an office that cheats would claim a restore.
	Lost []string `json:",omitempty"`
}

// Verified is what came of verifying a game.
type Verified struct {
	Game   string
	Checks []Check
	// Differ names the stops that today's rules would resolve otherwise than the
	// rules of that day did. That is no fraud: a resolved stop is never resolved
	// again behind the players' backs. But it is worth knowing.
	Differ []string
}

// Sound tells whether nothing is wrong.
func (v *Verified) Sound() bool {
	return !slices.ContainsFunc(v.Checks, func(c Check) bool { return len(c.Wrong) > 0 })
}

// Lost tells whether something is of a time that a restore has lost: then the game
// can't be said to hold.
func (v *Verified) Lost() bool {
	return slices.ContainsFunc(v.Checks, func(c Check) bool { return len(c.Lost) > 0 })
}

func (c *Check) fault(format string, args ...any) {
	c.Wrong = append(c.Wrong, fmt.Sprintf(format, args...))
}

// Verify checks an export with the rulesets given: the chain of its log, the
// dice against the published commitment, the orders against their hashes, and
// the whole game, played again, against the recorded positions. Of a game in
// progress nothing but the chain can be checked, for the seed is secret.
func Verify(x *Export, systems []engine.Ruleset) (*Verified, error) {
	if len(x.Entries) == 0 {
		return nil, errors.New("verify export: it holds no log: that of a running game is shown to its game master alone")
	}
	v := &Verified{Game: x.Game}
	chain, entries := checkChain(x)
	v.Checks = append(v.Checks, chain)
	v.Checks = append(v.Checks, checkSeeds(x, entries), checkDice(x, entries))
	for _, rules := range systems {
		if rules.About().ID == x.System {
			again, differ := playAgain(rules, entries)
			v.Checks = append(v.Checks, again)
			v.Differ = differ
		}
	}
	return v, nil
}

// A numbered entry of a log as it was read from an export. Data is nil if it was
// withheld.
type numbered struct {
	n    uint64
	kind string
	seat engine.Side
	stop int
	data json.RawMessage
}

// checkChain follows the chain of hashes.
func checkChain(x *Export) (Check, []numbered) {
	c := Check{What: "entries chained by hash"}
	var last store.Link
	var all []numbered
	for _, e := range x.Entries {
		c.Count++
		if e.N != last.Seq+1 {
			c.fault("entry %d comes after entry %d", e.N, last.Seq)
			last.Seq = e.N - 1
		}
		digest, private, err := e.digests()
		if err != nil {
			c.fault("entry %d: %v", e.N, err)
		}
		link := store.Chain(last, digest, private)
		if hex.EncodeToString(link.Hash[:]) != e.Hash {
			c.fault("the hash of entry %d does not fit", e.N)
			if hash, err := hex.DecodeString(e.Hash); err == nil && len(hash) == len(link.Hash) {
				copy(link.Hash[:], hash) // the rest may still fit
			}
		}
		last = link
		one := numbered{n: e.N}
		if e.Body != "" {
			var body struct {
				Kind string          `json:"kind"`
				Seat engine.Side     `json:"seat"`
				Stop int             `json:"stop"`
				Data json.RawMessage `json:"data"`
			}
			if err := json.Unmarshal([]byte(e.Body), &body); err != nil {
				c.fault("entry %d can't be read: %v", e.N, err)
			}
			one.kind, one.seat, one.stop, one.data = body.Kind, body.Seat, body.Stop, body.Data
		}
		all = append(all, one)
	}
	return c, all
}

// digests gives what the hash of an entry is made of.
func (e ExportedEntry) digests() (body [sha256.Size]byte, private []byte, err error) {
	half := func(salt, text, digest string) ([]byte, error) {
		if text == "" {
			return hex.DecodeString(digest)
		}
		s, err := hex.DecodeString(salt)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(append(s, text...))
		return sum[:], nil
	}
	b, err := half(e.Salt, e.Body, e.Digest)
	if err == nil && len(b) != len(body) {
		err = errors.New("its digest is too short")
	}
	copy(body[:], b)
	if err != nil {
		return body, nil, err
	}
	private, err = half(e.PrivateSalt, e.Private, e.PrivateDigest)
	return body, private, err
}

// commitments lists the commitments of a game in their order: that of its
// set-up, and those of rewinds after its end, when the seed was known already.
func commitments(entries []numbered) []string {
	var all []string
	for _, e := range entries {
		var data struct {
			Commitment string `json:"commitment"`
		}
		if e.kind == LogSetup || e.kind == LogRewound || e.kind == LogRuling {
			if json.Unmarshal(e.data, &data) == nil && data.Commitment != "" {
				all = append(all, data.Commitment)
			}
		}
	}
	return all
}

// checkSeeds compares the seeds with what was published of them in advance.
func checkSeeds(x *Export, entries []numbered) Check {
	c := Check{What: "seeds of the dice against what was published at the start"}
	all := commitments(entries)
	if len(all) == 0 || all[0] != x.Commitment {
		c.fault("the commitment of the first entry is not %s", x.Commitment)
	}
	for i, text := range x.Seeds {
		c.Count++
		seed, err := hex.DecodeString(text)
		if err != nil || i >= len(all) || commitment(seed) != all[i] {
			c.fault("seed %d is not the one that was committed to", i+1)
		}
	}
	told := 0
	for _, e := range entries {
		var data struct {
			Seed string `json:"seed"`
		}
		if e.kind != LogOver && e.kind != LogClosed || json.Unmarshal(e.data, &data) != nil || data.Seed == "" {
			continue
		}
		if told++; told > len(x.Seeds) || x.Seeds[told-1] != data.Seed {
			c.fault("the seed that entry %d publishes is not seed %d of the export", e.n, told)
		}
	}
	if told != len(x.Seeds) {
		c.fault("the log publishes %d seeds, the export has %d", told, len(x.Seeds))
	}
	return c
}

// checkDice rolls the dice of all stops again.
func checkDice(x *Export, entries []numbered) Check {
	c := Check{What: "dice rolled again from the seed and the orders"}
	seed := 0
	for _, e := range entries {
		switch e.kind {
		case LogOver, LogClosed:
			seed++
			continue
		case LogResolved:
		default:
			continue
		}
		if seed >= len(x.Seeds) {
			break // still secret
		}
		var r Resolved
		if err := json.Unmarshal(e.data, &r); err != nil {
			c.fault("entry %d can't be read: %v", e.n, err)
			continue
		}
		hash := hashOrders(r.Answers)
		if hex.EncodeToString(hash[:]) != r.Orders {
			c.fault("entry %d, stop %d: the hash of the orders does not fit", e.n, e.stop)
		}
		secret, err := hex.DecodeString(x.Seeds[seed])
		if err != nil {
			c.fault("seed %d is not hexadecimal", seed+1)
			break
		}
		dice := &engine.RuledDice{Dice: engine.NewSeededDice(secret, x.Game, e.stop, hash), Results: r.Ruled}
		for i, roll := range r.Rolls {
			c.Count++
			if got := dice.Roll(roll.Sides, roll.Purpose); got != roll.Result {
				c.fault("entry %d, stop %d, roll %d: a %d was recorded, the seed gives %d", e.n, e.stop, i+1, roll.Result, got)
			}
		}
	}
	return c
}

// playAgain plays the game again from its set-up with the recorded answers and
// rolls, and compares what comes of it. At the first stop that comes out
// otherwise it ends: what followed was played from another position.
func playAgain(rules engine.Ruleset, entries []numbered) (Check, []string) {
	c := Check{What: "stops played again with the recorded orders and dice"}
	var differ []string
	at := map[uint64]engine.Position{} // after which entry
	var now engine.Position
	for _, e := range entries {
		var err error
		switch e.kind {
		case LogSetup:
			var m Made
			if err = json.Unmarshal(e.data, &m); err == nil {
				now, err = rules.New(engine.Setup{Scenario: m.Scenario, Data: []byte(m.Data), Options: m.Options})
			}
		case LogStanding:
			err = standingAgain(rules, now, e)
		case LogResolved:
			c.Count++
			err = stopAgain(rules, now, e)
		case LogRewound:
			var r Rewound
			if err = json.Unmarshal(e.data, &r); err == nil {
				if at[r.To] == nil {
					c.fault("entry %d goes back to entry %d, after which no position is known", e.n, r.To)
					return c, differ
				}
				now = at[r.To].Clone()
			}
		case LogRuling:
			now, err = ruledAgain(rules, now, at, e)
		default:
			continue
		}
		var other *otherwise
		switch {
		case errors.As(err, &other):
			differ = append(differ, fmt.Sprintf("entry %d, stop %d: %v", e.n, e.stop, err))
			return c, differ
		case err != nil:
			c.fault("entry %d, stop %d: %v", e.n, e.stop, err)
			return c, differ
		}
		at[e.n] = now.Clone()
	}
	return c, differ
}

// otherwise is why today's rules would do something else.
type otherwise struct{ why string }

func (o *otherwise) Error() string { return o.why }

// stopAgain resolves a stop again.
func stopAgain(rules engine.Ruleset, p engine.Position, e numbered) error {
	var r Resolved
	if err := json.Unmarshal(e.data, &r); err != nil {
		return err
	}
	if p == nil {
		return errors.New("the log does not begin with a set-up")
	}
	owed := p.Owed()
	if !slices.EqualFunc(owed, r.Answers, func(d engine.Decision, g Given) bool { return d == g.Decision }) {
		return &otherwise{"other decisions would be owed"}
	}
	answers := map[engine.Side]engine.Answer{}
	for _, g := range r.Answers {
		doc, problems := orders.Parse(g.Orders, nil)
		if len(problems) == 0 {
			var a engine.Answer
			if a, problems = rules.Read(p.View(g.Decision.Side), g.Decision, doc); len(problems) == 0 {
				answers[g.Decision.Side] = a
			}
		}
		if len(problems) > 0 {
			return &otherwise{fmt.Sprintf("the orders of %s would be refused", g.Decision.Side)}
		}
	}
	fixed := &engine.FixedDice{}
	for _, roll := range r.Rolls {
		fixed.Results = append(fixed.Results, roll.Result)
	}
	var now Resolved
	snapshot, err := advance(p, answers, fixed, &now)
	if err != nil {
		return &otherwise{err.Error()}
	}
	if len(fixed.Faults) > 0 || fixed.Used != len(fixed.Results) {
		return &otherwise{"other dice would be rolled"}
	}
	sum := sha256.Sum256(snapshot)
	if hex.EncodeToString(sum[:]) != r.Position {
		return &otherwise{"the position would be another"}
	}
	had, err := json.Marshal(r.Events)
	if err != nil {
		return err
	}
	have, err := json.Marshal(now.Events)
	if err != nil {
		return err
	}
	if !bytes.Equal(had, have) {
		return &otherwise{"other things would be told"}
	}
	return nil
}

// standingAgain gives standing orders again. Those of other sides are withheld
// from a player's export: then nothing can be compared from there on.
func standingAgain(rules engine.Ruleset, p engine.Position, e numbered) error {
	var t Taken
	if err := json.Unmarshal(e.data, &t); err != nil {
		return err
	}
	instructor, ok := rules.(engine.Instructor)
	position, able := p.(engine.Instructed)
	if !ok || !able {
		return &otherwise{"standing orders would not be taken"}
	}
	doc, problems := orders.Parse(t.File, nil)
	if len(problems) > 0 {
		return &otherwise{"standing orders would be refused"}
	}
	given, problems := instructor.ReadStanding(p.View(e.seat), doc)
	if len(problems) > 0 {
		return &otherwise{"standing orders would be refused"}
	}
	if err := position.Instruct(e.seat, given); err != nil {
		return &otherwise{err.Error()}
	}
	return nil
}

// hashInLetter finds the hash of the log that stands at the foot of a letter.
var hashInLetter = regexp.MustCompile(`(?:hash|impronta)\s+([0-9a-f]{16})\b`)

// entryInLetter finds the number of the entry that has the hash, in letters that
// tell it.
var entryInLetter = regexp.MustCompile(`(?:log entry|registro, voce)\s+(\d+)\s+·\s+(?:hash|impronta)\s+([0-9a-f]{16})\b`)

// commitmentInLetter finds a SHA-256 or a seed that a letter publishes.
var commitmentInLetter = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// VerifyLetters compares the letters that a player got, as raw mail by the name
// of their file, with an export: the hash at the foot of each must be one of the
// log's, with its number where that is told, and what was published of the dice must be what the log says. So a log
// that was made up anew shows, whoever made it up.
func VerifyLetters(x *Export, letters map[string][]byte) Check {
	c := Check{What: "letters whose hashes are in the log"}
	known := map[string]uint64{}
	for _, e := range x.Entries {
		if len(e.Hash) >= 16 {
			known[e.Hash[:16]] = e.N
		}
	}
	published := map[string]bool{x.Commitment: true}
	for _, seed := range x.Seeds {
		published[seed] = true
	}
	_, entries := checkChain(x)
	for _, sum := range commitments(entries) {
		published[sum] = true
	}
	lostTimes := lostTimesOf(x)
	for _, name := range sortedNames(letters) {
		letter, err := mail.Read(letters[name], mail.Own{})
		if err != nil {
			c.fault("%s can't be read: %v", name, err)
			continue
		}
		text := textOf(letter)
		if !strings.Contains(text, x.Game) {
			continue // of another game
		}
		found := hashInLetter.FindStringSubmatch(text)
		if found == nil {
			continue // one of the player's own, or without a log behind it
		}
		c.Count++
		if known[found[1]] == 0 {
			var entry uint64
			if told := entryInLetter.FindStringSubmatch(text); told != nil {
				entry, _ = strconv.ParseUint(told[1], 10, 64) // of digits; one too great is of no log
			}
			if says, lost := lostLetter(lostTimes, name, letter, entry); lost {
				c.Lost = append(c.Lost, says)
				continue
			}
			c.fault("%s: its hash %s is not in the log", name, found[1])
		}
		if told := entryInLetter.FindStringSubmatch(text); told != nil && told[1] != strconv.FormatUint(known[told[2]], 10) {
			c.fault("%s: its hash %s is not that of entry %s", name, told[2], told[1])
		}
		for _, sum := range commitmentInLetter.FindAllString(text, -1) {
			if !published[sum] {
				c.fault("%s: the log knows nothing of %s…", name, sum[:16])
			}
		}
	}
	return c
}

// textOf is all text of a letter.
func textOf(l *mail.Letter) string {
	var all []string
	for _, p := range l.Parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}

func sortedNames(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }
