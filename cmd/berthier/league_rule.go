package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator"
	points "berthier/adjudicator/league/table"
)

// leagueDecision is what each decision of a secretary has.
type leagueDecision struct {
	leagueAct
	As      string `help:"Address of the secretary who decides. A final result may also be settled by an umpire." placeholder:"ADDRESS"`
	Reason  string `help:"Why; the log keeps it."`
	Confirm string `help:"The code that the preview gave: confirms the change." placeholder:"CODE"`
	Yes     bool   `help:"Make the change at once, without a preview."`
}

// decide shows what a ruling would do, or lets it count.
func (cmd *leagueDecision) decide(ctx context.Context, r adjudicator.LeagueRuling, h *office, c *console) error {
	r.By, r.Reason = cmd.As, cmd.Reason
	done, err := h.Secretary().Rule(ctx, cmd.League, r, cmd.Confirm, cmd.Yes)
	if err != nil {
		return err
	}
	if done.Second {
		fmt.Fprintln(c.out, "nothing changes until a second person, a secretary or an umpire, wants the same")
	}
	for _, x := range done.Changes {
		tellChange(c, x)
	}
	for _, keys := range [][2]string{{"at once", strings.Join(done.Now, ", ")}, {"from the next season on", strings.Join(done.Later, ", ")}} {
		if keys[1] != "" {
			fmt.Fprintf(c.out, "%s: %s\n", keys[0], keys[1])
		}
	}
	if p := done.Prolonged; p != nil {
		fmt.Fprintf(c.out, "%s is in turn %d of %d at most; it may be played until %s, and is counted then\n", r.Game, p.Turn, p.Last, p.Until.Format(time.RFC3339))
	}
	if len(done.Changes) == 0 {
		fmt.Fprintln(c.out, "no place in a table changes")
	}
	if done.Done {
		_, err = fmt.Fprintln(c.out, "it counts")
		return err
	}
	_, err = fmt.Fprintf(c.out, "nothing has changed yet; the same with --confirm %s lets it count\n", done.Code)
	return err
}

// tellChange prints a row of a table that becomes another.
func tellChange(c *console, x adjudicator.PlaceChange) {
	fmt.Fprintf(c.out, "division %s, %s: place %d -> %d, points %s -> %s\n", x.Division, x.Member, x.Was, x.Place, points.Write(x.WasPoints), points.Write(x.Points))
}

type leagueRuleCommand struct {
	leagueDecision
	Game     string   `arg:"" help:"The game, such as aquila-1-2-5."`
	Forfeit  []string `help:"Members who have forfeited it." placeholder:"MEMBER" xor:"what"`
	Cancel   bool     `help:"Cancel it: it counts for nobody." xor:"what"`
	Overrule bool     `help:"Take back what a secretary has ruled on it." xor:"what"`
	Dismiss  bool     `help:"Dismiss the protests about it; what it counts as stays." xor:"what"`
	Correct  bool     `help:"Take the result that the game's log has now in place of the final one. Needs two people." xor:"what"`
	Stand    bool     `help:"Keep the final result, whatever the game's log says now. Needs two people." xor:"what"`
}

func (cmd *leagueRuleCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-rule", cmd, cmd.configFlag, c)
}

func (cmd *leagueRuleCommand) do(ctx context.Context, h *office, c *console) error {
	r := adjudicator.LeagueRuling{Game: cmd.Game, Of: cmd.Forfeit}
	switch {
	case len(cmd.Forfeit) > 0:
		r.Kind = "forfeit"
	case cmd.Cancel:
		r.Kind = "cancel"
	case cmd.Overrule:
		r.Kind = "overrule"
	case cmd.Dismiss:
		r.Kind = "dismiss"
	case cmd.Correct:
		r.Kind = "correct"
	case cmd.Stand:
		r.Kind = "stand"
	default:
		return fmt.Errorf("say what is ruled on %s: --forfeit MEMBER, --cancel, --overrule, --dismiss, --correct or --stand", cmd.Game)
	}
	return cmd.decide(ctx, r, h, c)
}

type leagueWithdrawCommand struct {
	leagueDecision
	Member string `arg:"" help:"The member who no longer takes part."`
}

func (cmd *leagueWithdrawCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-withdraw", cmd, cmd.configFlag, c)
}

func (cmd *leagueWithdrawCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.decide(ctx, adjudicator.LeagueRuling{Kind: "withdraw", Of: []string{cmd.Member}}, h, c)
}

// putOff decides that something of the season comes on another day.
func (d *leagueDecision) putOff(ctx context.Context, kind, day string, h *office, c *console) error {
	on, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return fmt.Errorf("%q is not a day: write one such as 2027-08-01", day)
	}
	return d.decide(ctx, adjudicator.LeagueRuling{Kind: kind, Until: on}, h, c)
}

type leagueExtendCommand struct {
	leagueDecision
	Until string `arg:"" optional:"" help:"The new last day of the season, such as 2027-08-01."`
	Game  string `help:"Give only this game more time: three weeks after the season's end, once, if it is in one of its last three turns." placeholder:"GAME"`
}

func (cmd *leagueExtendCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-extend", cmd, cmd.configFlag, c)
}

func (cmd *leagueExtendCommand) do(ctx context.Context, h *office, c *console) error {
	switch {
	case (cmd.Until == "") == (cmd.Game == ""):
		return fmt.Errorf("name the day to which the season is extended, or the game that gets more time (--game GAME)")
	case cmd.Game != "":
		return cmd.decide(ctx, adjudicator.LeagueRuling{Kind: "extend", Game: cmd.Game}, h, c)
	}
	return cmd.putOff(ctx, "extend", cmd.Until, h, c)
}

type leaguePostponeCommand struct {
	leagueDecision
	Start string `arg:"" help:"The new day on which play begins, such as 2027-02-01."`
}

func (cmd *leaguePostponeCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-postpone", cmd, cmd.configFlag, c)
}

func (cmd *leaguePostponeCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.putOff(ctx, "postpone", cmd.Start, h, c)
}

type leagueChangeCommand struct {
	leagueDecision
	File  string            `arg:"" help:"The whole new set-up. Files that it names are looked for in the same folder."`
	Text  string            `kong:"-"`
	Files map[string]string `kong:"-"`
}

func (cmd *leagueChangeCommand) Run(ctx context.Context, c *console) (err error) {
	if _, cmd.Text, cmd.Files, err = readLeague(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "league-change", cmd, cmd.configFlag, c)
}

func (cmd *leagueChangeCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.decide(ctx, adjudicator.LeagueRuling{Kind: "change", Text: cmd.Text, Files: cmd.Files}, h, c)
}

type leagueImportCommand struct {
	leagueDecision
	Game string `arg:"" help:"The game of the season that it replaces, such as aquila-1-2-5."`
	File string `arg:"" help:"The whole file that berthier game export wrote in the other office after the end of the game."`
	Text string `kong:"-"`
}

func (cmd *leagueImportCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Text, err = readInput(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "league-import", cmd, cmd.configFlag, c)
}

func (cmd *leagueImportCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.decide(ctx, adjudicator.LeagueRuling{Kind: "import", Game: cmd.Game, Text: cmd.Text}, h, c)
}
