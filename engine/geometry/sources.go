package geometry

import "embed"

// Sources is the code of this package, for the digest of the rulesets that measure with it
// (see [berthier/engine.Digest]).
//
//go:embed *[^t].go
var Sources embed.FS
