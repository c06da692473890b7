package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

type leagueCommands struct {
	Check    leagueCheckCommand    `cmd:"" help:"Check a league's set-up and the set-ups of its games: every fault is named; without any, what the set-up makes is printed."`
	New      leagueNewCommand      `cmd:"" help:"Make a league of a set-up."`
	Announce leagueAnnounceCommand `cmd:"" help:"Announce a season. The seed of its lots is drawn in secret, and its SHA-256 is told."`
	Open     leagueOpenCommand     `cmd:"" help:"Take entries for the season."`
	Admit    leagueAdmitCommand    `cmd:"" help:"Enter members who have asked to, or whom the secretary invites."`
	Withdraw leagueWithdrawCommand `cmd:"" help:"Take a member out of the season. Shown first; --confirm or --yes does it."`
	Close    leagueCloseCommand    `cmd:"" help:"Close the list of entries, over which lots are drawn."`
	Start    leagueStartCommand    `cmd:"" help:"Draw the divisions and begin play."`
	Rule     leagueRuleCommand     `cmd:"" help:"Rule on a game of the league: forfeit, cancel, settle a protest or a final result. Shown first; --confirm or --yes does it."`
	Overrule leagueOverruleCommand `cmd:"" help:"Take back a withdrawal, an extension or a dismissal. Shown first; --confirm or --yes does it. For rulings on games: league rule --overrule."`
	Extend   leagueExtendCommand   `cmd:"" help:"Give a season more time."`
	Import   leagueImportCommand   `cmd:"" help:"Count a game that was played in another office. Shown first; --confirm or --yes does it."`
	Change   leagueChangeCommand   `cmd:"" help:"Give the league another set-up. What it changes at once, and what from the next season on, is shown first; --confirm or --yes does it."`
	Postpone leaguePostponeCommand `cmd:"" help:"Put off the start of a season; its entries end as many days later, too."`
	End      leagueEndCommand      `cmd:"" help:"End a season whose games are all decided, and tell the seed of its lots."`
	List     leagueListCommand     `cmd:"" help:"All leagues."`
	Show     leagueShowCommand     `cmd:"" help:"One league: its season, who has entered, what is being played."`
	Table    leagueTableCommand    `cmd:"" help:"The tables of a season; of any two neighbours they say what puts one above the other."`
	Rating   leagueRatingCommand   `cmd:"" help:"The ratings of a league's members, worked out from its log."`
	Page     leaguePageCommand     `cmd:"" help:"Write the web pages of a league: tables, cross-tables, schedules, ratings, finished games, a feed."`
	Export   leagueExportCommand   `cmd:"" help:"Write the log of a league, so that anybody can check it, or somebody else take it over."`
	Verify   leagueVerifyCommand   `cmd:"" help:"Check a league: its log, its lots (drawn again), its results (read again in the logs of its games)."`
}

// ofLeagues gives the words of a command about leagues or members, as "league rule"; "": it is about something else.
func ofLeagues(parsed *kong.Context) string {
	node := parsed.Selected()
	if node == nil {
		return ""
	}
	words := strings.Fields(node.Path())
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "league", "member", "forget":
		return strings.Join(words, " ")
	}
	return ""
}

// nothingEmpty gives the error that an argument of a command about leagues or members was written, and is empty: a variable of a
// script that was never set would else mean what it means to leave the argument out.
func nothingEmpty(parsed *kong.Context) error {
	command := ofLeagues(parsed)
	if command == "" {
		return nil
	}
	for _, at := range parsed.Path {
		name, value := "", (*kong.Value)(nil)
		switch {
		case at.Flag != nil:
			name, value = "--"+at.Flag.Name, at.Flag.Value
		case at.Positional != nil:
			name, value = "<"+at.Positional.Name+">", at.Positional
		}
		if value == nil || !value.Set || !isEmpty(value.Target) {
			continue
		}
		return hinted{fmt.Errorf("%s is empty", name), "berthier " + command + " --help tells what it takes"}
	}
	return nil
}

// isEmpty tells whether an argument is an empty text, or has one in it.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return v.Len() == 0
	case reflect.Slice:
		for i := range v.Len() {
			if isEmpty(v.Index(i)) {
				return true
			}
		}
		return v.Len() == 0
	}
	return false
}

// helped adds to the error of a command about leagues or members what can be done, where it does not say so itself.
func helped(err error, parsed *kong.Context) error {
	command := ofLeagues(parsed)
	if command == "" || errors.As(err, new(hinted)) {
		return err
	}
	first := "berthier member list names the members"
	if strings.HasPrefix(command, "league ") {
		first = "berthier league show tells how a league stands, and names its members and games"
	}
	return hinted{err, first + "; berthier " + command + " --help tells what this command takes"}
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
