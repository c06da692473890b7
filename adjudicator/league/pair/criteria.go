package pair

// inside is 1 for a pair within the bracket.
func (b *bracket) inside(i, j int) int { return one(j < b.size()) }

// byeScore is [C5]: the bye goes to the lowest score that can have it.
func (b *bracket) byeScore() criterion {
	return criterion{worth: func(i, j int) int {
		if j != b.bye() {
			return 0
		}
		return -1 - rank(b.players, i)
	}}
}

// rank is how many scores below a player's there are.
func rank(players []standing, i int) int {
	n := 0
	for k := i + 1; k < len(players); k++ {
		if players[k].score < players[i].score && (k == i+1 || players[k].score != players[k-1].score) {
			n++
		}
	}
	return n
}

// scores gives the scores of those in the bracket, the highest first.
func (b *bracket) scores() []int64 {
	var all []int64
	for _, p := range b.players[:b.size()] {
		if len(all) == 0 || all[len(all)-1] != p.score {
			all = append(all, p.score)
		}
	}
	return all
}

// criteria are [C5] to [C21] as they hold for this bracket. Alone tells whether exactly one
// player moves down from it.
func (b *bracket) criteria(alone bool) []criterion {
	all := []criterion{b.byeScore(), {worth: b.inside}} // [C5, C6]
	// [C7]: the scores of those who move down. So of those who were moved down to here as many
	// as can be are paired, from the highest score on; how many residents are follows from that.
	for _, score := range b.scores() {
		all = append(all, criterion{worth: func(i, j int) int {
			return one(b.meetsMoved(i, j) && b.players[i].score == score)
		}})
	}
	all = append(all, b.following()...)
	if alone && b.bye() >= 0 { // [C9]
		all = append(all, criterion{worth: func(i, j int) int {
			if j != b.bye() || i >= b.size() {
				return 0
			}
			return -b.players[i].unplayed
		}})
	}
	all = append(all, b.sides()...)
	for age := range 2 { // [C14, C15], [C16, C17]
		all = append(all,
			criterion{worth: func(i, j int) int {
				if b.inside(i, j) == 0 {
					return 0
				}
				return one(b.floated(i, age, 1) && i >= b.moved) + one(b.floated(j, age, 1))
			}},
			criterion{worth: func(i, j int) int { return -one(b.meetsMoved(i, j) && b.floated(j, age, -1)) }})
	}
	for age := range 2 { // [C18, C19], [C20, C21]
		all = append(all, b.differences(age)...)
	}
	return all
}

// floated tells whether a player had a float in one of the last two rounds: 1 down, -1 up.
func (b *bracket) floated(i, age, which int) bool { return b.players[i].floats[age] == which }

// meetsMoved tells whether a pair is of one who was moved down and a resident.
func (b *bracket) meetsMoved(i, j int) bool { return i < b.moved && j < b.size() }

// following is [C8]: those who move down are to leave as many pairs in the next bracket as
// can be, and as few high scores unpaired there.
func (b *bracket) following() []criterion {
	end := b.next()
	within := func(j int) bool { return j >= b.size() && j < end }
	all := []criterion{{worth: func(i, j int) int { return one(within(j)) }}}
	for _, score := range b.scores() {
		all = append(all, criterion{worth: func(i, j int) int {
			return one(within(j) && i < b.size() && b.players[i].score == score)
		}})
	}
	return all
}

// sides is [C10] to [C13]: who gets which colour in a pair.
func (b *bracket) sides() []criterion {
	// count counts the two of a pair for whom something is so, with the colour that each gets.
	count := func(so func(x *standing, gets Colour, pair bool) bool) criterion {
		return criterion{worth: func(i, j int) int {
			if b.inside(i, j) == 0 {
				return 0
			}
			high, low := &b.players[i], &b.players[j]
			gets, top := b.colours(high, low), high.top || low.top
			return -one(so(high, gets, top)) - one(so(low, -gets, top))
		}}
	}
	return []criterion{
		count(func(x *standing, gets Colour, top bool) bool { // [C10]
			balance := x.balance + int(gets)
			return top && (balance > 2 || balance < -2)
		}),
		count(func(x *standing, gets Colour, top bool) bool { // [C11]
			n := len(x.colours)
			return top && n > 1 && x.colours[n-1] == gets && x.colours[n-2] == gets
		}),
		count(func(x *standing, gets Colour, _ bool) bool { return x.wants == -gets }), // [C12]
		count(func(x *standing, gets Colour, _ bool) bool { // [C13]
			return x.wants == -gets && x.strength == strong
		}),
	}
}

// differences is [C18] and [C19], or for the round before [C20] and [C21]: how far apart in
// score those are who float again. One who moves down further is reckoned to be further from
// his opponent than anybody who is paired.
func (b *bracket) differences(age int) []criterion {
	all := []criterion{{worth: func(i, j int) int { return one(b.meetsMoved(i, j) && b.floated(i, age, 1)) }}}
	for _, score := range b.scores() {
		all = append(all, criterion{worth: func(i, j int) int {
			return -one(b.meetsMoved(i, j) && b.floated(i, age, 1) && b.players[i].score == score)
		}})
	}
	for _, score := range b.scores() {
		all = append(all, criterion{worth: func(i, j int) int {
			return -one(b.meetsMoved(i, j) && b.floated(j, age, -1) && b.players[i].score == score)
		}})
	}
	return all
}
