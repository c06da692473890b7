package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"berthier/adjudicator/league/member"
)

type memberCommands struct {
	List  memberListCommand  `cmd:"" help:"All members of the club."`
	Show  memberShowCommand  `cmd:"" help:"One member: addresses, key, absences, and how he answers in his games."`
	Add   memberAddCommand   `cmd:"" help:"Make everybody in a list of people a member."`
	Merge memberMergeCommand `cmd:"" help:"Make two members one who are the same person; shown first, then confirmed."`
}

type memberListCommand struct {
	configFlag `json:"-"`
	JSON       bool `help:"Print JSON."`
}

func (cmd *memberListCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "member-list", cmd, cmd.configFlag, c)
}

func (cmd *memberListCommand) do(_ context.Context, h *office, c *console) error {
	all, err := h.Secretary().Members()
	if err != nil {
		return err
	}
	if cmd.JSON {
		return printJSON(c.out, all)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MEMBER\tNAME\tADDRESSES\tLANGUAGE\tSINCE")
	for _, m := range all {
		unproven := ""
		if m.Unproven {
			unproven = " (no letter yet)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s\t%s\t%s\n", m.ID, m.Name, strings.Join(m.Addresses, " "), unproven, m.Language, moment(m.Joined))
	}
	return w.Flush()
}

type memberShowCommand struct {
	configFlag `json:"-"`
	Member     string `arg:"" help:"The member's id, such as M-0001, or an address of his."`
	JSON       bool   `help:"Print JSON."`
}

func (cmd *memberShowCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "member-show", cmd, cmd.configFlag, c)
}

func (cmd *memberShowCommand) do(_ context.Context, h *office, c *console) error {
	m, err := h.Secretary().ShowMember(cmd.Member)
	if err != nil {
		return err
	}
	if cmd.JSON {
		return printJSON(c.out, m)
	}
	fmt.Fprintf(c.out, "member      %s  %s\naddresses   %s\nkey         %s\nlanguage    %s\nzone        %s\nsince       %s\nreliability %d%%\n",
		m.ID, m.Name, strings.Join(m.Addresses, " "), m.Key, m.Language, m.Zone, moment(m.Joined), m.Reliability)
	for _, a := range m.Absences {
		fmt.Fprintf(c.out, "away        %s to %s\n", moment(a.From), moment(a.Until))
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	if len(m.Games) > 0 {
		fmt.Fprintln(w, "GAME\tASKED\tIN TIME\tIN THE GRACE\tMISSED\tRESIGNED")
	}
	for _, g := range m.Games {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\n", g.Game, len(g.Stops), g.Count(member.InTime), g.Count(member.InGrace), g.Count(member.Missed), len(g.Resigned))
	}
	return w.Flush()
}

type memberAddCommand struct {
	configFlag `json:"-"`
	File       string `required:"" help:"List of people (docs/leagues.md), or - for the standard input."`
	Text       string `kong:"-"`
}

func (cmd *memberAddCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Text, err = readInput(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "member-add", cmd, cmd.configFlag, c)
}

func (cmd *memberAddCommand) do(ctx context.Context, h *office, c *console) error {
	people, problems := h.Secretary().ReadMembers(cmd.Text)
	if len(problems) > 0 {
		return problems
	}
	made, err := h.Secretary().AddMembers(ctx, people)
	if err != nil {
		return err
	}
	for _, m := range made {
		fmt.Fprintf(c.out, "%s  %s  %s\n", m.ID, m.Name, m.Addresses[0])
	}
	_, err = fmt.Fprintln(c.out, "each gets a letter with his key when the daemon runs")
	return err
}

type memberMergeCommand struct {
	configFlag `json:"-"`
	Gone       string `arg:"" help:"The id to give up, such as M-0007."`
	Into       string `arg:"" help:"The id to keep."`
	Confirm    string `help:"The code that the preview gave: confirms the change." placeholder:"CODE"`
	Yes        bool   `help:"Make the change at once, without a preview."`
}

func (cmd *memberMergeCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "member-merge", cmd, cmd.configFlag, c)
}

func (cmd *memberMergeCommand) do(ctx context.Context, h *office, c *console) error {
	done, err := h.Secretary().Merge(ctx, cmd.Gone, cmd.Into, cmd.Confirm, cmd.Yes)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(done.Changes)) {
		for _, x := range done.Changes[id] {
			fmt.Fprintf(c.out, "%s, ", id)
			tellChange(c, x)
		}
	}
	for _, id := range done.Later {
		fmt.Fprintf(c.out, "%s: once its divisions are drawn\n", id)
	}
	if done.Done {
		_, err = fmt.Fprintf(c.out, "%s is %s from now on\n", cmd.Gone, cmd.Into)
		return err
	}
	_, err = fmt.Fprintf(c.out, "nothing has changed yet, and it can't be undone; the same with --confirm %s lets it happen\n", done.Code)
	return err
}
