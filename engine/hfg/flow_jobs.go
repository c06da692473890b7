package hfg

import (
	"slices"
)

// How combats are fought out: a list of jobs, of which the first is always done next. It stands in
// the position, so that a combat can wait between two letters for an owner who decides.

// A fray is what is still to be done in phases 2 and 3.
type fray struct {
	Shots  []shot      `pos:"shots,most=400"`         // that are to be made in phase 2 (HFG-12.15)
	Jobs   []job       `pos:"jobs,most=900"`          // the first is the next
	Fought []elementID `pos:"fought,most=900,unique"` // in phase 3 (HFG-13.6)
	Stage  int         `pos:"stage,max=2"`            // of the phase that goes on: 0 not begun
	Asks   *question   `pos:"asks"`                   // that an owner is asked
}

// A shot is who shoots at what.
type shot struct {
	By      elementID `pos:"by,required"`
	At      fighter   `pos:"at,required"`
	Ordered bool      `pos:"ordered"` // its owner is told if it isn't made
}

// A ranked target is one that a player of the phasing side has put in its place (HFG-12.15).
type ranked struct {
	Seat string  `pos:"seat,name,required"`
	At   fighter `pos:"at,required"`
}

// A jobKind is what a job does.
type jobKind int8

const (
	shootingAt jobKind = iota + 1 // all shots at a target
	duelling                      // a pair in contact
	fighting                      // a combat: dice, scores, results
	suffering                     // a result is carried out on its element
	forwards                      // a result that leads forward
	following                     // what becomes of those on the flanks of the beaten (HFG-16.11)
	compelling                    // shots that must be made and haven't been (HFG-12.15)
	facing                        // elements turn to face who touches their flanks (HFG-7.1)
	settling                      // the dice of a combat are rolled: scores, results
	replying                      // who was shot at and could not reply shoots now (HFG-12.12)
)

var jobWords = []string{"", "shoot", "duel", "fight", "suffer", "forward", "follow", "compelled", "face", "settle", "reply"}

var effectWords = []string{"unharmed", "halt", "recoil", "repulsed", "routed", "destroyed", "spent", "silenced", "disabled",
	"damaged", "charge", "press", "pursue", "pass", "board", "burn", "collapse", "silenced-or-repulsed", "press-or-halt"}

// A job is one thing that is to be done.
type job struct {
	Kind   jobKind     `pos:"kind,required"`
	Of     elementID   `pos:"of"`
	By     elementID   `pos:"by"` // the other one of its combat
	At     fighter     `pos:"at"`
	Bridge string      `pos:"bridge,name"` // that a duel destroys
	Bout   *bout       `pos:"bout"`
	What   effect      `pos:"what"`
	Low    int         `pos:"low,max=9999"` // paces
	High   int         `pos:"high,max=9999"`
	Close  bool        `pos:"close"`
	Behind bool        `pos:"behind"` // it was shot at from directly behind only
	Breach bool        `pos:"breach"` // guns destroy the barricade that protects it (HFG-15.10)
	Runner bool        `pos:"runner"` // it ran into the enemy whom it fights (HFG-16.8)
	Hushed bool        `pos:"hushed"` // it goes forward only if By is silenced by then (HFG-16.3)
	Legs   []leg       `pos:"legs,most=20"`
	Gone   bool        `pos:"gone"`          // By was destroyed or has left
	Back   bool        `pos:"back"`          // By was driven back
	Flank  []elementID `pos:"flank,most=99"` // friends of Of with their front on a flank or the rear of By
	Start  place       `pos:"start"`         // of Of, before its move forward
	From   place       `pos:"from"`          // where Of goes out from if it holds a BUA; none: it doesn't, or a position of an earlier program
	Looks  int         `pos:"looks,max=359"` // and how it looks there
	Later  elementID   `pos:"later"`         // who shoots with the die of an earlier combat
	Die    int         `pos:"die,max=6"`     // that die
	Used   []int       `pos:"used,most=20"`  // tactical factors that count no more
	Said   *answer     `pos:"said"`
}

// An answer is what an owner has decided in the middle of a turn, or a policy for him.
type answer struct {
	Yes   bool      `pos:"yes"`
	Far   int       `pos:"far,max=9999"` // paces
	Rough bool      `pos:"rough"`        // into slow or difficult going
	Off   bool      `pos:"off"`          // off the field
	Enemy elementID `pos:"enemy"`
	Way   string    `pos:"way,name"` // the feature along which it routs; none: straight
}

// A decision is what an owner may be asked in the middle of a turn (HFG-S9 to HFG-S12).
type decision int8

const (
	askCharge  decision = iota + 1 // whom to charge
	askPress                       // press forward or not
	askRepulse                     // how far it is repulsed
	askGuns                        // silenced or repulsed
	askPursue                      // how far it pursues
	askJoin                        // whether it joins a friend
	askFace                        // which enemy it faces
	askAid                         // whether it keeps its shot to aid in a combat still to come
	askRout                        // along which feature it routs
)

// A question is a decision that is due.
type question struct {
	What    decision    `pos:"what,required"`
	Of      elementID   `pos:"of,required"`
	By      elementID   `pos:"by"`              // the other one of its combat
	Close   bool        `pos:"close"`           // after close combat
	Low     int         `pos:"low,max=9999"`    // paces
	High    int         `pos:"high,max=9999"`   // paces
	Enemies []elementID `pos:"enemies,most=99"` // of whom to choose
	None    bool        `pos:"none"`            // it may also choose none
	Ways    []string    `pos:"ways,most=99"`    // features along which it may rout, the nearest first
}

