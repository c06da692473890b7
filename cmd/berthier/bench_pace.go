package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

type benchPaceCommand struct {
	Game     string            `default:"napoleon" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Scenario []string          `help:"Scenarios of the game, each in tables of its own; by default the first."`
	Option   map[string]string `help:"Options of the game, as NAME=VALUE."`
	Games    int               `default:"100" help:"Games of each scenario."`
	Seed     uint64            `default:"1" help:"Seed of the first game; the next game has the next number."`
	Minor    []string          `placeholder:"KIND" help:"Kinds of stops whose answers are not counted as letters."`
	Policy   string            `default:"bot" enum:"bot,default" help:"Who answers the stops of --minor: the bot, so that the same games are played, or the default of the rules."`
	Standing string            `placeholder:"YAML" help:"Standing orders that are in force from the start, written as after standing: in an order file."`
	Pace     string            `placeholder:"PACE" help:"Pace at which the seats begin: postal, every-decision or by-plan. Without one nothing is in force but --standing and --policies."`
	Policies string            `placeholder:"YAML" help:"Policies that are changed at the start, written as after policies: in an order file."`
	Side     []string          `name:"seat" aliases:"side" placeholder:"SEAT" help:"Seats to which --minor, --standing, --pace, --policies, --file and --write apply; by default all."`
	File     string            `placeholder:"HOW" enum:",joined,ahead" default:"" help:"What the bots file besides the answer to a stop. joined: the answer to the question that follows at once. ahead: answers to all that they may be asked before another seat is asked."`
	Ahead    string            `placeholder:"YAML" help:"What is added to the ahead: of each of their files, written as in an order file. Needs --file."`
	Write    string            `placeholder:"YAML" help:"What the bots add to each item of their orders where it is legal, such as {on-reaction: continue}."`
	Split    []string          `placeholder:"KIND" help:"Kinds of stops of which each occasion is counted by itself, such as those on which artillery may fire."`
	JSON     bool              `name:"json" help:"Print JSON (docs/pace.md)."`
}

func (cmd benchPaceCommand) Run(c *console) error {
	rules := rulesets[cmd.Game]
	if len(cmd.Scenario) == 0 {
		cmd.Scenario = rules.About().Scenarios[:1]
	}
	if err := cmd.sound(rules); err != nil {
		return err
	}
	started, progress := time.Now(), newProgress(c.err)
	defer progress.wipe()
	var sheets []paceSheet
	for _, scenario := range cmd.Scenario {
		sheet, err := cmd.count(progress, rules, engine.Setup{Scenario: scenario, Options: cmd.Option})
		if err != nil {
			return err
		}
		progress.wipe()
		if sheets = append(sheets, sheet); !cmd.JSON {
			if err := sheet.write(c.out); err != nil {
				return err
			}
		}
	}
	if cmd.JSON {
		enc := json.NewEncoder(c.out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(sheets); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(c.err, "%.1f s\n", time.Since(started).Seconds())
	return err
}

// sound refuses flags for which nothing can be counted.
func (cmd benchPaceCommand) sound(rules engine.Ruleset) error {
	if cmd.Games < 1 || cmd.Games > 1_000_000 {
		return hinted{fmt.Errorf("--games %d", cmd.Games), "give a whole number from 1"}
	}
	kinds := rules.About().Stops
	for _, flag := range []struct {
		name  string
		given []string
	}{{"--minor", cmd.Minor}, {"--split", cmd.Split}} {
		var unknown []string
		for _, kind := range flag.given {
			if !slices.Contains(kinds, kind) {
				unknown = append(unknown, kind)
			}
		}
		if len(unknown) > 0 {
			return hinted{fmt.Errorf("%s %s: %s has no such stop", flag.name, strings.Join(unknown, ","), cmd.Game), "its stops are " + strings.Join(kinds, ", ")}
		}
	}
	switch {
	case cmd.Policy != "bot" && len(cmd.Minor) == 0:
		return hinted{errors.New("--policy " + cmd.Policy + " without --minor"), "name the kinds of stops that it answers: --minor KIND,KIND"}
	case len(cmd.Side) > 0 && len(cmd.Minor) == 0 && cmd.Standing == "" && cmd.Pace == "" && cmd.Policies == "" && cmd.File == "" && cmd.Write == "":
		return hinted{errors.New("--seat needs --minor, --standing, --pace, --policies, --file or --write"), "--seat says to which seats they apply"}
	case cmd.Pace != "" && !slices.Contains(engine.Paces, cmd.Pace):
		return hinted{fmt.Errorf("--pace %s: no such pace", cmd.Pace), "the paces are " + strings.Join(engine.Paces, ", ")}
	}
	return cmd.soundFiling(rules)
}

// about tells whether --minor and --standing apply to a seat.
func (cmd benchPaceCommand) about(side engine.Side) bool {
	return len(cmd.Side) == 0 || slices.Contains(cmd.Side, string(side))
}

// count plays the games of one scenario.
func (cmd benchPaceCommand) count(progress *progress, rules engine.Ruleset, setup engine.Setup) (paceSheet, error) {
	start, err := cmd.start(rules, setup)
	if err != nil {
		return paceSheet{}, err
	}
	count := newPaceCount(rules, cmd.Split, func(side engine.Side, kind string) bool { return cmd.about(side) && slices.Contains(cmd.Minor, kind) })
	for i := range cmd.Games {
		progress.count(i, cmd.Games, titleOf(setup))
		choose := cmd.writing(count.chooser(cmd.Policy == "default"))
		if err := count.play(playout.Game{Rules: rules, Start: start, Seed: cmd.Seed + uint64(i), Choose: choose, File: cmd.filer(choose)}); err != nil {
			return paceSheet{}, err
		}
	}
	sheet := count.sheet(start.Sides())
	sheet.Game, sheet.Scenario, sheet.Options, sheet.Seed = cmd.Game, setup.Scenario, cmd.Option, cmd.Seed
	sheet.Minor, sheet.Policy, sheet.Standing, sheet.Sides = cmd.Minor, cmd.Policy, cmd.Standing, cmd.Side
	sheet.Pace, sheet.Policies, sheet.File, sheet.Ahead, sheet.Write = cmd.Pace, cmd.Policies, cmd.File, cmd.Ahead, cmd.Write
	return sheet, nil
}

// start is a new game at its pace, in which standing orders and policies are in force.
func (cmd benchPaceCommand) start(rules engine.Ruleset, setup engine.Setup) (engine.Position, error) {
	position, err := rules.New(setup)
	if err != nil {
		return nil, fmt.Errorf("set up %s: %w", cmd.Game, err)
	}
	sides := position.Sides()
	var unknown, names []string
	for _, side := range sides {
		names = append(names, string(side))
	}
	for _, side := range cmd.Side {
		if !slices.Contains(names, side) {
			unknown = append(unknown, side)
		}
	}
	if len(unknown) > 0 {
		return nil, hinted{fmt.Errorf("--seat %s: no such seat", strings.Join(unknown, ",")), "its seats are " + strings.Join(names, ", ")}
	}
	if cmd.Pace != "" {
		policied, able := rules.(engine.Policied)
		if !able {
			return nil, hinted{fmt.Errorf("--pace: %s has no policies", cmd.Game), "leave --pace out"}
		}
		paces := map[engine.Side]string{}
		for _, side := range sides {
			if cmd.about(side) {
				paces[side] = cmd.Pace
			}
		}
		if position, err = rules.New(engine.AtPace(policied, setup, paces)); err != nil {
			return nil, fmt.Errorf("set up %s: %w", cmd.Game, err)
		}
	}
	return position, cmd.instruct(rules, position)
}

// instruct puts in force what --standing and --policies say.
func (cmd benchPaceCommand) instruct(rules engine.Ruleset, position engine.Position) error {
	for _, flag := range []struct {
		name, text string
		file       func(*orders.Node) *orders.Document
	}{
		{"--standing", cmd.Standing, func(n *orders.Node) *orders.Document { return &orders.Document{Standing: n} }},
		{"--policies", cmd.Policies, func(n *orders.Node) *orders.Document { return &orders.Document{Policies: n} }},
	} {
		if flag.text == "" {
			continue
		}
		instructor, able := rules.(engine.Instructor)
		instructed, takes := position.(engine.Instructed)
		if !able || !takes {
			return hinted{fmt.Errorf("%s: %s has no standing orders", flag.name, cmd.Game), "leave " + flag.name + " out"}
		}
		remedy := "berthier rules " + cmd.Game + " --orders shows what " + flag.name + " takes"
		node, faults := orders.ParseNode([]byte(flag.text))
		if len(faults) > 0 {
			return hinted{fmt.Errorf("%s: %w", flag.name, faults), remedy}
		}
		for _, side := range position.Sides() {
			if !cmd.about(side) {
				continue
			}
			given, faults := instructor.ReadStanding(position.View(side), flag.file(node))
			if len(faults) > 0 {
				return hinted{fmt.Errorf("%s of %s: %w", flag.name, side, faults), remedy}
			}
			if err := instructed.Instruct(side, given); err != nil {
				return err
			}
		}
	}
	return nil
}

// tenths writes a mean with one decimal.
func tenths(sum, of int) string {
	n := (sum*20 + of) / (2 * of)
	return fmt.Sprintf("%d.%d", n/10, n%10)
}

// percent writes a share.
func percent(part, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d%%", (part*200+of)/(2*of))
}

// titled names what was counted: the set-up, and the flags.
func (s paceSheet) titled() string {
	title := titleOf(engine.Setup{Scenario: s.Scenario, Options: s.Options})
	if s.Standing != "" {
		title += ", standing " + s.Standing
	}
	if s.Pace != "" {
		title += ", pace " + s.Pace
	}
	if s.Policies != "" {
		title += ", policies " + s.Policies
	}
	if s.File != "" {
		title += ", file " + s.File
	}
	if s.Ahead != "" {
		title += ", ahead " + s.Ahead
	}
	if s.Write != "" {
		title += ", write " + s.Write
	}
	if len(s.Minor) > 0 {
		title += ", minor " + strings.Join(s.Minor, " ") + " by " + s.Policy
	}
	if len(s.Sides) > 0 {
		title += ", of " + strings.Join(s.Sides, " ")
	}
	return title
}

// write writes the tables.
func (s paceSheet) write(out io.Writer) error {
	t := &paceTable{}
	t.line("### %s, %s\n", s.Game, s.titled())
	t.line("%d games, seeds %d to %d, of sensible bots.\n", s.Games, s.Seed, s.Seed+uint64(s.Games)-1)
	t.line("| | a game | least | median | most |\n|---|---|---|---|---|")
	t.spread("stops", s.Stops, s.Games)
	t.spread("waits", s.Waits, s.Games)
	t.spread("waits, asked meanwhile", s.AtOnce, s.Games)
	if s.Chain != nil {
		t.spread("waits of the longest turn", *s.Chain, s.Games)
	}
	if s.Turns != nil {
		t.spread("turns", *s.Turns, s.Games)
	}
	t.line("\n| Seat | letters a game | nothing between joined | a row is one |\n|---|---|---|---|")
	for _, seat := range s.Seats {
		t.line("| %s | %s | %s | %s |", seat.Seat, tenths(seat.Letters, s.Games), tenths(seat.Joined, s.Games), tenths(seat.Rows, s.Games))
	}
	t.line("\n| Stop | a game | in games | answer is default | no other choice | letters | asked meanwhile | counts |\n|---|---|---|---|---|---|---|---|")
	for _, k := range s.Kinds {
		t.line("| `%s` | %s | %s | %s | %s | %s | %s | %s |", k.Stop, tenths(k.Asked, s.Games), percent(k.Games, s.Games),
			percent(k.Default, k.Asked), percent(k.NoOther, k.Asked), tenths(k.Asked-k.Minor-k.Filed, s.Games),
			tenths(k.Opened, s.Games), tenths(k.Spared, s.Games))
	}
	t.line("\n| Stop of a seat | then | a game | without a die | nothing between |\n|---|---|---|---|---|")
	for _, p := range s.Pairs {
		t.line("| `%s` | `%s` | %s | %s | %s |", p.First, p.Then, tenths(p.Came, s.Games), tenths(p.NoDice, s.Games), tenths(p.Nothing, s.Games))
	}
	t.line("\n| Winner | Games | Share |\n|---|---|---|")
	for _, e := range s.Endings {
		t.line("| %s | %d | %s |", e.Winners, e.Games, percent(e.Games, s.Games))
	}
	t.line("")
	_, err := io.WriteString(out, t.String())
	return err
}

// A paceTable is written line by line.
type paceTable struct{ strings.Builder }

func (t *paceTable) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

func (t *paceTable) spread(name string, s paceSpread, games int) {
	t.line("| %s | %s | %d | %d | %d |", name, tenths(s.Sum, games), s.Least, s.Median, s.Most)
}
