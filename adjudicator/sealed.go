package adjudicator

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// LogSealed is the kind that other readers than the game master see of an entry that
// can't bear on the game: letters between players, addresses, faults. All that it says
// is in its private part. So a reader can tell it from one that bears on the game and
// is withheld.
const LogSealed = "sealed"

// A sealedEntry is what the private part of an entry holds of what its body does not
// tell.
type sealedEntry struct {
	Kind   string          `json:"kind,omitempty"`
	Seat   engine.Side     `json:"seat,omitempty"`
	By     string          `json:"by,omitempty"`
	Letter string          `json:"letter,omitempty"`
	Stop   int             `json:"stop,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

// shownTaken is what everybody may read of a file that counts, once the game is over:
// that it came, and a seal of what it orders.
type shownTaken struct {
	SeatStop int    `json:"seat_stop"`
	Final    bool   `json:"final"`
	Seal     string `json:"seal,omitempty"`
}

// encodeEntry writes an entry of a game as its log keeps it: the body, and the private
// part; nil if it has none.
func encodeEntry(e Entry, scheme int) (body, private []byte, err error) {
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

// sealEntry moves what others may not read even after the end from the body of an entry to
// its private part, beside what is there already. Games of the first scheme withhold
// whole bodies instead.
func sealEntry(e *Entry, private map[string]any, scheme int) (Entry, error) {
	open := *e
	if scheme == schemeOld || openEntry(e.Kind, e.By) {
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
	if t, ok := e.Data.(Taken); ok && e.Kind == LogTaken {
		open.Data = shownTaken{SeatStop: t.SeatStop, Final: t.Final, Seal: t.Seal}
	} else {
		s.Kind, s.Seat, s.By, s.Letter, s.Stop = e.Kind, e.Seat, e.By, e.Letter, e.Stop
		open.Kind, open.Seat, open.By, open.Letter, open.Stop = LogSealed, "", "", "", 0
	}
	private["sealed"] = s
	return open, nil
}

// sealed puts the seal of what a file orders beside it.
func (d *desk) sealed(t Taken, answer engine.Answer) (Taken, error) {
	if d.game.scheme() == schemeOld {
		return t, nil
	}
	var salt [16]byte
	if err := d.office.draw(salt[:]); err != nil {
		return t, err
	}
	t.Salt = hex.EncodeToString(salt[:])
	t.Seal = sealOf(t.Salt, d.normal(answer))
	return t, nil
}

// readEntry reads an entry of the log whole, its data into a type by kind.
func readEntry(e chain.Entry, data any) (Entry, error) {
	read, err := decodeEntry(e.Body, data)
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
	if read.Kind == LogSealed && s.Kind != LogTaken && !openEntry(s.Kind, s.By) {
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

// onlySealed tells whether the private part of an entry holds nothing but what its
// body would tell its own seat.
func onlySealed(private []byte) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(private, &fields) == nil && len(fields) == 1 && fields["sealed"] != nil
}
