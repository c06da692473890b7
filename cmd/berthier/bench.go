package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"berthier/engine"
	"berthier/engine/playout"
)

type benchCommands struct {
	Kept   benchKeptCommand   `cmd:"" help:"Print how many bytes a database keeps for each game, kind by kind."`
	Games  benchGamesCommand  `cmd:"" help:"Let bots play games without mail, sensible ones against each other and against random ones, and print how the games end as tables in Markdown. On a terminal it shows how far it is."`
	Office benchOfficeCommand `cmd:"" help:"Make an office with very many open games, all copies of one, and a small office beside it. Measure what a letter and a look at the clock cost in each, then let bots play some of the games for a month, without mail."`
	Pace   benchPaceCommand   `cmd:"" help:"Let sensible bots play games without mail, and print what a game costs those who play it by mail: stops of each kind, letters of each seat, waits. docs/pace.md explains the tables."`
}

type benchGamesCommand struct {
	Game     string            `default:"napoleon" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Scenario []string          `help:"Scenarios of the game, each in tables of its own; by default the first."`
	Option   map[string]string `help:"Options of the game, as NAME=VALUE."`
	Games    int               `default:"200" help:"Games of each kind."`
	Seed     uint64            `default:"1" help:"Seed of the first game; the next game has the next number."`
}

// A pairing says which sides play sensibly in some games; the others play at random.
type pairing struct {
	title    string
	sensible []engine.Side
}

// pairingsOf lists the pairings of a game: all sides sensible, all but one, and, where
// there are more than two sides, each side alone.
func pairingsOf(sides []engine.Side) []pairing {
	kinds := []pairing{{"all sensible", sides}}
	for _, side := range sides {
		others := slices.DeleteFunc(slices.Clone(sides), func(s engine.Side) bool { return s == side })
		kinds = append(kinds, pairing{string(side) + " random, else sensible", others})
	}
	if len(sides) > 2 {
		for _, side := range sides {
			kinds = append(kinds, pairing{string(side) + " sensible, else random", []engine.Side{side}})
		}
	}
	return kinds
}

func (p pairing) choose(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	if slices.Contains(p.sensible, view.Side()) {
		return rules.Sensible(view, d, chance)
	}
	return rules.Random(view, d, chance)
}

// An ending counts the games that ended in the same way.
type ending struct {
	winners, clause string
	games           int
}

func (cmd benchGamesCommand) Run(c *console) error {
	if cmd.Games < 1 || cmd.Games > 1_000_000 {
		return hinted{fmt.Errorf("--games %d", cmd.Games), "give a whole number from 1"}
	}
	rules := rulesets[cmd.Game]
	if len(cmd.Scenario) == 0 {
		cmd.Scenario = rules.About().Scenarios[:1]
	}
	started, progress := time.Now(), newProgress(c.err)
	defer progress.wipe()
	for _, scenario := range cmd.Scenario {
		setup := engine.Setup{Scenario: scenario, Options: cmd.Option}
		position, err := rules.New(setup)
		if err != nil {
			return fmt.Errorf("set up %s: %w", cmd.Game, err)
		}
		for _, kind := range pairingsOf(position.Sides()) {
			if err := cmd.table(c.out, progress, rules, setup, kind); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(c.err, "%.1f s\n", time.Since(started).Seconds())
	return err
}

// titleOf names a set-up by the scenario and the options that were given.
func titleOf(setup engine.Setup) string {
	title := setup.Scenario
	for _, name := range slices.Sorted(maps.Keys(setup.Options)) {
		title += ", " + name + " " + setup.Options[name]
	}
	return title
}

// winnersOf names who won, or nobody.
func winnersOf(outcome engine.Outcome) string {
	if len(outcome.Winners) == 0 {
		return "nobody"
	}
	var names []string
	for _, side := range outcome.Winners {
		names = append(names, string(side))
	}
	return strings.Join(names, ", ")
}

// table plays the games of one kind and writes how they ended.
func (cmd benchGamesCommand) table(out io.Writer, progress *progress, rules engine.Ruleset, setup engine.Setup, kind pairing) error {
	var all []ending
	stops, rolls := 0, 0
	title := titleOf(setup) + ", " + kind.title
	for i := range cmd.Games {
		progress.count(i, cmd.Games, title)
		game := playout.Game{Rules: rules, Setup: setup, Seed: cmd.Seed + uint64(i), Choose: kind.choose}
		result, err := game.Play()
		if err != nil {
			return err
		}
		stops += result.Stops
		rolls += result.Rolls
		winners := winnersOf(result.Outcome)
		at := slices.IndexFunc(all, func(e ending) bool { return e.winners == winners && e.clause == result.Outcome.Clause })
		if at < 0 {
			at, all = len(all), append(all, ending{winners: winners, clause: result.Outcome.Clause})
		}
		all[at].games++
	}
	slices.SortFunc(all, func(a, b ending) int {
		if a.games != b.games {
			return b.games - a.games
		}
		return strings.Compare(a.winners+a.clause, b.winners+b.clause)
	})
	progress.wipe()
	fmt.Fprintf(out, "### %s\n\n%d games, seeds %d to %d; on average %d stops and %d dice a game.\n\n",
		title, cmd.Games, cmd.Seed, cmd.Seed+uint64(cmd.Games)-1, stops/cmd.Games, rolls/cmd.Games)
	fmt.Fprintf(out, "| Winner | By | Games | Share |\n|---|---|---|---|\n")
	for _, e := range all {
		fmt.Fprintf(out, "| %s | %s | %d | %d%% |\n", e.winners, e.clause, e.games, (e.games*100+cmd.Games/2)/cmd.Games)
	}
	_, err := fmt.Fprintln(out)
	return err
}
