package rulestest

import "os"

// FullSamples tells that tests are to take all of their samples: BERTHIER_SAMPLES=full asks
// for that, as .ci/run does, and the race detector does not slow them. Otherwise a test
// takes only as much as a person can wait for, from every setup and of every kind of stop.
func FullSamples() bool { return os.Getenv("BERTHIER_SAMPLES") == "full" && !Race }
