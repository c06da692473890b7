package napoleon

// A habit is how a sensible player of a camp weighs things. Forces are weighed in
// might: strength times one more than fire. Shares are hundredths.
type habit struct {
	// On the map.
	odds   int // the least force to attack with, as a share of the enemy's
	prey   int // what beating a force is worth, as a share of its might
	chase  int // what beating a handful is worth, likewise
	prize  int // the share of a town's worth that counts for an attack on it
	hold   int // and for holding it
	pull   int // what a road nearer to the goal is worth, as a share of the might that goes it
	reach  int // beyond how many roads the distance no longer matters
	mass   int // what standing together is worth, as a share of the might
	care   int // what danger costs, as a share of the might in danger
	post   int // the share of a town's worth that an empty supply town costs
	ward   int // and one that more could come to than guards it
	far    int // how much the enemy two roads off counts there, as a share of his might
	aid    int // and how much one's own
	forced int // what a forced march must bring, as a share of the might that it costs
	focus  int // how many roads farther a goal seems that isn't the first, with one group move; each more takes one off
	fear   int // an enemy stack of this part of one's whole force makes one look to the first goal
	hurry  int // the last own turns, in which what is spared is of no more use

	// In battle.
	need int // the surplus of a fight, in twelfths of a point, with which to engage
	bold int // the same for an attacker who must do something (NAP-6.7)

	// At deployment: how much counts
	remote int // each road to the goals
	border int // each town beyond the border next to it; for the Allies, each road from the border up to three
	watch  int // each block in those, in tenths
	roads  int // each unit that the roads onward take in a turn, in tenths; for the Allies, each road
}

// habits by camp. The French play against the clock.
var habits = [2]habit{
	frenchCamp: {
		odds: 105, prey: 80, chase: 125, prize: 40, hold: 100, pull: 50, reach: 54, mass: 25, care: 70,
		forced: 120, focus: 4, fear: 8, hurry: 4,
		need: 12, bold: -12,
		remote: 6, border: 2, watch: 10, roads: 20,
	},
	alliedCamp: {
		odds: 120, prey: 80, chase: 125, prize: 40, pull: 17, reach: 8, mass: 25, care: 67,
		post: 25, ward: 100, far: 33, aid: 12, forced: 120,
		need: 12, bold: -12,
		remote: 2, border: 3, roads: 20,
	},
}
