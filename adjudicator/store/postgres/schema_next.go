//go:build e2e || nextschema

package postgres

// Next makes this process one of a program of tomorrow, whose tables have a column more, until back is called. The test of an
// upgrade has such a program beside that of today.
func Next() (back func()) {
	today := migrations
	migrations = append(today[:len(today):len(today)], []string{`alter table games add column next bytea`})
	return func() { migrations = today }
}
