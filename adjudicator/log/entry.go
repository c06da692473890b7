package log

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// openKinds are the entries that every player may read when the game is over,
// whoever they are about. Files as they were sent, letters between players and
// trouble with mail can be read only by those whom they concern; what was ordered stands
// in the entry of the resolved stop.
var openKinds = []string{KindSetup, KindResolved, KindDeadline, KindOver, KindClosed, KindPaused, KindResumed, KindExtended, KindResigned,
	KindStanding, KindDispute, KindRuling, KindRewound, KindLooked, KindPreview, KindBot, KindReturned, KindReplaced, KindWord, KindLuck, KindRules,
	KindRestored, KindMasters, KindProcessed, KindVacated, KindChanged, KindAdopted}

// openActs are entries that every player may read, too, if they are about what a game
// master did. What he did with files and letters of players is not among them.
var openActs = []string{KindReminded, KindReleased, KindKey, KindObserver, KindRefiled}

// OpenKind tells whether every player may read entries of a kind when the game is over,
// given who wrote them.
func OpenKind(kind, by string) bool {
	return slices.Contains(openKinds, kind) || by == ByGM && slices.Contains(openActs, kind)
}

// OpenEntry tells whether every player may read an entry when the game is over. Entries about
// observers once had the address in their body: such entries stay withheld.
func OpenEntry(e Entry, body []byte) bool {
	switch {
	case slices.Contains(openKinds, e.Kind):
		return true
	case !OpenKind(e.Kind, e.By):
		return false
	}
	var data struct {
		Person json.RawMessage `json:"person"`
	}
	_, err := Decode(body, &data)
	return err == nil && data.Person == nil
}

// SeedIn finds the seed that an entry publishes.
func SeedIn(body []byte) string {
	var data struct {
		Seed string `json:"seed"`
	}
	e, err := Decode(body, &data)
	if err != nil || e.Kind != KindOver && e.Kind != KindClosed {
		return ""
	}
	return data.Seed
}

// An Entry of a game's log is what happened, as JSON. Kinds may be added; a program that
// reads a log must keep entries that it does not know.
type Entry struct {
	Kind   string      `json:"kind"` // one of the Kind constants
	At     time.Time   `json:"at"`
	Seat   engine.Side `json:"seat,omitempty"`   // whom it is about
	By     string      `json:"by,omitempty"`     // who did it: "player", "gm", "office"
	Letter string      `json:"letter,omitempty"` // digest of the letter that did it, hex
	Stop   int         `json:"stop,omitempty"`   // number of the stop, counting all sides'
	Data   any         `json:"data,omitempty"`   // by kind

	// Private is what other players may not learn even when the game is over and
	// the log is published: persons with their addresses.
	Private any `json:"-"`
}

// Kinds of log entries.
const (
	KindSetup      = "setup"      // the game was made
	KindTaken      = "taken"      // an order file counts
	KindBeforehand = "beforehand" // an order file is kept for a stop that may open next
	KindRefused    = "refused"    // an order file does not count
	KindStanding   = "standing"   // standing orders came without an answer, and are in force
	KindAhead      = "ahead"      // something was filed ahead without an answer
	KindDeadline   = "deadline"   // a deadline passed without an answer
	KindResolved   = "resolved"   // a stop was resolved
	KindOver       = "over"       // the game ended; holds the seed
	KindPaused     = "paused"
	KindResumed    = "resumed"
	KindExtended   = "extended"
	KindReminded   = "reminded"
	KindReplaced   = "replaced"  // a seat has another player
	KindExchanged  = "exchanged" // the players of two seats changed places
	KindResigned   = "resigned"
	KindLate       = "late"      // a deadline passed without an answer, and the grace has begun
	KindBot        = "bot"       // the bot plays for a seat that stays silent
	KindReturned   = "returned"  // the player is back, and the bot no longer plays
	KindAbsence    = "absence"   // a player has booked an absence, or withdrawn it
	KindHeld       = "held"      // an interlock holds the default back
	KindReleased   = "released"  // a game master let go on what was held back
	KindObserver   = "observer"  // somebody looks on, sees something else now, or no longer looks on
	KindPress      = "press"     // a letter of a player was passed on
	KindClosed     = "closed"    // a game master ended the game; holds the seed
	KindLost       = "lost"      // a letter could not be delivered
	KindFault      = "fault"     // the ruleset could not go on
	KindRuling     = "ruling"    // a game master overruled something
	KindKey        = "key"       // somebody has another key, or another public key
	KindPreview    = "previewed" // a game master looked at what a ruling would do
	KindDispute    = "dispute"   // a player disputes an event
	KindRewound    = "rewound"   // a game master went back to an earlier stop
	KindWord       = "word"      // a player's word for luck
	KindLuck       = "luck"      // the players' words for luck are in, and the game begins
	KindRules      = "rules"     // the program has other rules than the game began with
	KindRefiled    = "refiled"   // a game master filed a letter again that could not be read when it came
	KindRestored   = "restored"  // the database was restored from a copy: what came after that copy is lost
	KindMasters    = "masters"   // the game has other game masters, or in another order
	KindProcessed  = "processed" // a game master had a stop resolved before its time
	KindVacated    = "vacated"   // a game master took a seat from its player
	KindChanged    = "changed"   // a game master changed the set-up of the running game
	KindAdopted    = "adopted"   // the game is taken into the season of a league
	KindRematch    = "rematch"   // a player of the finished game wants to play it again with sides changed, or that game is made
	KindLooked     = "looked"    // somebody asked at the office's machine for what is hidden, in a game that is closed to some of its game masters
)

