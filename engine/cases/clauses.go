package cases

import (
	"regexp"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// clauseID is the id of a clause or ruling, such as NAP-5.5b or NAP-R38b.
var clauseID = regexp.MustCompile(`^[A-Z]{2,5}-(\d+\.\d+[a-z]?|R\d+[a-z]?)$`)

// mostNear bounds how many clauses a remedy names.
const mostNear = 12

// clause reads the id of a clause, which the digest of the case's ruleset must
// have; "" if there is none or it is at fault. If a ruleset has no digest, every id will
// do.
func (p *parser) clause(n *orders.Node) string {
	id, ok := p.Text(n)
	if !ok {
		return ""
	}
	if !clauseID.MatchString(id) {
		p.RefuseWith(n, "", phrase.Say("case.no-clause", phrase.Literal("clause", id)), phrase.Say("case.find-clauses", phrase.Literal("ruleset", p.ruleset)))
		return ""
	}
	digest, known := p.digests[p.ruleset]
	if !known {
		if documented, is := p.rulesets[p.ruleset].(engine.Documented); is {
			digest = documented.Clauses()
		}
		p.digests[p.ruleset] = digest
	}
	if len(digest) == 0 || slices.ContainsFunc(digest, func(c engine.Clause) bool { return c.ID == id }) {
		return id
	}
	near := nearClauses(digest, id)
	p.RefuseWith(n, "", phrase.Say("case.unknown-clause", phrase.Literal("clause", id), phrase.Literal("ruleset", p.ruleset)),
		phrase.Say("case.near-clauses", phrase.Literal("ruleset", p.ruleset), phrase.Literals("clauses", near), phrase.Number("n", len(near))))
	return ""
}

// nearClauses lists clauses that begin like an id that no clause has.
func nearClauses(digest []engine.Clause, id string) []string {
	_, bare, _ := strings.Cut(id, "-")
	for end := len(id) - 1; end > len(id)-len(bare); end-- {
		var near []string
		for _, c := range digest {
			if strings.HasPrefix(c.ID, id[:end]) && len(near) < mostNear {
				near = append(near, c.ID)
			}
		}
		if len(near) > 0 {
			return near
		}
	}
	return nil
}

// These find where a digest defines a clause, and does not just speak of it: a clause is
// defined in bold at the head of its text, a ruling in the first cell of a row.
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

// Uncovered lists, in their order, the clauses of which no case is an example.
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
