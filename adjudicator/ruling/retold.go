package ruling

import (
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders/phrase"
)

// A Retelling is what a player is told about an act, in place of what he has not been told yet.
type Retelling struct {
	Player  engine.Side // by his book ([game.Seat.BookOf])
	News    []game.News
	Last    int              // the highest number given to an event of his
	Numbers map[uint64][]int // of the events of stops that were resolved anew, by their entries
}

// Retold compares what each player had been told, in the turn before an act, with what he
// would have been told in the turn after it, and gives what to tell him now: that there was
// a ruling; what it changed, as far as he may know it; which events that he knows of are
// undone; and the events that replace them. Events that are the same for him as before keep
// their numbers and are not told again. Of a ruling that changes nothing only a player is
// told who disputes what it is about: otherwise the others would learn that he does.
func Retold(p *Plan, before, after *game.Turn, kept past.Kept) ([]Retelling, error) {
	r := &retelling{plan: p, before: before, after: after}
	var err error
	if r.still, err = r.standsStill(); err != nil {
		return nil, err
	}
	if r.old, r.now, err = r.changed(kept); err != nil {
		return nil, err
	}
	was, is := past.Of(before, kept), past.Of(after, kept)
	branch, err := was.Branch()
	if err != nil {
		return nil, err
	}
	branchNow, err := is.Branch()
	if err != nil {
		return nil, err
	}
	var all []Retelling
	for _, s := range after.Game.Seats {
		h := before.Game.Player(s.BookOf())
		if r.still && !r.concerns(s) && p.Act.Tell == "" {
			continue
		}
		old, err := was.Told(h, branch, 0)
		if err != nil {
			return nil, err
		}
		now, err := is.Told(s, branchNow, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, r.to(s, h, compare(old, now, s.Upto, h.Events)))
	}
	return all, nil
}

// A retelling is an act about which players are told.
type retelling struct {
	plan          *Plan
	before, after *game.Turn
	still         bool            // it changes nothing in the game
	old, now      engine.Position // that the act changed by itself, before and after it; nil if it changed none
}

// standsStill tells whether the act changes nothing in the game: it lets what is disputed
// stand, or overrules a ruling that did.
func (r *retelling) standsStill() (bool, error) {
	a := r.plan.Act
	if a.Kind != log.ActOverrule {
		return a.Kind == log.ActStands, nil
	}
	g, err := readRuling(r.before, a.Entry)
	if err != nil {
		return false, err
	}
	first, _, err := inTheEnd(r.before, g)
	return err == nil && first.Kind == log.ActStands, err
}

// changed gives the position that the act changed by itself, before and after it; nil
// if it changed none. What follows from dice and orders is told by events.
func (r *retelling) changed(kept past.Kept) (old, now engine.Position, err error) {
	a := r.plan.Act
	if a.Kind == log.ActOption {
		return nil, nil, nil
	}
	if set, ok := of[SetPosition](r.plan); ok {
		back, _ := of[Back](r.plan)
		old, err = past.Of(r.before, kept).Position(back.To)
		return old, set.Position, err
	}
	if a.Kind != log.ActOverrule || r.anew() {
		return nil, nil, nil
	}
	g, err := readRuling(r.before, a.Entry)
	if err != nil {
		return nil, nil, err
	}
	first, _, err := inTheEnd(r.before, g)
	if err != nil || first.Set == "" {
		return nil, nil, err
	}
	return r.before.Position, r.after.Position, nil
}

// anew tells whether stops were resolved anew by the act.
func (r *retelling) anew() bool {
	return slices.Contains(r.after.Kinds[len(r.before.Kinds):], log.KindResolved)
}

// concerns tells whether the act settles or opens again what a player disputes.
func (r *retelling) concerns(s *game.Seat) bool {
	opened, settled := r.plan.disputes()
	return r.his(s, settled) || r.his(s, opened)
}

// his tells whether a player disputes what one of the entries says.
func (r *retelling) his(s *game.Seat, entries []uint64) bool {
	return slices.ContainsFunc(entries, func(n uint64) bool {
		e, err := r.after.Entry(n, nil)
		return err == nil && r.after.SideAt(s, n) == e.Seat
	})
}

