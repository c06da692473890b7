package play

import "embed"

// Sources is the code of this package, for the digest of the rulesets that are made of
// it (see [berthier/engine.Digest]).
//
//go:embed *[^t].go
var Sources embed.FS
