package adjudicator

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/adjudicator/ruling"
)

// A seenPreview is what a game master saw that an act would do.
type seenPreview struct {
	act   string
	end   uint64 // of the log that it was made from
	drawn []byte
	*ruling.Ruled
}

// previewed compares every act of a test with its preview, if that was the last thing in the
// log: with the same chance the act does what was previewed. An act that is tried changes
// nothing in the game at which it is tried, and comes to the same when it is tried again.
func previewed(t testing.TB) func(*game.Turn, past.Kept, *ruling.Plan) (*ruling.Ruled, error) {
	seen := map[string]*seenPreview{}
	return func(was *game.Turn, kept past.Kept, p *ruling.Plan) (*ruling.Ruled, error) {
		t.Helper()
		now := &seenPreview{act: asJSON(t, p.Act), end: was.Last.Seq}
		last := seen[was.Game.ID]
		same := last != nil && last.act == now.act && last.end+1 == now.end
		var given []byte
		if same {
			given = last.drawn
		}
		before := keptOf(t, was)
		var err error
		now.Ruled, now.drawn, err = withChance(was, kept, p, given)
		again, _, wrong := withChance(was, kept, p, now.drawn)
		if !reflect.DeepEqual(err, wrong) {
			t.Errorf("%+v: %v the first time, %v the second", p.Act, err, wrong)
		}
		if after := keptOf(t, was); after != before {
			t.Errorf("%+v has changed the game at which it was tried:\n%s\n%s", p.Act, before, after)
		}
		if err != nil {
			return nil, err
		}
		sameTurns(t, p.Act, now.Turn, again.Turn)
		if seen[was.Game.ID] = now; same {
			if one, two := effectsOf(t, was, last.Ruled), effectsOf(t, was, now.Ruled); one != two {
				t.Errorf("%+v was previewed as\n%s\nand came to\n%s", p.Act, one, two)
			}
		}
		return now.Ruled, nil
	}
}

// withChance carries a plan out with the chance that is given, and draws more if that is not
// enough. It gives all that was drawn.
func withChance(was *game.Turn, kept past.Kept, p *ruling.Plan, given []byte) (r *ruling.Ruled, drawn []byte, err error) {
	draw := was.Draw
	defer func() { was.Draw = draw }()
	was.Draw = func(b []byte) error {
		var err error
		if len(given) >= len(b) {
			given = given[copy(b, given):]
		} else {
			err = draw(b)
		}
		drawn = append(drawn, b...)
		return err
	}
	r, err = ruling.Carry(was, kept, p)
	if r != nil {
		r.Turn.Draw = draw
	}
	return r, drawn, err
}

// effectsOf is what came of an act, without its time and its place in the log.
func effectsOf(t testing.TB, was *game.Turn, r *ruling.Ruled) string {
	t.Helper()
	position, err := r.Turn.Position.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("anew %v, left %d, stop %d, %s\n%s", r.Anew, r.Left, r.Turn.Game.Stop, r.Turn.Game.Phase, position)
	for _, told := range r.Told {
		text += asJSON(t, told.Player, told.News, told.Last)
		for _, seq := range slices.Sorted(maps.Keys(told.Numbers)) {
			text += fmt.Sprintln(told.Numbers[seq])
		}
	}
	for _, s := range r.Turn.Game.Seats {
		text += fmt.Sprintf("%s: events %d, stops %d, owes %v\n", s.Side, s.Events, s.Stops, s.Owes != nil)
		if s.Owes != nil {
			text += fmt.Sprintf("%d %v answered %v\n", s.Owes.Stop, s.Owes.Decision, s.Owes.Answer != nil)
		}
	}
	for _, e := range r.Turn.Entries[len(was.Entries):] {
		var done log.Resolved
		read, err := log.Decode(e.Body, nil)
		if err == nil && read.Kind == log.KindResolved {
			_, err = log.Decode(e.Body, &done)
		}
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("%s %s %s\n", read.Kind, read.Seat, asJSON(t, done.Rolls, done.Events, done.Position))
	}
	for _, e := range r.Turn.Effects[len(was.Effects):] {
		told, ok := e.(game.Told)
		if !ok {
			continue
		}
		text += fmt.Sprintf("%s %s %T\n", told.To, told.Person.Address, told.Message)
		switch m := told.Message.(type) {
		case game.Report:
			text += asJSON(t, m.Happened)
		case game.Notice:
			for _, line := range m.Lines {
				text += line.Code + "\n"
			}
		}
	}
	return text
}