// to puts together what a player is told, who may have had another seat before.
func (r *retelling) to(s, before *game.Seat, c comparison) Retelling {
	say := r.pronounce(s, before)
	say = append(say, r.positionChanges(s)...)
	say = append(say, c.dice...)
	if len(c.undone) > 0 {
		say = append(say, sayUndone(c.undone))
	}
	if commitment := r.commitment(); commitment != "" {
		say = append(say, phrase.Say("office.ruled.seed", phrase.Literal("commitment", commitment)))
	}
	var all []game.News
	for _, one := range say {
		all = append(all, game.News{Say: one})
	}
	return Retelling{Player: s.BookOf(), News: append(all, c.fresh...), Last: c.most, Numbers: c.numbers}
}

// commitment is the one of a new seed; "" if there is none.
func (r *retelling) commitment() string {
	if _, drawn := of[NewSeed](r.plan); !drawn {
		return ""
	}
	return log.Commitment(r.after.Game.Seed)
}

// pronounce tells a player that there was a ruling, and what it means for him.
func (r *retelling) pronounce(s, before *game.Seat) []phrase.Phrase {
	a, o := r.plan.Act, r.plan.Orders
	opened, settled := r.plan.disputes()
	all := []phrase.Phrase{phrase.Say("office.ruled.what-"+rulingOrRewind(a), phrase.Literal("tell", a.Tell))}
	switch his := r.his(s, settled); {
	case his && r.still:
		all = append(all, phrase.Say("office.ruled.stands"))
	case his:
		all = append(all, phrase.Say("office.ruled.yours"))
	case r.his(s, opened):
		all = append(all, phrase.Say("office.ruled.open-again"))
	}
	if r.plan.Machine != nil {
		all = append(all, phrase.Say("office.ruled.machine", phrase.Literal("name", *r.plan.Machine)))
	}
	switch {
	case o == nil || before.Side != o.Side:
	case o.Counts:
		all = append(all, phrase.Say("office.ruled.accepted", phrase.Number("stop", o.Stop), phrase.Literal("orders", phrase.Clip(phrase.OneLine(o.Say), log.LongestReason))))
		sheet, _ := ahead.Sheet(r.after.Rules)
		all = append(all, game.SayFiled((&ahead.Filed{Text: o.Ahead}).Shown(sheet))...)
	default:
		all = append(all, phrase.Say("office.ruled.refused", phrase.Number("stop", o.Stop)))
	}
	if a.Kind == log.ActOption {
		all = append(all, phrase.Say("office.ruled.option", phrase.Literal("name", a.Option), phrase.Literal("value", a.Value)))
	}
	if s.Side != before.Side {
		all = append(all, game.SayExchanged(s.Side).Say)
	}
	return all
}

// rulingOrRewind is what players are told: a ruling, or a rewind.
func rulingOrRewind(a *Act) string {
	if a.Kind == log.ActRewind {
		return "rewind"
	}
	return "ruling"
}

// mostChanged is how many changes of what he sees a player is told one by one.
const mostChanged = 20

// positionChanges tells a player what a ruling changed in what he sees, from the view of the
// seat that he had at that position.
func (r *retelling) positionChanges(s *game.Seat) []phrase.Phrase {
	if r.old == nil {
		return nil
	}
	side := s.Side
	if back, ok := of[Back](r.plan); ok {
		side = r.after.SideAt(s, back.To+1)
	}
	changes := pageChanges(r.old.View(side).Page(), r.now.View(side).Page())
	if more := len(changes) - mostChanged; more > 0 {
		changes = append(changes[:mostChanged:mostChanged], phrase.Say("office.ruled.more", phrase.Number("n", more)))
	}
	return changes
}

// take lets a player be told of an act in place of what he has not been told yet.
func (x Retelling) take(t *game.Turn, history *past.History) error {
	s := t.Game.Player(x.Player)
	s.Events, s.Told = x.Last, x.News
	for _, seq := range slices.Sorted(maps.Keys(x.Numbers)) {
		if err := number(t, history, seq, s.BookOf(), x.Numbers[seq]); err != nil {
			return err
		}
	}
	return nil
}

// number notes the numbers of what a player was told by a stop, beside the position
// after it.
func number(t *game.Turn, history *past.History, seq uint64, book engine.Side, numbers []int) error {
	i := slices.IndexFunc(t.Checkpoints, func(c log.Checkpoint) bool { return c.Seq == seq })
	if i < 0 { // it was resolved earlier, and has happened again
		c, err := history.Checkpoint(seq)
		if err != nil {
			return err
		}
		t.Checkpoints, i = append(t.Checkpoints, *c), len(t.Checkpoints)
	}
	all := maps.Clone(t.Checkpoints[i].Numbers)
	if all == nil {
		all = map[engine.Side][]int{}
	}
	all[book] = numbers
	t.Checkpoints[i].Numbers = all
	return nil
}
