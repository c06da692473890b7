package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"berthier/adjudicator/league"
	points "berthier/adjudicator/league/table"
	"berthier/adjudicator/setup"
	"berthier/templates"
)

// readLeague reads a league's set-up and the files that it names, which lie in its folder.
func readLeague(path string) (s *league.Setup, text string, files map[string]string, err error) {
	if text, err = readInput(path); err != nil {
		return nil, "", nil, err
	}
	folder := filepath.Dir(path)
	files = map[string]string{}
	reader := league.Reader{
		Games: &setup.Reader{Systems: rulesets, Names: strings.Split(rulesetNames(), ","), Languages: templates.Languages, Now: time.Now()},
		File: func(name string) (string, error) {
			if !filepath.IsLocal(name) {
				return "", fmt.Errorf("it must lie in the folder of the league's set-up, or below")
			}
			data, err := os.ReadFile(filepath.Join(folder, name))
			if err == nil {
				files[name] = string(data)
			}
			return string(data), err
		},
	}
	s, problems := reader.Read(text)
	if len(problems) > 0 {
		return nil, "", nil, problems
	}
	return s, text, files, nil
}

type leagueNewCommand struct {
	configFlag `json:"-"`
	File       string            `arg:"" help:"Set-up of the league. Files that it names are looked for in the same folder."`
	Text       string            `kong:"-"`
	Files      map[string]string `kong:"-"`
}

func (cmd *leagueNewCommand) Run(ctx context.Context, c *console) (err error) {
	if _, cmd.Text, cmd.Files, err = readLeague(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "league-new", cmd, cmd.configFlag, c)
}

func (cmd *leagueNewCommand) do(ctx context.Context, h *office, c *console) error {
	id, err := h.Secretary().NewLeague(ctx, cmd.Text, cmd.Files)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "league %s is there; berthier league announce %s begins its first season\n", id, id)
	return err
}

// A leagueAct is what somebody does with a league.
type leagueAct struct {
	configFlag `json:"-"`
	League     string `arg:"" help:"The league's id."`
}

type leagueListCommand struct {
	configFlag `json:"-"`
}

func (cmd *leagueListCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-list", cmd, cmd.configFlag, c)
}

func (cmd *leagueListCommand) do(_ context.Context, h *office, c *console) error {
	ids, err := h.Secretary().Leagues()
	for _, id := range ids {
		fmt.Fprintln(c.out, id)
	}
	return err
}

type leagueShowCommand struct {
	leagueAct
	JSON bool `help:"Print JSON."`
}

func (cmd *leagueShowCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-show", cmd, cmd.configFlag, c)
}

func (cmd *leagueShowCommand) do(_ context.Context, h *office, c *console) error {
	v, err := h.Secretary().ShowLeague(cmd.League)
	if err != nil {
		return err
	}
	if cmd.JSON {
		return printJSON(c.out, v)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, text)
		}
	}
	line("league", strings.TrimSpace(v.League+"  "+v.Title))
	if v.Season == "" {
		line("season", "none announced yet")
	} else {
		line("season", fmt.Sprintf("%s, %s", v.Season, v.Phase))
	}
	line("lots", v.Commitment)
	for _, date := range []struct {
		name string
		at   time.Time
	}{{"entries", v.Closes}, {"begins", v.Starts}} {
		if !date.at.IsZero() {
			line(date.name, "by itself at "+date.at.Format(time.RFC3339))
		}
	}
	line("list", v.List)
	line("seed", v.Seed)
	line("asked", strings.Join(v.Asked, " "))
	line("entered", strings.Join(v.Entries, " "))
	line("withdrawn", strings.Join(v.Withdrawn, " "))
	line("waiting", strings.Join(v.Waiting, " "))
	for _, d := range v.Divisions {
		line("division "+d.ID, fmt.Sprintf("%d members, %d pairings, %d games decided", len(d.Members), d.Pairings, d.Decided))
		if e := d.Evenness; e != nil {
			line("", fmt.Sprintf("two members meet %d to %d times, and a member has the same side %d to %d times", e.LeastMet, e.MostMet, e.LeastPower, e.MostPower))
		}
		line("", strings.Join(d.Playing, " "))
	}
	for _, g := range v.Prolonged {
		line("prolonged", fmt.Sprintf("%s until %s", g.ID, g.Until.Format(time.RFC3339)))
	}
	if len(v.OtherRules) > 0 {
		line("rules", fmt.Sprintf("this program has others of %s than when the season was announced; berthier league verify %s plays its games again", strings.Join(v.OtherRules, ", "), v.League))
	}
	line("protests", strings.Join(v.Protests, " "))
	if len(v.Later) > 0 {
		line("set-up", "from the next season on another: "+strings.Join(v.Later, ", "))
	}
	line("log", fmt.Sprintf("%d entries", v.Log))
	return w.Flush()
}

