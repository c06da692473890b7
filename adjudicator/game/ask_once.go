package game

import (
	"fmt"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
)

// A player may ask for his next question whatever his policies say. They all say ask until
// he is asked at a stop; then they are again what they were.

// policiesNow are the policies of a seat as an order file writes them; "" if the game has
// none.
func policiesNow(t *Turn, side engine.Side) string {
	rules, ok := t.Rules.(engine.Policied)
	if !ok {
		return ""
	}
	all := orders.Mapping()
	for _, p := range rules.Policies(t.View(side)) {
		value := p.Value
		if p.Later != "" { // it is to come into force when it would have
			value = p.Later
		}
		line, faults := orders.ParseNode([]byte(p.Key + ": " + value + "\n"))
		if len(faults) == 0 {
			all.Set(p.Key, line.Pairs[0].Value.Flowed())
		}
	}
	if len(all.Pairs) == 0 {
		return ""
	}
	return orders.Mapping().Set("policies", all).Encode()
}

// askedOnce gives those who wanted their next question, and have it, their policies again.
func askedOnce(t *Turn) error {
	for _, s := range t.Game.Seats {
		if s.Once == "" || s.Owes == nil || t.Game.Phase != Running {
			continue
		}
		was := s.Once
		s.Once = ""
		rules, ok := t.Rules.(engine.Policied)
		if !ok {
			continue
		}
		doc, problems := orders.Parse(was, nil)
		if len(problems) > 0 {
			return fmt.Errorf("put the policies of %s in %s back: %w", s.Side, t.Game.ID, problems)
		}
		given, problems := rules.ReadStanding(t.View(s.Side), Dated(t, doc))
		if len(problems) > 0 {
			continue // the rules of today know them no more; he is asked, and told what is in force
		}
		if err := instruct(t, s.Side, given, log.Entry{Kind: log.KindStanding, Seat: s.Side, By: "office", Data: log.Taken{File: was}}); err != nil {
			return err
		}
	}
	return nil
}

// instruct puts standing orders in force, as an entry of the log says.
func instruct(t *Turn, side engine.Side, given engine.Answer, e log.Entry) error {
	next := t.Position.Clone()
	position, ok := next.(engine.Instructed)
	if !ok {
		return fmt.Errorf("take standing orders of %s: the position does not take them", t.Game.ID)
	}
	if err := position.Instruct(side, given); err != nil {
		return fmt.Errorf("take standing orders of %s: %w", t.Game.ID, err)
	}
	if err := t.Log(e); err != nil {
		return err
	}
	t.Place(next)
	snapshot, err := next.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", t.Game.ID, err)
	}
	t.Remember(t.Last.Seq, log.KindStanding, snapshot)
	return nil
}
