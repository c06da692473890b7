package campaign

import "embed"

// Sources is the code of this package with its maps, for the digest of what decides how games go (see
// [berthier/engine.Digest]).
//
//go:embed *[^t].go scenarios/*.yaml
var Sources embed.FS
