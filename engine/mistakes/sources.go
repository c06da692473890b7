package mistakes

import (
	"embed"
	"io/fs"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
)

//go:embed *[^t].go bombardment.go combat.go flow_combat.go pursuit.go ruleset.go stop_combat.go stop_interrupt.go stop_pursuit.go template_combat.go
var sourceCode embed.FS

var _ engine.Sourced = Ruleset{}

// Sources implements [engine.Sourced].
func (Ruleset) Sources() []fs.FS { return []fs.FS{play.Sources, geometry.Sources, sourceCode, files} }
