package adjudicator

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/ruling"
)

// beside lets each act of a test be carried out by its plan, too, with the same chance. It
// must come to the same, byte for byte, and the game must not have changed by it.
func beside(t testing.TB) func(*desk, *act, func() error, func() (*game.Turn, *acted)) error {
	return func(d *desk, a *act, carry func() error, done func() (*game.Turn, *acted)) error {
		t.Helper()
		var drawn []byte
		draw := d.Draw
		d.Draw = func(b []byte) error {
			err := draw(b)
			drawn = append(drawn, b...)
			return err
		}
		err := carry()
		d.Draw = func(b []byte) error {
			if len(b) > len(drawn) {
				t.Errorf("the plan of %+v needs more chance", a)
				return draw(b)
			}
			drawn = drawn[copy(b, drawn):]
			return nil
		}
		before := keptOf(t, d.Turn)
		ruled, wrong := planned(t, d, a)
		d.Draw = draw
		if after := keptOf(t, d.Turn); after != before {
			t.Errorf("the plan of %+v has changed the game:\n%s\n%s", a, before, after)
		}
		if !reflect.DeepEqual(err, wrong) {
			t.Errorf("%+v: %v as it was, %v by its plan", a, err, wrong)
		}
		if err != nil || wrong != nil {
			return err
		}
		turn, was := done()
		sameTurns(t, a, turn, ruled.Turn)
		if len(drawn) > 0 {
			t.Errorf("the plan of %+v needs less chance", a)
		}
		told := map[*game.Seat][]game.News{}
		for _, one := range ruled.Told {
			told[turn.Game.Seat(one.Side)] = one.News
		}
		if len(told) != len(was.told) {
			t.Errorf("%+v tells %d players as it was, %d by its plan", a, len(was.told), len(told))
		}
		for s, news := range was.told {
			if asJSON(t, news) != asJSON(t, told[s]) {
				t.Errorf("%+v tells %s %v as it was, %v by its plan", a, s.Side, news, told[s])
			}
		}
		if fmt.Sprint(was.anew, was.left) != fmt.Sprint(ruled.Anew, ruled.Left) {
			t.Errorf("%+v: anew %v, left %d as it was; %v, %d by its plan", a, was.anew, was.left, ruled.Anew, ruled.Left)
		}
		return err
	}
}

// planned carries an act out by its plan.
func planned(t testing.TB, d *desk, a *act) (*ruling.Ruled, error) {
	t.Helper()
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	same := &ruling.Act{At: a.at}
	if err := json.Unmarshal(text, same); err != nil {
		t.Fatal(err)
	}
	p, err := ruling.Make(d.Turn, kept{d.office, d.Game.ID}, same)
	if err != nil {
		return nil, err
	}
	if d.operator != nil {
		name := d.operator.named()
		p.Machine = &name
	}
	return ruling.Carry(d.Turn, kept{d.office, d.Game.ID}, p)
}
