package hfg

import (
	"testing"

	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "hfg", New()) }

func TestEveryClauseHasACase(t *testing.T) { rulestest.EveryClauseHasACase(t, "hfg", New()) }

// Whatever a case gives is read and played, or is refused with its line.
func FuzzGiven(f *testing.F) {
	rulestest.Given(f, "hfg", New(),
		"pieces: {charlet: [6200, 2950, 0], kempt: hougoumont}",
		"field: {year: 1860, size: [9000, 5000], areas: {town: [bua, 4000, 3000, 600, 600], steep: [difficult hill, 7000, 3000, 900, 700], copse: {kind: wood, outline: [[1, 1], [900, 1], [1, 900]]}}, lines: {brook: [stream 100, [0, 2000], [9000, 2000]], lane: [good road, [4000, 0], [4000, 5000]]}, bridges: [{id: span, over: brook, at: [4000, 2000], facing: 0}], commands: {wing: {side: red, rank: sg, elements: [r2]}}}\npieces: {r1: [elite minie, 2000, 1000, 0], r2: [cp], b1: [minie, town]}",
		"scenario: two-armies\noptions: {pair: gettysburg}\nfield: {areas: {bog: [marsh, 6000, 4500, 1200, 500]}}\npieces: {blue-pon-1: [pontoneers]}",
		"scenario: two-armies\noptions: {campaign: \"yes\"}\nfield: {forces: {red-centre: greyfield}}",
		"field: {areas: [1], lines: {x: [road]}, commands: 3, year: soon}\npieces: {r1: [], b1: [tanks, 1, 2, 3], x: [a, b, c]}")
}
