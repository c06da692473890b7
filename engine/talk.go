package engine

import "berthier/orders/phrase"

// A Talker is a [Position] whose rules say when its sides may talk to each
// other. In any other position they always may.
type Talker interface {
	// Talk tells whether a letter of a side may be passed on now to all the
	// sides that it is for. If not, it gives the clause, and the reason with the
	// next occasion. It must say nothing that the side that wants to talk does not know.
	Talk(from Side, to []Side) (clause string, why phrase.Phrase, ok bool)
}

// An Announcer is a [Position] in which some sides may know who else is asked.
// In any other position nobody is told, since it may be news that the enemy is asked.
type Announcer interface {
	// Asked takes a side that is asked at the present stop. It lists, in the order of
	// Sides, those other sides that are asked, too, if the side may know it. The list
	// comes only from what the side can see: it is the same whether or not the others
	// have answered, by a file or by standing orders.
	Asked(by Side) []Side
}

// Allied is a [Position] in which sides fight together. In any other position nobody has
// an ally.
type Allied interface {
	// Allies lists the other sides of a side's camp, in the order of Sides.
	Allies(Side) []Side
}

// Public is the seat of those who only look on: it owes nothing and does not play.
const Public Side = "public"

// Open is a [Position] of which onlookers may see what every side sees.
type Open interface {
	// Public is what all sides see alike, and no more.
	Public() View
}
