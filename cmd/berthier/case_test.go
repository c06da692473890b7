package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"berthier/engine/cases"
)

// yamlBlock is a block of YAML in a page of the documentation.
var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")

// The examples of docs/cases.md are cases that hold.
func TestExamplesOfCasesHold(t *testing.T) {
	page, err := os.ReadFile("../../docs/cases.md")
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, block := range yamlBlock.FindAllSubmatchIndex(page, -1) {
		text := page[block[2]:block[3]]
		if strings.Contains(string(text), "case: ...") {
			continue // the outline of a file
		}
		line := strings.Count(string(page[:block[2]]), "\n")
		all, problems := cases.Parse(rulesets, "case.yaml", text)
		if len(problems) > 0 {
			t.Errorf("the example below line %d:\n%s", line, explain(problems))
		}
		for _, c := range all {
			if result := cases.Run(rulesets, c); !result.OK() {
				t.Errorf("the example below line %d:\n%s", line, result)
			}
			held++
		}
	}
	if held < 6 {
		t.Errorf("only %d examples were found", held)
	}
}

// Every ruleset of the program says what form its positions have, and has short forms for
// cases.
func TestRulesetsHelpWhoWritesCases(t *testing.T) {
	for id, rules := range rulesets {
		if _, ok := rules.(cases.Former); !ok {
			t.Errorf("%s does not describe the form of its positions", id)
		}
		if s, ok := rules.(cases.Stager); !ok || len(s.GivenKeys()) == 0 {
			t.Errorf("%s has no short forms for cases", id)
		}
	}
}
