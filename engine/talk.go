package engine

import "berthier/orders/phrase"

// A Talker is a [Position] whose rules say when its sides may talk to each
// other. Without it they always may.
type Talker interface {
	// Talk tells whether a letter of a side may be passed on now to all the
	// others that it is for. If not, it gives the clause, and the reason with the
	// next occasion. What it says must be known to the side that wants to talk.
	Talk(from Side, to []Side) (clause string, why phrase.Phrase, ok bool)
}

// An Announcer is a [Position] of which some may know who else is asked.
// Without it nobody is told: that the enemy is asked may be news.
type Announcer interface {
	// Asked lists the other sides of which a side that is asked may know that they
	// are asked at the present stop, too, in the order of Sides. It comes from what
	// the side can see alone: it is the same whether they have answered, by a file or
	// by standing orders, or not.
	Asked(by Side) []Side
}

// Allied is a [Position] in which sides fight together. Without it nobody has an
// ally.
type Allied interface {
	// Allies lists the other sides of a side's camp, in the order of Sides.
	Allies(Side) []Side
}

// Public is the seat of those who only look on: it owes nothing and plays
// nothing.
const Public Side = "public"

// Open is a [Position] of which onlookers may see what every side sees.
type Open interface {
	// Public is what all sides see alike, and no more.
	Public() View
}
