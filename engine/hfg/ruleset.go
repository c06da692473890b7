package hfg

import (
	"embed"

	"berthier/engine/play"
)

//go:embed scenarios/*.yaml words/*.yaml
var files embed.FS

// library holds the scenarios.
var library = &play.Library[*scenario]{Files: files, Built: []string{"scenarios/waterloo-1815.yaml"}, Read: readScenario}
