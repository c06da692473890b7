package waterloo

import "berthier/engine/rulestest"

// raceEnabled tells that tests take smaller samples, see [rulestest.Race].
const raceEnabled = rulestest.Race
