package rulestest

import "os"

// FullSamples tells that tests are to take all of their samples: it was asked for by
// BERTHIER_SAMPLES=full, as .ci/run does, and the race detector does not slow them. Without it
// a test takes what a person can wait for, of every setup and of every kind of stop.
func FullSamples() bool { return os.Getenv("BERTHIER_SAMPLES") == "full" && !Race }
