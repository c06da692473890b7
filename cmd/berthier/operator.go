package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/user"
	"strconv"

	"berthier/adjudicator"
	"berthier/orders"
)

// asFlag says who carries out a command.
type asFlag struct {
	As string `json:"-" env:"BERTHIER_AS" placeholder:"WHO" help:"Who you are, for the log; by default your login name. If a game master or an administrator plays in the game, or gains by it in its league: the address of one who does neither."`
}

func (f asFlag) operator() string {
	if f.As != "" {
		return f.As
	}
	return login()
}

// login is the name of the person at the machine, as far as the system knows.
func login() string {
	if name := os.Getenv("SUDO_USER"); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "user " + strconv.Itoa(os.Getuid())
}

// operatorHeader carries to the daemon who carries out a command.
const operatorHeader = "Berthier-Operator"

// operatorOf tells who carries out a command.
func operatorOf(d command) string {
	if f, ok := d.(interface{ operator() string }); ok {
		return f.operator()
	}
	return login()
}

func sendOperator(r *http.Request, d command) {
	r.Header.Set(operatorHeader, url.QueryEscape(operatorOf(d)))
}

func operatorFrom(r *http.Request) string {
	name, err := url.QueryUnescape(r.Header.Get(operatorHeader))
	if err != nil {
		return r.Header.Get(operatorHeader)
	}
	return name
}

// A guarded command shows what is hidden in a game, or makes a ruling on it.
type guarded interface {
	// guards names the game and what is done; rules tells whether that is a ruling.
	guards() (game, what string, rules bool)
}

// doAs carries out a command for an operator, if he may do it.
func doAs(ctx context.Context, d command, operator string, h *office, c *console) error {
	err := doGuarded(ctx, d, operator, h, c)
	switch {
	case errors.Is(err, adjudicator.ErrNoGame):
		return hinted{err, "berthier game list names the games"}
	case errors.Is(err, adjudicator.ErrNoLeague):
		return hinted{err, "berthier league list names the leagues"}
	case errors.Is(err, adjudicator.ErrNoMember):
		return hinted{err, "berthier member list names the members"}
	}
	return err
}

func doGuarded(ctx context.Context, d command, operator string, h *office, c *console) error {
	ctx = adjudicator.WithOperator(ctx, operator)
	if g, ok := d.(guarded); ok {
		game, what, rules := g.guards()
		if game != "" {
			var err error
			if ctx, err = h.Operate(ctx, game, what, rules); err != nil {
				return err
			}
		}
	}
	return d.do(ctx, h, c)
}

func (cmd *gameShowCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game show", false
}
func (cmd *gamePositionCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game position", false
}
func (cmd *gameDisputesCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game disputes", false
}
func (cmd *gameStopCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game stop", false
}
func (cmd *gameExportCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game export", false
}
func (cmd *gameWhatIfCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game what-if", false
}
func (cmd *gameAnswerCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game answer", true
}
func (cmd *gameReplaceCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game replace", true
}
func (cmd *gameProcessCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game process", true
}
func (cmd *gameVacateCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game vacate", true
}
func (cmd *gameChangeCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game change", true
}
func (cmd *ruleCommand) guards() (game, what string, rules bool) { return cmd.Game, "rule", true }
func (cmd *gameRewindCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game rewind", true
}
func (cmd *choicesCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "choices", false
}
func (cmd *checkCommand) guards() (game, what string, rules bool) {
	if doc, _ := orders.Parse(cmd.Text, nil); doc != nil && doc.Game != "" {
		return doc.Game, "check", false
	}
	return cmd.Game, "check", false
}
