package napoleon

import "berthier/engine/rulestest"

// raceEnabled tells that tests take smaller samples, see [rulestest.Race].
const raceEnabled = rulestest.Race

// fullSamples tells that tests take all of their samples, see [rulestest.FullSamples].
var fullSamples = rulestest.FullSamples()
