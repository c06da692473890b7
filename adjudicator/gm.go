package adjudicator

import (
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/adjudicator/ruling"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// gmCommands are the commands that a game master may give for a game.
var gmCommands = []string{"show", "position", "pause", "resume", "extend", "release", "remind", "replace", "new-key", "public-key", "pass", "press", "observe", "close", "hand-over", "co-master", "process", "vacate", "change", "what-if",
	"rule", "rewind", "disputes", "refile", "list", "help", "rules"}

// fromGM does what a letter with the game master's key says.
func (req *request) fromGM() error {
	side, problems := req.form().SideNamed()
	req.problems = append(req.problems, problems...)
	if n := req.value("side"); n != nil && blind(req) && slices.Contains([]string{"extend", "remind"}, req.doc.Command) {
		p := req.fault("side", phrase.Say("office.gm.all-alike", phrase.Name("command", phrase.KindCommand, req.doc.Command)))
		req.problems = append(req.problems, p)
	}
	if why, ok := req.Blind(req.intake.From); ok && !slices.Contains(game.BlindCommands, req.doc.Command) {
		req.problems = append(req.problems, req.fault("command", why))
		return req.refuseGM(req.problems)
	}
	if req.gains && req.doc.Command != "hand-over" && !slices.Contains(game.BlindCommands, req.doc.Command) {
		p := req.fault("command", phrase.Say("league.umpire.gains"))
		p.Remedy = phrase.Say("league.umpire.gains-how")
		req.problems = append(req.problems, p)
		return req.refuseGM(req.problems)
	}
	if req.doc.Command == "" || req.doc.Command == "answer" {
		if side == "" {
			if req.value("side") == nil {
				req.problems = append(req.problems, req.fault("", phrase.Say("office.gm.which-side")))
			}
			return req.refuseGM(req.problems)
		}
		return req.answer(req.Game.Seat(side), true)
	}
	if !slices.Contains(gmCommands, req.doc.Command) && req.doc.Command != "status" {
		p := req.fault("command", phrase.Say("office.not-your-command", phrase.Name("command", phrase.KindCommand, req.doc.Command)))
		p.Remedy = phrase.Say("office.your-commands", phrase.Names("commands", phrase.KindCommand, gmCommands))
		req.problems = append(req.problems, p)
	}
	if len(req.problems) > 0 {
		return req.refuseGM(req.problems)
	}
	req.done("gm command: "+req.doc.Command, mail.Processed)
	return req.gmCommand(side)
}

// blind tells whether the writer of a game master's letter may not see what is hidden: he plays, or gains by the game.
func blind(req *request) bool {
	_, plays := req.Blind(req.intake.From)
	return plays || req.gains
}

// unseen does what a game master has asked for. To one who may not see what is hidden it says nothing of whether anybody is asked, and until
// when: that is answered alike, whether or not there was anything to do.
func unseen(req *request, in game.Input) error {
	err := req.Do(in)
	var refused *game.RefusedError
	if blind(req) && req.Game.Phase == game.Running && errors.As(err, &refused) {
		return nil
	}
	return err
}

func (req *request) refuseGM(problems orders.Problems) error {
	req.done("gm letter refused", mail.Rejected)
	problems.Sort()
	req.faults = problems
	if req.mayAnswerGM(printOfVerdict("command", 0, req.doc.Command, problems)) {
		req.postGM("refused", req.intake.Mail, req.letters.Master().Refused(report.Faults(req.doc, problems)))
	}
	return nil
}

// A gmCommand is a command of the game master, with what his letter says about it.
type gmCommand struct {
	*request
	r      *orders.Reader // that reads the letter, and keeps its faults
	side   engine.Side    // that the command is about; "": the letter names none
	reason string
}

// gmCommand does what a game master's letter commands. What is more than an answer is
// confirmed, with how the game stands then.
func (req *request) gmCommand(side engine.Side) error {
	c := &gmCommand{request: req, r: orders.NewReader(game.Vocabulary), side: side}
	reason, _ := c.r.Text(req.value("reason"))
	c.reason = phrase.Clip(phrase.OneLine(reason), 500)
	if answer := c.ownAnswer(); answer != nil {
		return answer()
	}
	if len(c.r.Problems) > 0 { // the reason is not a text
		return c.refuseGM(c.r.Problems)
	}
	entries := len(req.Entries)
	act := c.confirmed()
	done, err := act()
	var refused *game.RefusedError
	if errors.As(err, &refused) && len(req.Entries) == entries {
		return req.refuseGM(orders.Problems{req.fault("command", refused.Why)})
	}
	if err != nil || !done {
		return err
	}
	return c.tellDone()
}

// ownAnswer gives the function for a command that is answered by a letter of its own; nil if
// the command is not one of these.
func (c *gmCommand) ownAnswer() func() error {
	switch c.doc.Command {
	case "show", "status":
		return c.sendState
	case "rule", "rewind":
		return c.rule
	case "refile":
		return c.refile
	case "disputes":
		return func() error { return c.sendNotice(c.letters.Master().Disputes()) }
	case "position":
		return func() error { return c.sendNotice(c.letters.Master().ShowPosition()) }
	case "list":
		return func() error { return c.sendGM(report.List(c.letters.GMHeading(), c.games)) }
	case "help":
		return func() error { return c.sendGM(report.MasterHelp(c.letters.GMHeading(), gmCommands)) }
	case "rules":
		return func() error {
			return c.sendNotice(c.letters.Clauses(c.letters.GMHeading(), c.form().Clauses(), intake.MostClauses))
		}
	case "new-key":
		if c.side == "" {
			return c.changeKey
		}
	case "pass":
		return c.passPress
	case "what-if":
		return c.whatIf
	case "observe":
		return c.observe
	}
	return nil
}

// confirmed gives the function for a command that is confirmed. The function tells whether the
// command was done; if not, and without an error, the letter has its answer.
func (c *gmCommand) confirmed() func() (done bool, err error) {
	switch c.doc.Command {
	case "pause":
		return func() (bool, error) { return true, c.Do(game.Paused{By: log.ByGM, Reason: c.reason}) }
	case "resume":
		return c.resumeGame
	case "release":
		return func() (bool, error) { return true, c.Do(game.Released{}) }
	case "remind":
		return func() (bool, error) { return true, unseen(c.request, game.Reminded{Side: c.side}) }
	case "close":
		return func() (bool, error) { return c.grave(grave{Kind: graveClose, Reason: c.reason}) }
	case "press":
		return c.writeToPlayers
	case graveProcess, graveVacate, graveChange:
		return c.manage
	case "hand-over", "co-master":
		return c.changeMasters
	case "extend":
		return c.extendDeadlines
	case "replace":
		return c.replacePlayer
	case "new-key":
		return func() (bool, error) { return true, c.changeKey() }
	case "public-key":
		return c.registerPublicKey
	}
	return func() (bool, error) { return true, nil }
}

// sendState answers with how the game stands, or with a stop of it that is asked for.
func (c *gmCommand) sendState() error {
	n := c.letters.Master().Show(c.countUnread())
	if c.doc.Stop > 0 || ruling.StopZero(c.doc) {
		if err := c.letters.Master().AddStop(&n, c.doc.Stop); err != nil {
			return err
		}
	}
	return c.sendGM(n)
}

// sendNotice answers with a notice, if it could be made.
func (c *gmCommand) sendNotice(n templates.Notice, err error) error {
	if err != nil {
		return err
	}
	return c.sendGM(n)
}

// resumeGame lets the clock go on; if the letter accepts the present rules, under these
// rules.
func (c *gmCommand) resumeGame() (done bool, err error) {
	if n := c.value("rules"); n != nil {
		if _, ok := c.r.Word(n, "accept"); !ok {
			return false, c.refuseGM(c.r.Problems)
		}
		if err := c.Do(game.RulesAccepted{Program: c.office.opt.Version}); err != nil {
			return true, err
		}
	}
	return true, c.Do(game.Resumed{})
}

// extendDeadlines moves the deadlines as the letter says.
func (c *gmCommand) extendDeadlines() (done bool, err error) {
	to, ok := c.form().Extension(c.r)
	if !ok {
		return false, c.refuseGM(c.r.Problems)
	}
	to.Side = c.side
	return true, unseen(c.request, to)
}

// replacePlayer gives a seat to the player that the letter names.
func (c *gmCommand) replacePlayer() (done bool, err error) {
	if c.side == "" {
		return false, c.refuseGM(orders.Problems{c.fault("command", phrase.Say("office.gm.which-side"))})
	}
	p := c.form().NewPlayer(c.r)
	if len(c.r.Problems) > 0 {
		return false, c.refuseGM(c.r.Problems)
	}
	return c.grave(grave{Kind: graveReplace, Side: c.side, To: p})
}

// changeMasters gives the game to another game master, or adds a further one or takes him away. An
// umpire of a league gives his game back to the league, which finds another.
func (c *gmCommand) changeMasters() (done bool, err error) {
	by := c.intake.From
	if c.doc.Command == graveHand && c.Game.League != "" && c.value("address") == nil {
		return true, leagues{c.office}.handBack(c.transaction, by)
	}
	to := c.form().NewPlayer(c.r)
	a := grave{Kind: c.doc.Command, To: to, By: by}
	if n := c.value("cancel"); n != nil {
		a.Gone, _ = c.r.Bool(n)
	}
	if len(c.r.Problems) > 0 {
		return false, c.refuseGM(c.r.Problems)
	}
	done, err = c.grave(a)
	if a.Gone || a.Kind == graveHand { // who has left reads nothing of the game any more; he is told that he has
		done = false
	}
	return done, err
}

// registerPublicKey notes the public key that the letter brings.
func (c *gmCommand) registerPublicKey() (done bool, err error) {
	err = c.registerKey()
	if len(c.r.Problems) > 0 {
		return false, c.refuseGM(c.r.Problems)
	}
	return true, err
}

// tellDone tells the game master that it is done, and how the game stands now.
func (c *gmCommand) tellDone() error {
	n := c.letters.Master().Show(c.countUnread())
	if blind(c.request) {
		n = c.letters.Master().Short(phrase.Say("office.show.subject"))
	}
	n.Lines = append([]phrase.Phrase{phrase.Say("office.gm.done", phrase.Name("command", phrase.KindCommand, c.doc.Command))}, n.Lines...)
	return c.sendGM(n)
}

func (req *request) sendGM(n templates.Notice) error {
	if req.mayAnswer() {
		req.postGM("notice", req.intake.Mail, req.office.words.Notice(n))
	}
	return nil
}