// KindSealed is the kind that readers other than the game master see of an entry that
// can't affect the game: letters between players, addresses, faults. Everything that it says
// is in its private part. So a reader can tell it from an entry that affects the game and
// is withheld.
const KindSealed = "sealed"

// A sealedEntry is the part of an entry that its body does not tell, as its private part
// holds it.
type sealedEntry struct {
	Kind   string          `json:"kind,omitempty"`
	Seat   engine.Side     `json:"seat,omitempty"`
	By     string          `json:"by,omitempty"`
	Letter string          `json:"letter,omitempty"`
	Stop   int             `json:"stop,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

// shownTaken is what everybody may read about a file that counts, once the game is over:
// that it came, a seal of its orders, and whether what it files ahead counts.
type shownTaken struct {
	SeatStop  int    `json:"seat_stop"`
	Final     bool   `json:"final"`
	Seal      string `json:"seal,omitempty"`
	AheadSeal string `json:"ahead_seal,omitempty"`
	Late      bool   `json:"late,omitempty"`
}

// shown is what everybody may read of a file.
func (t *Taken) shown() shownTaken {
	return shownTaken{SeatStop: t.SeatStop, Final: t.Final, Seal: t.Seal, AheadSeal: t.AheadSeal, Late: t.Late}
}

// showsSeals tells whether of entries of a kind everybody may read that they are there, and
// their seals.
func showsSeals(kind string) bool { return kind == KindTaken || kind == KindAhead }

// Encode writes an entry of a game as its log keeps it: the body, and the private
// part; nil if it has none.
func Encode(e Entry, scheme int) (body, private []byte, err error) {
	hidden, _ := e.Private.(map[string]any)
	if hidden == nil {
		hidden = map[string]any{}
	}
	open, err := sealEntry(&e, hidden, scheme)
	if err != nil {
		return nil, nil, err
	}
	if len(hidden) > 0 {
		e.Private = hidden
	}
	if body, err = json.Marshal(open); err != nil {
		return nil, nil, fmt.Errorf("write log entry %s: %w", e.Kind, err)
	}
	if e.Private != nil {
		if private, err = json.Marshal(e.Private); err != nil {
			return nil, nil, fmt.Errorf("write log entry %s: %w", e.Kind, err)
		}
	}
	return body, private, nil
}

// sealEntry moves what others must not read even after the end from the body of an entry to
// its private part, beside what is there already. Games of the first scheme withhold
// whole bodies instead.
func sealEntry(e *Entry, private map[string]any, scheme int) (Entry, error) {
	open := *e
	if scheme == FirstScheme || OpenKind(e.Kind, e.By) {
		return open, nil
	}
	s := sealedEntry{}
	if e.Data != nil {
		data, err := json.Marshal(e.Data)
		if err != nil {
			return open, fmt.Errorf("write log entry %s: %w", e.Kind, err)
		}
		s.Data = data
	}
	open.Data = nil
	if t, ok := e.Data.(Taken); ok && showsSeals(e.Kind) {
		open.Data = t.shown()
	} else {
		s.Kind, s.Seat, s.By, s.Letter, s.Stop = e.Kind, e.Seat, e.By, e.Letter, e.Stop
		open.Kind, open.Seat, open.By, open.Letter, open.Stop = KindSealed, "", "", "", 0
	}
	private["sealed"] = s
	return open, nil
}

// Read reads an entry of the log whole, its data into a type by kind.
func Read(e chain.Entry, data any) (Entry, error) {
	read, err := Decode(e.Body, data)
	if err != nil || len(e.Private) == 0 {
		return read, err
	}
	var private struct {
		Sealed *sealedEntry `json:"sealed"`
	}
	if err := json.Unmarshal(e.Private, &private); err != nil {
		return read, fmt.Errorf("read log entry: %w", err)
	}
	s := private.Sealed
	if s == nil {
		return read, nil
	}
	if read.Kind == KindSealed && !showsSeals(s.Kind) && !OpenKind(s.Kind, s.By) {
		read.Kind, read.Seat, read.By, read.Letter, read.Stop = s.Kind, s.Seat, s.By, s.Letter, s.Stop
	}
	if len(s.Data) > 0 && data != nil {
		if err := json.Unmarshal(s.Data, data); err != nil {
			return read, fmt.Errorf("read log entry: %w", err)
		}
	}
	if len(s.Data) > 0 && data == nil {
		read.Data = s.Data
	}
	return read, nil
}

// WholeFile is the name in the private part of an entry about standing orders under which the file stands as it came: the body has only
// that of it by which the game is played again.
const WholeFile = "whole"

// ownSees tells whether the private part of an entry holds nothing but what its own seat may read: what its
// body would tell the seat, or its player's file.
func ownSees(private []byte, by string) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(private, &fields) == nil && len(fields) == 1 && (fields["sealed"] != nil || by == "player" && fields[WholeFile] != nil)
}

// Decode reads the body of a log entry, its data into a type by kind.
func Decode(body []byte, data any) (Entry, error) {
	e := Entry{Data: data}
	if err := json.Unmarshal(body, &e); err != nil {
		return e, fmt.Errorf("read log entry: %w", err)
	}
	return e, nil
}

// ReadsOnce checks that an entry says the same to all its readers: that nothing stands in it
// twice, of which some programs may read the one and others the other, and that no private
// part replaces what the body tells.
func ReadsOnce(body, private string) error {
	for _, text := range []string{body, private} {
		if !json.Valid([]byte(text)) { // what can't be read is told elsewhere
			continue
		}
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		if err := noTwins(d); err != nil {
			return err
		}
	}
	if body == "" || private == "" {
		return nil
	}
	var shows struct {
		Kind string          `json:"kind"`
		Data json.RawMessage `json:"data"`
	}
	var hides struct {
		Sealed *sealedEntry `json:"sealed"`
	}
	if json.Unmarshal([]byte(body), &shows) != nil || json.Unmarshal([]byte(private), &hides) != nil || hides.Sealed == nil {
		return nil // what can't be read is told elsewhere
	}
	switch {
	case shows.Kind == KindSealed:
	case !showsSeals(shows.Kind):
		return fmt.Errorf("its data are in it twice, and only some read those of its private part")
	default:
		var shown shownTaken
		var whole Taken
		if json.Unmarshal(shows.Data, &shown) != nil || json.Unmarshal(hides.Sealed.Data, &whole) != nil {
			return nil
		}
		if shown != whole.shown() {
			return errors.New("its data are in it twice, and its body tells others than its private part")
		}
	}
	return nil
}

// noTwins reads a value of JSON, and finds keys of one object that some programs take for
// the same key.
func noTwins(d *json.Decoder) error {
	token, err := d.Token()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return nil // what can't be read is told elsewhere
	}
	switch token {
	case json.Delim('{'):
		var keys []string
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil
			}
			name, _ := key.(string)
			if slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, name) }) {
				return fmt.Errorf("the key %q is there twice", name)
			}
			keys = append(keys, name)
			if err := noTwins(d); err != nil {
				return err
			}
		}
		_, _ = d.Token()
	case json.Delim('['):
		for d.More() {
			if err := noTwins(d); err != nil {
				return err
			}
		}
		_, _ = d.Token()
	}
	return nil
}
