package adjudicator

import (
	"berthier/adjudicator/log"
)

// once checks that an entry says one thing to all its readers: that nothing in it is said
// twice, of which programs may read the one or the other, and that no private part takes
// the place of what the body tells.
func (e ExportedEntry) once() error { return log.ReadsOnce(e.Body, e.Private) }
