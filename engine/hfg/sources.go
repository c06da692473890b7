package hfg

import (
	"embed"
	"io/fs"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/hfg/campaign"
	"berthier/engine/play"
)

//go:embed *[^t].go contact.go distant.go nearest.go pursuit.go rout.go ruleset.go sight.go stop_choices_list.go stop_combat.go stop_list.go
var sourceCode embed.FS

var _ engine.Sourced = Ruleset{}

// Sources implements [engine.Sourced].
func (Ruleset) Sources() []fs.FS {
	return []fs.FS{play.Sources, geometry.Sources, campaign.Sources, sourceCode, files}
}
