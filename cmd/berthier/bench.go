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
	Games benchGamesCommand `cmd:"" help:"Let bots play games without mail, sensible ones against each other and against random ones, and print how the games end as tables in Markdown."`
}

type benchGamesCommand struct {
	Game     string            `default:"napoleon" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Scenario []string          `help:"Scenarios of the game, each in tables of its own. Without one the first."`
	Option   map[string]string `help:"Options of the game, as NAME=VALUE."`
	Games    int               `default:"200" help:"Games of each kind."`
	Seed     uint64            `default:"1" help:"Of the first game; the next has the next number."`
}

// A pairing is who plays sensibly in a row of games: all but the side named.
type pairing struct {
	random engine.Side
	all    bool // nobody plays by chance
}

func (p pairing) choose(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	if !p.all && view.Side() == p.random {
		return rules.Random(view, d, chance)
	}
	return rules.Sensible(view, d, chance)
}

func (p pairing) title() string {
	if p.all {
		return "all sensible"
	}
	return string(p.random) + " random, else sensible"
}

// An ending counts the games that ended alike.
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
	started := time.Now()
	for _, scenario := range cmd.Scenario {
		setup := engine.Setup{Scenario: scenario, Options: cmd.Option}
		position, err := rules.New(setup)
		if err != nil {
			return fmt.Errorf("set up %s: %w", cmd.Game, err)
		}
		kinds := []pairing{{all: true}}
		for _, side := range position.Sides() {
			kinds = append(kinds, pairing{random: side})
		}
		for _, kind := range kinds {
			if err := cmd.table(c.out, rules, setup, kind); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(c.err, "%.1f s\n", time.Since(started).Seconds())
	return err
}

// table plays the games of one kind and writes how they ended.
func (cmd benchGamesCommand) table(out io.Writer, rules engine.Ruleset, setup engine.Setup, kind pairing) error {
	var all []ending
	stops, rolls := 0, 0
	for i := range cmd.Games {
		game := playout.Game{Rules: rules, Setup: setup, Seed: cmd.Seed + uint64(i), Choose: kind.choose}
		result, err := game.Play()
		if err != nil {
			return err
		}
		stops += result.Stops
		rolls += result.Rolls
		winners := "nobody"
		if len(result.Outcome.Winners) > 0 {
			var names []string
			for _, side := range result.Outcome.Winners {
				names = append(names, string(side))
			}
			winners = strings.Join(names, ", ")
		}
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
	name := setup.Scenario
	for _, option := range slices.Sorted(maps.Keys(setup.Options)) {
		name += ", " + option + " " + setup.Options[option]
	}
	fmt.Fprintf(out, "### %s, %s\n\n%d games, seeds %d to %d; %d stops and %d dice a game on the mean.\n\n",
		name, kind.title(), cmd.Games, cmd.Seed, cmd.Seed+uint64(cmd.Games)-1, stops/cmd.Games, rolls/cmd.Games)
	fmt.Fprintf(out, "| Winner | By | Games | Share |\n|---|---|---|---|\n")
	for _, e := range all {
		fmt.Fprintf(out, "| %s | %s | %d | %d%% |\n", e.winners, e.clause, e.games, (e.games*100+cmd.Games/2)/cmd.Games)
	}
	_, err := fmt.Fprintln(out)
	return err
}
