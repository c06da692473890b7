package ruling

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
)

// goesOn tells whether what was done before may still be done again: nothing has failed to fit so far.
func (r *run) goesOn() bool {
	g := r.turn.Game
	return !r.stuck && g.Phase == game.Running && (g.Paused.IsZero() || g.Fault == "")
}

// leave ends what is done again: this no longer fits.
func (r *run) leave() { r.stuck, r.left = true, r.left+1 }

func (d Redo) apply(r *run) error {
	if !r.goesOn() || !r.answered(d.Answers) {
		if r.leave(); d.Must {
			return game.Refuse("office.rule.cannot-resolve")
		}
		return nil
	}
	t, stop := r.turn, r.turn.Game.Stop
	again := game.Again{Ruled: d.dice(r.dice)}
	if r.dice = nil; !d.Fresh && t.Game.DiceScheme() != log.FirstScheme {
		again.Entry, again.Asked = d.Entry, d.Asked
	}
	if err := game.ResolveAgain(t, again, map[engine.Side]bool{}); err != nil {
		return err
	}
	if t.Game.Fault != "" {
		return refuseFault(t.Game.Fault)
	}
	r.anew = append(r.anew, stop)
	return nil
}

// dice are the rolls whose results do not come from the seed: those of a ruling that is
// made now, those of earlier rulings, and, if all dice stay as they fell, the others.
func (d Redo) dice(now map[int]int) map[int]int {
	all := map[int]int{}
	if d.AsFell && !d.Fresh {
		for i, roll := range d.Rolls {
			all[i+1] = roll.Result
		}
	}
	maps.Copy(all, d.Ruled)
	maps.Copy(all, now)
	return all
}

// answered puts earlier answers in force, if the same decisions are owed. It tells
// whether all of them are in force.
func (r *run) answered(answers []log.Given) bool {
	if !slices.EqualFunc(r.turn.Position.Owed(), answers, func(o engine.Decision, a log.Given) bool { return o == a.Decision }) {
		return false
	}
	whole := true
	for _, given := range answers {
		if !r.answersAgain(r.turn.Game.Seat(given.Decision.Side), given) {
			whole = false
		}
	}
	return whole
}

// answersAgain puts an earlier answer in force, if it is still legal.
func (r *run) answersAgain(s *game.Seat, given log.Given) bool {
	if !r.legal(s, given.Decision, given.Orders) {
		return false
	}
	r.turn.KeepAnswer(s.Side, []byte(given.Orders))
	s.Owes.Answer = &game.InForce{Sent: r.turn.Now, Final: true, GM: given.By == log.ByGM, By: given.By, Until: game.HeldAgain(r.turn, s)}
	r.filedAgain(s, given)
	return true
}

// legal tells whether an answer that was taken is legal where the game stands.
func (r *run) legal(s *game.Seat, decision engine.Decision, file string) bool {
	doc, problems := orders.ParseAccepted(file)
	if len(problems) == 0 {
		_, problems = r.turn.Rules.Read(r.turn.View(s.Side), decision, game.Dated(r.turn, doc))
	}
	return len(problems) == 0
}

func (i Instruct) apply(r *run) error {
	if !r.goesOn() {
		r.leave()
		return nil
	}
	t := r.turn
	rules, ok := t.Rules.(engine.Instructor)
	if !ok {
		return nil
	}
	doc, problems := orders.ParseAccepted(i.File)
	if len(problems) > 0 {
		return nil
	}
	given, problems := rules.ReadStanding(t.View(i.Side), game.Dated(t, doc))
	next := t.Position.Clone()
	position, ok := next.(engine.Instructed)
	if len(problems) > 0 || !ok {
		return nil
	}
	if err := position.Instruct(i.Side, given); err != nil {
		return nil // it was made for another game: it no longer fits
	}
	if s := t.Game.Seat(i.Side); s != nil && i.Aside {
		game.SetAside(t, s, given)
	}
	snapshot, err := next.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s again: %w", t.Game.ID, err)
	}
	if err := t.Log(log.Entry{Kind: log.KindStanding, Seat: i.Side, By: "office", Data: log.Taken{File: i.File, Aside: i.Aside}}); err != nil {
		return err
	}
	t.Place(next)
	t.Remember(t.Last.Seq, log.KindStanding, snapshot)
	return nil
}

func (p Repeat) apply(r *run) error {
	if !r.goesOn() {
		r.leave()
		return nil
	}
	next, sum, err := checked(r.turn.Rules, r.turn.Position, p.Ruling.Set)
	if err != nil {
		var refused *game.RefusedError
		var problems orders.Problems
		if errors.As(err, &refused) || errors.As(err, &problems) {
			r.leave()
			return nil
		}
		return err
	}
	again := *p.Ruling
	if again.Repeats == 0 {
		again.Repeats = p.Entry
	}
	again.From, again.To, again.Position, again.Commitment = r.turn.Game.Head, 0, sum, ""
	return r.all(append([]Change{Enter{Ruling: &again}}, setting(r.turn.Game.Head, next, &again)...))
}

// setting is how another position takes the place of one that is kept.
func setting(at uint64, next engine.Position, g *log.Ruling) []Change {
	all := []Change{Back{at}}
	if next != nil {
		all = append(all, SetPosition{next})
	}
	all = append(all, Open{})
	if g != nil && g.Option != "" {
		all = append(all, SetOption{g.Option, g.Value})
	}
	return append(all, Keep{})
}

func (c Count) apply(r *run) error {
	s := r.turn.Game.Seat(c.Given.Decision.Side)
	if s != nil && s.Owes != nil && s.Owes.Decision == c.Given.Decision {
		r.answersAgain(s, c.Given)
	}
	return nil
}

func (b PutBack) apply(r *run) error {
	s := r.turn.Game.Seat(b.Side)
	if s == nil || s.Owes == nil || s.Owes.Answer != nil || !r.legal(s, s.Owes.Decision, b.Former.Orders) {
		return nil
	}
	return PutAnswer{b.Side, b.Former.Orders, putBack(&b.Former), b.Former.Files, b.Former.Aside}.apply(r)
}

func (k Stay) apply(r *run) error {
	s := r.turn.Game.Player(k.Player)
	if r.stuck || s == nil || s.Owes == nil || s.Owes.Answer != nil || s.Owes.Decision != k.Decision || s.Owes.Stop != k.Stop || !r.legal(s, k.Decision, k.File) {
		return nil
	}
	r.usedUp(s, &k.As)
	return PutAnswer{Side: s.Side, Orders: k.File, As: k.As}.apply(r)
}

// putBack is how a former answer counts when it is put back.
func putBack(f *log.Former) game.InForce {
	a := game.InForce{Serial: f.Serial, Sent: f.Sent, Final: f.Final, By: f.By, GM: f.By == log.ByGM, Entry: f.Entry, Part: f.Part, Number: 1}
	if a.GM || a.By == "player" {
		a.By = ""
	}
	return a
}
