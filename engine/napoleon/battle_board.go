package napoleon

// The battle board and what stands on it (NAP-6.20). These functions only read a game, so
// they work on a position and on a side's view alike.

// streamLimit is how many units cross a stream in a battle turn (NAP-6.21h).
const streamLimit = 2

// ownFields gives a camp's positions: left, center, right.
func (b *battle) ownFields(c camp) [3]field {
	if c == b.attacker {
		return [3]field{attackerLeft, attackerCenter, attackerRight}
	}
	return [3]field{defenderLeft, defenderCenter, defenderRight}
}

// owner gives the camp whose position a field is; the field must not be the reserve.
func (b *battle) owner(f field) camp {
	if f >= attackerLeft && f <= attackerRight {
		return b.attacker
	}
	return b.attacker.enemy()
}

// own tells whether a field is a position of the camp.
func (b *battle) own(f field, c camp) bool { return f > reserve && b.owner(f) == c }

// forward tells whether a field is a position of the camp's enemy.
func (b *battle) forward(f field, c camp) bool { return f > reserve && b.owner(f) != c }

// column counts the columns of the board from the attacker's left.
func (f field) column() int {
	switch f {
	case attackerLeft, defenderRight:
		return 0
	case attackerCenter, defenderCenter:
		return 1
	}
	return 2
}

// placeWords are a camp's positions as its own order files write them, in the
// order of [battle.ownFields].
var placeWords = [3]string{"left", "center", "right"}

// called is a field as an order file of the camp writes it: its own positions
// by their names, any position of the enemy as forward.
func (b *battle) called(f field, c camp) string {
	if f == reserve {
		return "reserve"
	}
	for i, own := range b.ownFields(c) {
		if own == f {
			return placeWords[i]
		}
	}
	return "forward"
}

// joined tells whether a unit of a camp can step from one field to the other
// (NAP-6.30c).
func (b *battle) joined(from, to field, c camp) bool {
	switch {
	case from == reserve:
		return b.own(to, c)
	case to == reserve:
		return b.own(from, c)
	}
	return from.opposite() == to && to != offBoard
}

// beside tells whether two fields are own positions of a camp that lie side by
// side (NAP-6.32g).
func (b *battle) beside(from, to field, c camp) bool {
	return b.own(from, c) && b.own(to, c) && (from-to == 1 || to-from == 1)
}

// stream tells whether a stream lies before a position (NAP-6.21h, NAP-R24).
func (b *battle) stream(f field) bool { return b.streams[f] || b.streams[f.opposite()] }

// fights tells whether a unit stands on the board of a battle.
func (b *battle) fights(u *unit) bool { return u.field != offBoard && u.town == b.town && !u.dead }

// count gives how many units of a camp stand on a field of a battle.
func (g *game) count(b *battle, f field, c camp) int {
	n := 0
	for i := range g.units {
		if u := &g.units[i]; u.field == f && u.town == b.town && !u.dead && u.army.camp() == c {
			n++
		}
	}
	return n
}

// held tells whether any unit of a camp stands on a field of a battle.
func (g *game) held(b *battle, f field, c camp) bool {
	for i := range g.units {
		if u := &g.units[i]; u.field == f && u.town == b.town && !u.dead && u.army.camp() == c {
			return true
		}
	}
	return false
}

// contested tells whether both camps stand on a field (NAP-6.30b).
func (g *game) contested(b *battle, f field) bool {
	return f > reserve && g.held(b, f, frenchCamp) && g.held(b, f, alliedCamp)
}

// inContact tells whether an enemy stands in the unit's position: whether it is
// engaged (NAP-6.30b).
func (g *game) inContact(b *battle, u *unit) bool {
	return u.field > reserve && g.held(b, u.field, u.army.camp().enemy())
}

// strongIn counts the units of a camp in a battle, reserve included.
func (g *game) strongIn(b *battle, c camp) int {
	n := 0
	for i := range g.units {
		if u := &g.units[i]; b.fights(u) && u.army.camp() == c {
			n++
		}
	}
	return n
}

// holder finds the unit that occupies the farm or hill of a position.
func (g *game) holder(b *battle, f field) *unit {
	for i := range g.units {
		if u := &g.units[i]; u.field == f && u.holds != noPiece && u.town == b.town && !u.dead {
			return u
		}
	}
	return nil
}

// battleIn finds the battle of a town that is not over, skirmishes included.
func (g *game) battleIn(t townID) *battle {
	for i := range g.battles {
		if b := &g.battles[i]; b.town == t && b.stage != finished {
			return b
		}
	}
	return nil
}

// moves is how many battle moves a unit has (NAP-6.32).
func (k kind) moves() int8 {
	switch k {
	case infantry, footArtillery:
		return 1
	}
	return 2
}

// inSquares tells whether a unit belongs to the square group of its position
// (NAP-6.51).
func (u *unit) inSquares() bool { return u.square || u.shelter != noUnit }

// acted tells whether a unit has moved or fired in this battle turn.
func (u *unit) acted() bool { return u.steps > 0 || u.fired }

// used gives how many units retreated on a road in this battle turn (NAP-7.2).
func (b *battle) used(road int) int {
	for _, u := range b.roadUse {
		if u.road == road {
			return int(u.n)
		}
	}
	return 0
}

// uses counts one more unit on a road.
func (b *battle) uses(road int) { b.roadUse = oneMore(b.roadUse, road) }

// oneMore adds one unit on a road to a list, which stays in the order of roads; the new
// list shares nothing with the old one.
func oneMore(before []use, road int) []use {
	i := 0
	for i < len(before) && before[i].road < road {
		i++
	}
	list := append([]use(nil), before[:i]...)
	if i < len(before) && before[i].road == road {
		list = append(list, use{road, before[i].n + 1})
		i++
	} else {
		list = append(list, use{road, 1})
	}
	return append(list, before[i:]...)
}

// entered tells whether attackers entered the battle by a town (NAP-7.1).
func (b *battle) entered(t townID) bool {
	for _, e := range b.entries {
		if e == t {
			return true
		}
	}
	return false
}

// enters notes a town by which attackers came, in the order of towns.
func (b *battle) enters(t townID) {
	if b.entered(t) {
		return
	}
	i := 0
	for i < len(b.entries) && b.entries[i] < t {
		i++
	}
	list := append([]townID(nil), b.entries[:i]...)
	list = append(list, t)
	b.entries = append(list, b.entries[i:]...)
}

// calm ends the shock and first salvo of units that no enemy is in contact with
// any more (NAP-R28, NAP-6.33f).
func (g *game) calm(b *battle, f field) {
	if f <= reserve || g.contested(b, f) {
		return
	}
	for i := range g.units {
		if u := &g.units[i]; u.field == f && u.town == b.town {
			u.shock, u.salvo = false, false
		}
	}
}

// leaveBoard clears everything that belongs to a unit in a battle.
func (u *unit) leaveBoard() {
	u.field, u.square, u.shelter, u.holds = offBoard, false, noUnit, noPiece
	u.shock, u.salvo = false, false
	u.steps, u.spent, u.fired, u.engaged, u.disengaged = 0, false, false, false, false
}
