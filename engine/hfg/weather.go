package hfg

// Weather: chapter 8.

const (
	mistDie = 6 // of the attacker's first PIP die (HFG-8.1)
	rainDie = 1
)

// weather takes the unmodified PIP die of a commander-in-chief: his first one as attacker sets
// the weather, and a 6 changes it (HFG-8.1 to HFG-8.4).
func (p *battlefield) weather(of side, turn, die int) {
	was := p.Sky
	switch {
	case turn == 1 && of == p.attacker() && p.scenario.ByDice:
		switch die {
		case mistDie:
			p.Sky = misty
		case rainDie:
			p.Sky = rain
		default:
			p.Sky = fair
		}
	case die != dieSides:
	case p.Sky == misty && of != p.attacker():
		p.Sky = fair
	case p.Sky == rain && p.endsRain(of):
		p.Sky = soaked
	case p.Sky == soaked && p.endsRain(of):
		p.Sky = muddy
	}
	if p.Sky != was || turn == 1 && p.scenario.ByDice {
		p.tell("HFG-8.1", "hfg.weather", skyArg(p.Sky))
	}
}

// endsRain says whether the rain, and the mud after it that holds guns, heed the die of a side's
// commander-in-chief (HFG-8.3, HFG-R38).
func (g *game) endsRain(of side) bool {
	switch g.rainEnd {
	case rainByAttacker:
		return of == g.attacker()
	case rainByDefender:
		return of != g.attacker()
	}
	return true
}

// The values of option rain-end, behind either.
const (
	rainByAttacker = 1
	rainByDefender = 2
)

// goodWeather says whether Aeronauts may operate, and nothing hides a surprise (HFG-8.4).
func (g *game) goodWeather() bool { return g.Sky != misty && g.Sky != rain }