type leagueTableCommand struct {
	leagueAct
	Division string `help:"Only this division."`
}

func (cmd *leagueTableCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-table", cmd, cmd.configFlag, c)
}

func (cmd *leagueTableCommand) do(_ context.Context, h *office, c *console) error {
	v, err := h.Secretary().ShowLeague(cmd.League)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	found := false
	all := append(v.Divisions, v.Last...)
	for _, d := range all {
		if cmd.Division != "" && cmd.Division != d.ID {
			continue
		}
		found = true
		fmt.Fprintf(w, "DIVISION %s\n", d.ID)
		fmt.Fprintln(w, "PLACE\tMEMBER\tPOINTS\tGAMES\tWON\tDRAWN\tLOST\tBEHIND BY")
		for i, r := range d.Table.Rows {
			place, parted := fmt.Sprint(r.Rank), ""
			if r.Rank == 0 {
				place = "-"
			}
			if i > 0 && r.Rank > 0 {
				parted = string(r.Parted)
			}
			fmt.Fprintf(w, "%s\t%s %s\t%s\t%d\t%d\t%d\t%d\t%s\n", place, r.Entry, d.Names[r.Entry], points.Write(r.Points), r.Games, r.Won, r.Drew, r.Lost, parted)
		}
	}
	if !found && len(all) > 0 {
		var names []string
		for _, d := range all {
			names = append(names, d.ID)
		}
		return hinted{fmt.Errorf("league %s has no division %s", cmd.League, cmd.Division), "its divisions are " + strings.Join(names, ", ")}
	}
	if !found {
		return hinted{fmt.Errorf("league %s has no table: its divisions are drawn when the season begins", cmd.League), "berthier league show " + cmd.League + " tells how far the season is"}
	}
	return w.Flush()
}

type leagueVerifyCommand struct {
	configFlag `json:"-"`
	League     string `arg:"" help:"The league's id, or a file that league export wrote."`
	Play       bool   `help:"Play all games of the season again, not only those that were played by other rules than this program's."`
	Games      string `json:"-" type:"existingdir" help:"Folder of files that game export wrote, in which the results of an exported league are read again."`
}

func (cmd *leagueVerifyCommand) Run(ctx context.Context, c *console) error {
	if data, err := os.ReadFile(cmd.League); err == nil {
		return verifyExported(c, data, cmd.Games)
	}
	return perform(ctx, "league-verify", cmd, cmd.configFlag, c)
}

func (cmd *leagueVerifyCommand) do(_ context.Context, h *office, c *console) error {
	faults, err := h.Secretary().VerifyLeague(cmd.League)
	if err != nil {
		return err
	}
	for _, f := range faults {
		fmt.Fprintf(c.err, "wrong: %v\n", f)
	}
	if len(faults) > 0 {
		return errTold
	}
	again, err := h.Secretary().PlayLeagueAgain(cmd.League, cmd.Play)
	if err != nil {
		return err
	}
	differ := 0
	for _, g := range again {
		if g.Where != "" {
			differ++
			fmt.Fprintf(c.out, "differs: under this program's rules %s goes otherwise: %s\n", g.Game, g.Where)
		}
	}
	if len(again) > 0 {
		fmt.Fprintf(c.out, "played again by this program's rules: %d games of the season; %d go otherwise\n", len(again), differ)
	}
	if differ > 0 {
		return errTold
	}
	_, err = fmt.Fprintf(c.out, "league %s: the chain of its log holds, its lots and rounds drawn again are the same, and each result is what the log of its game said\n", cmd.League)
	return err
}

type leagueRatingCommand struct{ leagueAct }

func (cmd *leagueRatingCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "league-rating", cmd, cmd.configFlag, c)
}

func (cmd *leagueRatingCommand) do(_ context.Context, h *office, c *console) error {
	all, names, err := h.Secretary().Ratings(cmd.League)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SYSTEM\tMEMBER\tRATING\tGIVE OR TAKE\tGAMES")
	for _, l := range all {
		for _, m := range l.Members {
			r, _ := l.At(m.ID)
			provisional := ""
			if r.Provisional() {
				provisional = " (provisional)"
			}
			fmt.Fprintf(w, "%s\t%s %s\t%d\t%d%s\t%d\n", l.System, m.ID, names[m.ID], r.R/100, 2*r.RD/100, provisional, l.Played(m.ID))
		}
	}
	for _, l := range all {
		for _, s := range l.Sides {
			for _, o := range s.Offsets {
				fmt.Fprintf(w, "%s\tside %s of %s\t%+d\n", l.System, o.Side, s.Name, o.Offset/100)
			}
		}
	}
	return w.Flush()
}
