//go:build nextschema

package postgres

// A program that is built with the tag nextschema is one of tomorrow from its start to its end.
func init() { Next() }
