package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator"
)

// step shows what the season would come to if a secretary took it a step further, or does it.
func (cmd *leagueDecision) step(ctx context.Context, r adjudicator.LeagueRuling, h *office, c *console) error {
	r.By, r.Reason = cmd.As, cmd.Reason
	done, err := h.Secretary().Rule(ctx, cmd.League, r, cmd.Confirm, cmd.Yes)
	if err != nil {
		return err
	}
	return tellDone(c, r.Kind, r.Of, done)
}

// tellDone tells how a season stands after a step, and whether it is done; of are the members whom it is about.
func tellDone(c *console, kind string, of []string, done *adjudicator.LeagueRuled) error {
	tellStep(c, kind, done.Step)
	if !done.Done {
		_, err := fmt.Fprintf(c.out, "nothing has changed yet; the same with --confirm %s does it\n", done.Code)
		return err
	}
	said := map[string]string{
		"announce": "the season is announced; SHA-256 of the seed of its lots: " + done.Step.Told,
		"open":     "entries are taken",
		"admit":    "entered: " + strings.Join(of, " "),
		"close":    "the list of entries is closed; its digest: " + done.Step.Told,
		"start":    "the season begins; its first games are made when the daemon runs",
		"end":      "the season is over; the seed of its lots: " + done.Step.Told,
	}
	_, err := fmt.Fprintln(c.out, said[kind])
	return err
}

// tellStep tells how a season stands after a step.
func tellStep(c *console, kind string, s *adjudicator.SeasonStep) {
	fmt.Fprintf(c.out, "season %s: %d have entered\n", s.Season, len(s.Entered))
	if len(s.Asked) > 0 && kind != "announce" {
		fmt.Fprintf(c.out, "still wait for a yes: %s\n", strings.Join(s.Asked, " "))
	}
	if len(s.Divisions) > 0 {
		fmt.Fprintf(c.out, "divisions: %s\n", strings.Join(s.Divisions, ", "))
	}
	if s.Waiting > 0 {
		fmt.Fprintf(c.out, "%d find no place, and wait\n", s.Waiting)
	}
	for _, date := range []struct {
		what string
		at   time.Time
	}{{"entries are closed", s.Closes}, {"play begins", s.Starts}} {
		if !date.at.IsZero() {
			fmt.Fprintf(c.out, "%s by itself at %s\n", date.what, date.at.Format(time.RFC3339))
		}
	}
	for _, m := range s.Moves {
		fmt.Fprintf(c.out, "%s goes %s from %s\n", m.Member, map[bool]string{true: "up", false: "down"}[m.Up], m.From)
	}
}

type leagueAnnounceCommand struct {
	leagueDecision
}

func (cmd *leagueAnnounceCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-announce", cmd, cmd.configFlag, c)
}

func (cmd *leagueAnnounceCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.step(ctx, adjudicator.LeagueRuling{Kind: "announce"}, h, c)
}

type leagueOpenCommand struct {
	leagueDecision
}

func (cmd *leagueOpenCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-open", cmd, cmd.configFlag, c)
}

func (cmd *leagueOpenCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.step(ctx, adjudicator.LeagueRuling{Kind: "open"}, h, c)
}

type leagueAdmitCommand struct {
	leagueDecision
	Members []string `arg:"" optional:"" help:"Members who enter, such as M-0001."`
	File    string   `help:"A list of people who enter (docs/leagues.md) in place of members, or - for the standard input. Who is no member yet becomes one."`
	Text    string   `kong:"-"`
}

func (cmd *leagueAdmitCommand) Run(ctx context.Context, c *console) (err error) {
	if (len(cmd.Members) > 0) == (cmd.File != "") {
		return errors.New("name members who enter, or a list of people (--file FILE)")
	}
	if cmd.File != "" {
		if cmd.Text, err = readInput(cmd.File); err != nil {
			return err
		}
	}
	return perform(ctx, "league-admit", cmd, cmd.configFlag, c)
}

func (cmd *leagueAdmitCommand) do(ctx context.Context, h *office, c *console) error {
	r := adjudicator.LeagueRuling{Kind: "admit", Of: cmd.Members}
	if cmd.File == "" {
		return cmd.step(ctx, r, h, c)
	}
	r.By, r.Reason = cmd.As, cmd.Reason
	done, err := h.Secretary().AdmitList(ctx, cmd.League, cmd.Text, r, cmd.Confirm, cmd.Yes)
	if err != nil {
		return err
	}
	if len(done.Fresh) > 0 {
		fmt.Fprintf(c.out, "become members first: %s\n", strings.Join(done.Fresh, ", "))
	}
	return tellDone(c, "admit", done.Step.Entered, done)
}

type leagueCloseCommand struct {
	leagueDecision
}

func (cmd *leagueCloseCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-close", cmd, cmd.configFlag, c)
}

func (cmd *leagueCloseCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.step(ctx, adjudicator.LeagueRuling{Kind: "close"}, h, c)
}

type leagueStartCommand struct {
	leagueDecision
}

func (cmd *leagueStartCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-start", cmd, cmd.configFlag, c)
}

func (cmd *leagueStartCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.step(ctx, adjudicator.LeagueRuling{Kind: "start"}, h, c)
}

type leagueEndCommand struct {
	leagueDecision
}

func (cmd *leagueEndCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-end", cmd, cmd.configFlag, c)
}

func (cmd *leagueEndCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.step(ctx, adjudicator.LeagueRuling{Kind: "end"}, h, c)
}

type leagueOverruleCommand struct {
	leagueDecision
	What  string `arg:"" enum:"withdraw,extend,dismiss" help:"What is taken back: withdraw (name the member), extend (name the game that got more time, or nothing for the season) or dismiss (name the game)."`
	About string `arg:"" optional:"" help:"The member or the game that it was about."`
}

func (cmd *leagueOverruleCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-overrule", cmd, cmd.configFlag, c)
}

func (cmd *leagueOverruleCommand) do(ctx context.Context, h *office, c *console) error {
	r := adjudicator.LeagueRuling{Kind: "overrule", Overrules: cmd.What, Game: cmd.About}
	if cmd.What == "withdraw" {
		r.Game, r.Of = "", []string{cmd.About}
	}
	return cmd.decide(ctx, r, h, c)
}
