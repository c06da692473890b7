package main

import "fmt"

type leagueCommands struct {
	Check    leagueCheckCommand    `cmd:"" help:"Name every fault of a league's set-up and of the set-ups of its games, or print what it makes."`
	New      leagueNewCommand      `cmd:"" help:"Make a league of a set-up."`
	Announce leagueAnnounceCommand `cmd:"" help:"Announce a season: the seed of its lots is drawn and told by its SHA-256."`
	Open     leagueOpenCommand     `cmd:"" help:"Take entries for the season."`
	Admit    leagueAdmitCommand    `cmd:"" help:"Enter members who have asked for it, or whom the secretary invites."`
	Withdraw leagueWithdrawCommand `cmd:"" help:"Show what changes if a member is taken out of the season, or take him out."`
	Close    leagueCloseCommand    `cmd:"" help:"Close the list of entries, over which lots are drawn."`
	Start    leagueStartCommand    `cmd:"" help:"Draw the divisions and begin play."`
	Rule     leagueRuleCommand     `cmd:"" help:"Show what a secretary's ruling on a game would change in the table, or let it count."`
	Overrule leagueOverruleCommand `cmd:"" help:"Show what changes if something no longer holds that a secretary has done, beside rulings on games, or let it count."`
	Extend   leagueExtendCommand   `cmd:"" help:"Give a season more time."`
	Import   leagueImportCommand   `cmd:"" help:"Show what a game that was played in another office would change in the table, or let it count."`
	Change   leagueChangeCommand   `cmd:"" help:"Show what another set-up would change, at once and from the next season on, or let it count."`
	Postpone leaguePostponeCommand `cmd:"" help:"Name another day on which a season begins; entries end as many days later, too."`
	End      leagueEndCommand      `cmd:"" help:"Close a season whose games are decided, and tell the seed of its lots."`
	List     leagueListCommand     `cmd:"" help:"All leagues."`
	Show     leagueShowCommand     `cmd:"" help:"One league: its season, who has entered, what is being played."`
	Table    leagueTableCommand    `cmd:"" help:"The tables of a season, with what parts every two neighbours."`
	Rating   leagueRatingCommand   `cmd:"" help:"The ratings of a league's members, worked out from its log."`
	Page     leaguePageCommand     `cmd:"" help:"Write the pages of a league: tables, cross-tables, schedules, ratings, games that are over, a feed."`
	Export   leagueExportCommand   `cmd:"" help:"Write the log of a league, so that anybody can check it, or somebody else take it over."`
	Verify   leagueVerifyCommand   `cmd:"" help:"Check a league: its log, its lots (drawn again), its results (read again in the logs of its games)."`
}

type leagueCheckCommand struct {
	File string `arg:"" help:"Set-up of the league. Files that it names are looked for in the same folder."`
}

func (cmd leagueCheckCommand) Run(c *console) error {
	s, _, _, err := readLeague(cmd.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "league %s: entries until %s, first season from %s\n", s.League, s.Seasons.EnterUntil, s.Seasons.Start)
	for _, d := range s.Divisions {
		groups := ""
		if d.Copies > 1 {
			groups = fmt.Sprintf("%d groups of ", d.Copies)
		}
		fmt.Fprintf(c.out, "  %s: %s, %s%d members, %s, %s", d.ID, d.System, groups, d.Size, d.Form, d.Pairing)
		if games := d.Games(); games > 0 {
			fmt.Fprintf(c.out, ", %d games a member", games)
		}
		if d.Doubled() {
			fmt.Fprint(c.out, " (twice as many as with pairing: single)")
		}
		fmt.Fprintln(c.out)
	}
	return nil
}