var decisionWords = []string{"", "charge", "press", "repulse", "guns", "pursue", "join", "face", "aid", "rout"}

// usual is what the deadline answers (section 5 of the digest).
func (g *game) usual(q *question) answer {
	switch q.What {
	case askCharge:
		return answer{Enemy: q.Enemies[0]}
	case askFace:
		return answer{Enemy: g.leastMoved(q.Enemies)}
	case askJoin:
		return answer{Yes: true}
	}
	return answer{Far: q.Low}
}

// leastMoved is the enemy who has moved least, then the one with the lowest id.
func (g *game) leastMoved(all []elementID) elementID {
	return slices.MinFunc(all, func(a, b elementID) int {
		if d := g.Elements[a].Moved - g.Elements[b].Moved; d != 0 {
			return d
		}
		return int(a - b)
	})
}

// work does jobs until there are none, or until an owner is to be asked: decide answers for him,
// or says that he must be asked.
func (p *battlefield) work(decide func(q *question) (answer, bool)) *question {
	p.decides = decide
	for len(p.Fray.Jobs) > 0 {
		j := p.Fray.Jobs[0]
		if q := p.due(&j); q != nil && j.Said == nil {
			a, ok := decide(q)
			if !ok {
				return q
			}
			j.Said = &a
		}
		p.Fray.Jobs = p.Fray.Jobs[1:]
		from := p.berths()
		p.drifting = len(from) > 0
		p.does(&j)
		p.drift(from)
	}
	return nil
}

// answers gives the answer to the question that is due. In a position that was made up from a view
// nobody knows what it is part of: then nothing comes of it.
func (p *battlefield) answers(a answer) {
	p.Fray.Asks = nil
	if len(p.Fray.Jobs) > 0 {
		p.Fray.Jobs[0].Said = &a
	}
}

// next puts jobs before all others, in their order.
func (p *battlefield) next(jobs ...job) { p.Fray.Jobs = append(slices.Clone(jobs), p.Fray.Jobs...) }

// due is the question that a job asks; nil: none, or only one answer is legal.
func (g *game) due(j *job) *question {
	q := &question{Of: j.Of, By: j.By, Close: j.Close, Low: j.Low, High: j.High}
	switch {
	case j.Kind == facing:
		q.What, q.Enemies, q.None = askFace, g.onFlanks(j.Of), true
		if len(q.Enemies) == 0 || !g.mayFace(j.Of) {
			return nil
		}
	case j.Kind == following:
		q.What = askJoin
		if _, ok := g.beside(j); !ok {
			return nil
		}
	case j.Kind == settling:
		w := g.pressedUpon(j.Bout, j.Used, j.Later)
		if w == 0 {
			return nil
		}
		q.What, q.Of, q.By = askPress, w, j.Bout.B.Element
		if q.By == w {
			q.By = j.Bout.A.Element
		}
	case j.Kind == replying:
		q.What = askAid
		if s, ok := g.shotOf(j.Of); !ok || !g.awaitsShotAt(s.At) {
			return nil
		}
	case !g.on(j.Of):
		return nil
	case j.What == charging:
		q.What, q.Enemies = askCharge, g.chargeable(j.Of)
		if len(q.Enemies) < 2 {
			return nil
		}
	case j.Hushed && (g.Elements[j.By].Silenced != g.Turn || g.Elements[j.By].Spirit != steady):
		return nil
	case j.What == pressing || j.What == pressesOrHalts:
		q.What = askPress
		if _, ok := g.mayPress(j.Of); !ok {
			return nil
		}
	case j.What == boards:
		q.What, q.Enemies, q.None = askPress, g.boardable(j.Of), true
		if len(q.Enemies) == 0 {
			return nil
		}
	case j.What == runs && !j.Runner:
		q.What, q.Ways = askRout, g.routWays(j.Of)
		if len(q.Ways) == 0 {
			return nil
		}
	case j.What == falls && j.Low < j.High:
		q.What = askRepulse
	case j.What == hushedOrFalls:
		q.What = askGuns
	case j.What == pursuing && (j.Gone || j.Back), j.What == passing:
		q.What = askPursue
	default:
		return nil
	}
	return q
}

// does does a job.
func (p *battlefield) does(j *job) {
	if j.Said == nil {
		if q := p.due(j); q != nil {
			a := p.usual(q)
			j.Said = &a
		} else {
			j.Said = &answer{Far: j.Low}
		}
	}
	switch j.Kind {
	case shootingAt:
		p.shoots(j)
	case compelling:
		p.compels()
	case duelling:
		p.duelNow(j)
	case fighting:
		p.combats(j)
	case suffering:
		p.suffers(j)
	case forwards:
		p.forward(j)
	case following:
		p.follow(j)
	case facing:
		p.turnsTo(j)
	case settling:
		p.settles(j)
	case replying:
		p.repliesLate(j)
	}
	switch j.Kind {
	case suffering, forwards, following, facing: // whoever has moved sees, and is seen
		p.uncovers()
	}
}
