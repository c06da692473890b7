package orders

import "embed"

// Sources is the code of this package: how an order file is read decides how a game
// goes, so a game's log has it in the digest of its rules.
//
//go:embed *[^t].go document.go
var Sources embed.FS
