//go:build e2e

package templates

import "berthier/engine"

// Drawn is told of each picture that is drawn, as a scene and as a PNG, in end-to-end tests: letters
// as they are sent have pictures only as PNG, which say nothing of labels and counters. It is set before
// anything is drawn.
var Drawn func(scene *engine.Scene, png []byte)

func drawn(scene *engine.Scene, png []byte) {
	if Drawn != nil {
		Drawn(scene, png)
	}
}
