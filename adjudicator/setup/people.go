package setup

import (
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// readSeats reads who plays which side. The position knows which sides there are.
func (rd *Reader) readSeats(r *orders.Reader, f orders.Fields, s *Setup, rules engine.Ruleset) {
	n := r.Require(f, "seats")
	if n == nil {
		return
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "", phrase.Say("office.setup.seats"))
		return
	}
	s.Seats = map[engine.Side]log.Person{}
	var sides []orders.Choice
	if s.position != nil {
		sides = intake.SideChoices(s.position, rd.Languages)
	}
	people := 0
	for _, p := range n.Pairs {
		person, sound := rd.readSeat(r, p.Value)
		if person.Bot == "" {
			people++
		}
		if s.position == nil {
			continue
		}
		id, ok := r.Pick(p.Key, "setup-side", sides)
		if !ok {
			continue
		}
		if _, twice := s.Seats[engine.Side(id)]; twice {
			r.Refuse(p.Key, "", phrase.Say("office.setup.side-twice", phrase.Literal("side", id)))
			continue
		}
		if sound {
			s.Seats[engine.Side(id)] = person
			twoSeats(r, s.Seats, engine.Side(id), p.Value)
		} else {
			s.Seats[engine.Side(id)] = log.Person{}
		}
	}
	if people == 0 && len(n.Pairs) > 0 {
		r.Refuse(n, "", phrase.Say("office.setup.only-bots"))
	}
	if s.position == nil {
		return
	}
	for _, side := range s.position.Sides() {
		if _, ok := s.Seats[side]; !ok {
			r.Refuse(n, "", phrase.Say("office.setup.no-seat", phrase.Literal("side", string(side))))
		}
	}
}

// twoSeats refuses a set-up in which two seats have one mailbox: whoever has both gets
// the briefings of both.
func twoSeats(r *orders.Reader, seats map[engine.Side]log.Person, side engine.Side, at *orders.Node) {
	for other, p := range seats {
		if other != side && p.Bot == "" && mailbox.Same(p.Address, seats[side].Address) {
			r.Refuse(at, "", phrase.Say("office.setup.two-seats", phrase.Literal("address", p.Address), phrase.Literal("side", string(side))))
			return
		}
	}
}

// readSeat reads who has a seat: a person, or a bot, which has nothing else that a person has.
func (rd *Reader) readSeat(r *orders.Reader, n *orders.Node) (log.Person, bool) {
	if r.Under(n, "bot") == nil {
		return rd.readPerson(r, n)
	}
	before := len(r.Problems)
	f := r.Fields(n, "bot")
	return log.Person{Bot: intake.ReadBot(r, f.Get("bot"))}, len(r.Problems) == before
}

// readPerson reads a name, an address, a language and a time zone.
func (rd *Reader) readPerson(r *orders.Reader, n *orders.Node) (log.Person, bool) {
	before := len(r.Problems)
	f := r.Fields(n, "name", "address", "language", "zone", "pgp-key")
	p := log.Person{
		PGP:      intake.ReadPublicKey(r, f.Get("pgp-key"), rd.Now),
		Name:     intake.ReadName(r, f.Get("name")),
		Address:  intake.ReadAddress(r, r.Require(f, "address")),
		Language: intake.ReadLanguage(r, f.Get("language"), rd.Languages),
		Zone:     intake.ReadZone(r, f.Get("zone")),
	}
	return p, len(r.Problems) == before
}

// atHome gives everybody without a time zone that of the game.
func (s *Setup) atHome() {
	if s.GM.Zone == "" {
		s.GM.Zone = s.Timing.Zone
	}
	for side, p := range s.Seats {
		if p.Zone == "" {
			p.Zone = s.Timing.Zone
			s.Seats[side] = p
		}
	}
	for i := range s.Reserves {
		if s.Reserves[i].Zone == "" {
			s.Reserves[i].Zone = s.Timing.Zone
		}
	}
}
