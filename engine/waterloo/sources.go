package waterloo

import (
	"embed"
	"io/fs"

	"berthier/engine/play"
)

//go:embed *[^t].go movement.go retreat.go ruleset.go
var code embed.FS

// Sources implements [engine.Sourced].
func (Ruleset) Sources() []fs.FS { return []fs.FS{play.Sources, code, files} }
