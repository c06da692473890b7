package napoleon

// A habit is how a sensible player of a camp judges. Forces are measured in
// might: strength times one more than fire. Shares are hundredths.
type habit struct {
	// On the map.
	odds   int // the least force to attack with, as a share of the enemy's
	prey   int // what it is worth to beat a force, as a share of its might
	chase  int // what it is worth to beat a few units, as a share of their might
	prize  int // the share of a town's worth that counts for an attack on it
	hold   int // the share of a town's worth that counts for holding it
	pull   int // what a road nearer to the goal is worth, as a share of the might that goes there
	reach  int // beyond how many roads the distance no longer matters
	mass   int // what standing together is worth, as a share of the might
	care   int // what danger costs, as a share of the might in danger
	post   int // the share of a town's worth that an empty supply town costs
	ward   int // the share that a supply town costs to which more enemies could come than guard it
	far    int // how much of the enemy's might counts that is two roads away, as a share
	aid    int // how much of the side's own might counts that is two roads away
	forced int // what a forced march must bring, as a share of the might that it costs
	focus  int // how many roads farther away goals other than the first seem, with one group move; each further group move takes one off
	fear   int // an enemy stack of this part of the whole own force makes the side look to the first goal
	hurry  int // how many last own turns there are in which it is no more use to spare anything

	// In battle.
	need int // the surplus of a fight, in twelfths of a point, with which to engage
	bold int // the same for an attacker who must do something (NAP-6.7)

	// At deployment, how much each of these counts:
	remote int // each road to the goals
	border int // each town beyond the border next to it; for the Allies, each road from the border up to three
	watch  int // each block in those towns, in tenths
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
