package enginetest

import (
	"embed"
	"io/fs"

	"berthier/engine"
)

//go:embed *[^t].go
var code embed.FS

var _ engine.Sourced = Lots{}

// Sources implements [engine.Sourced].
func (Lots) Sources() []fs.FS { return []fs.FS{code} }
