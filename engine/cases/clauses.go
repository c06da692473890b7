package cases

import (
	"regexp"
	"slices"
)

// clauseID is the id of a clause or ruling, such as NAP-5.5b or NAP-R38b.
var clauseID = regexp.MustCompile(`^[A-Z]{2,5}-(\d+\.\d+[a-z]?|R\d+[a-z]?)$`)

// Where a digest defines a clause, as against speaking of it: in bold at the
// head of its text, a ruling as the first cell of a row.
var definition = regexp.MustCompile(`(?m)\*\*([A-Z]{2,5}-\d+\.\d+[a-z]?)\b|^\|\s*([A-Z]{2,5}-R\d+[a-z]?)\s*\|`)

// Clauses lists the ids of all clauses and rulings that a digest of rules
// (docs/rules/<ruleset>.md) defines, in the order of the digest.
func Clauses(digest []byte) []string {
	var ids []string
	seen := map[string]bool{}
	for _, found := range definition.FindAllSubmatch(digest, -1) {
		id := string(found[1])
		if id == "" {
			id = string(found[2])
		}
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// Uncovered lists those clauses, in their order, of which no case is an example.
func Uncovered(clauses []string, all []Case) []string {
	covered := map[string]bool{}
	for _, c := range all {
		for _, clause := range c.Clauses {
			covered[clause] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(clauses), func(id string) bool { return covered[id] })
}

// Unknown lists, as "file:line: clause", the clauses that cases cite and the
// digest does not define.
func Unknown(clauses []string, all []Case) []string {
	var wrong []string
	for _, c := range all {
		for _, clause := range c.Clauses {
			if !slices.Contains(clauses, clause) {
				wrong = append(wrong, c.Place(c.Line)+": "+clause)
			}
		}
	}
	return wrong
}
