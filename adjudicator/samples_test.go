package adjudicator

import "berthier/engine/rulestest"

// fullSamples tells that tests take all of their samples, see [rulestest.FullSamples].
var fullSamples = rulestest.FullSamples()
