package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"berthier/orders"
	"berthier/templates"
)

// confirmFlags are the flags by which a ruling or a rewind is confirmed.
type confirmFlags struct {
	Reason  string `help:"Why; the log keeps it."`
	Tell    string `help:"A message to all players."`
	Confirm string `help:"The code that the preview gave: confirms the change." placeholder:"CODE"`
	Yes     bool   `help:"Make the change at once, without a preview."`
}

// words adds to the file of a ruling what every ruling may say.
func (f confirmFlags) words(n *orders.Node) {
	if f.Reason != "" {
		n.Set("reason", orders.Text(f.Reason))
	}
	if f.Tell != "" {
		n.Set("tell", orders.Text(f.Tell))
	}
}

// ask asks for a ruling and prints what it does.
func (f confirmFlags) ask(ctx context.Context, h *office, c *console, game, text string) error {
	r, err := h.Rule(ctx, game, text, f.Confirm, f.Yes)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(c.out, r.Text); err != nil || r.Done {
		return err
	}
	_, err = fmt.Fprintf(c.err, "nothing has changed yet; to confirm it: --confirm %s\n", r.Code)
	return err
}

type ruleCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	confirmFlags
	Game     string            `arg:"" help:"The game's id."`
	File     string            `arg:"" optional:"" help:"The ruling as a letter says it (docs/game-master.md), or - for the standard input."`
	Stop     *int              `help:"Stop of the game; by default the present one. 0 means what was rolled before the first stop." placeholder:"STOP"`
	Roll     int               `help:"Number of the roll of the stop that is replaced by --result."`
	Result   int               `help:"What the roll of --roll gives instead."`
	Accept   int               `help:"Accept the refused order file of this log entry." placeholder:"ENTRY"`
	Refuse   int               `help:"Refuse the accepted order file of this log entry." placeholder:"ENTRY"`
	Overrule int               `help:"Overrule the ruling or rewind of this log entry." placeholder:"ENTRY"`
	Outcome  []string          `help:"Decide the outcome: name the sides that win, or write draw." placeholder:"SIDE"`
	Option   map[string]string `help:"Change an option from here on." placeholder:"NAME=VALUE"`
	Dispute  int               `help:"Log entry of the dispute that the ruling settles." placeholder:"ENTRY"`
	Stands   bool              `help:"Let the disputed event stand."`
	Text     string            `kong:"-"`
}

func (cmd *ruleCommand) Run(ctx context.Context, c *console) error {
	n := orders.Mapping().Set("command", orders.Text("rule"))
	given := 0
	number := func(key string, v int) {
		if v != 0 {
			n.Set(key, orders.Number(v))
			given++
		}
	}
	if cmd.Stop != nil {
		n.Set("stop", orders.Number(*cmd.Stop))
		given++
	}
	number("roll", cmd.Roll)
	number("result", cmd.Result)
	number("accept", cmd.Accept)
	number("refuse", cmd.Refuse)
	number("overrule", cmd.Overrule)
	number("dispute", cmd.Dispute)
	if len(cmd.Outcome) > 0 {
		value := orders.Texts(cmd.Outcome...)
		if len(cmd.Outcome) == 1 {
			value = orders.Text(cmd.Outcome[0])
		}
		n.Set("outcome", value)
		given++
	}
	if len(cmd.Option) > 0 {
		all := orders.Inline()
		for _, name := range sortedKeys(cmd.Option) {
			all.Set(name, orders.Text(cmd.Option[name]))
		}
		n.Set("option", all)
		given++
	}
	if cmd.Stands {
		n.Set("decision", orders.Text("stands"))
		given++
	}
	own := ""
	if cmd.File != "" {
		text, err := readInput(cmd.File)
		if err != nil {
			return err
		}
		file, problems := orders.ParseNode([]byte(text))
		if len(problems) > 0 {
			return problems
		}
		if file == nil || file.Kind != orders.Map {
			return hinted{errors.New("the file holds no ruling"), "docs/game-master.md shows how to write one"}
		}
		if own = text; file.Flow { // nothing can be written below it
			own = ""
			for _, p := range file.Pairs {
				if p.Key.Text != "command" && p.Key.Text != "game" && p.Key.Text != "key" {
					n.Pairs = append(n.Pairs, p)
				}
			}
		} else if file.Get("command") != nil {
			n.Pairs = n.Pairs[1:]
		}
		given++
	}
	cmd.words(n)
	if given > 0 || cmd.Confirm == "" {
		// The file comes first and unchanged: faults name its own lines.
		if own = strings.TrimRight(own, "\n"); own != "" {
			own += "\n"
		}
		cmd.Text = own
		if len(n.Pairs) > 0 {
			cmd.Text += n.Encode()
		}
	}
	return perform(ctx, "rule", cmd, cmd.configFlag, c)
}

func (cmd *ruleCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.ask(ctx, h, c, cmd.Game, cmd.Text)
}

type gameRewindCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	confirmFlags
	Game   string `arg:"" help:"The game's id."`
	Stop   int    `help:"Stop of the game to go back to."`
	Orders string `enum:"same,new," default:"" help:"Go on with the same orders, or ask for new ones."`
	Text   string `kong:"-"`
}

func (cmd *gameRewindCommand) Run(ctx context.Context, c *console) error {
	if cmd.Stop > 0 || cmd.Confirm == "" {
		n := orders.Mapping().Set("command", orders.Text("rewind"))
		if cmd.Stop > 0 {
			n.Set("stop", orders.Number(cmd.Stop))
		}
		if cmd.Orders != "" {
			n.Set("orders", orders.Text(cmd.Orders))
		}
		cmd.words(n)
		cmd.Text = n.Encode()
	}
	return perform(ctx, "rewind", cmd, cmd.configFlag, c)
}

func (cmd *gameRewindCommand) do(ctx context.Context, h *office, c *console) error {
	return cmd.ask(ctx, h, c, cmd.Game, cmd.Text)
}

type gameDisputesCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Out        string `help:"Write the positions before and after into this folder."`
}

func (cmd *gameDisputesCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Out, err = absolute(cmd.Out); err != nil {
		return err
	}
	return perform(ctx, "disputes", cmd, cmd.configFlag, c)
}

func (cmd *gameDisputesCommand) do(_ context.Context, h *office, c *console) error {
	text, files, err := h.Disputes(cmd.Game)
	if err != nil {
		return err
	}
	return printNotice(c, text, files, cmd.Out)
}

type gameStopCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Stop       int    `arg:"" help:"Number of the stop in the game."`
	Out        string `help:"Write the positions before and after into this folder."`
}

func (cmd *gameStopCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Out, err = absolute(cmd.Out); err != nil {
		return err
	}
	return perform(ctx, "stop", cmd, cmd.configFlag, c)
}

func (cmd *gameStopCommand) do(_ context.Context, h *office, c *console) error {
	text, files, err := h.ShowStop(cmd.Game, cmd.Stop)
	if err != nil {
		return fmt.Errorf("show stop %s: %w", strconv.Itoa(cmd.Stop), err)
	}
	return printNotice(c, text, files, cmd.Out)
}

func absolute(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	return filepath.Abs(path)
}

// printNotice prints a text, and writes its files if a folder is named.
func printNotice(c *console, text string, files []templates.File, folder string) error {
	if _, err := io.WriteString(c.out, text); err != nil || folder == "" {
		return err
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Name)
		if err := c.save(path, f.Data); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(c.out, path); err != nil {
			return err
		}
	}
	return nil
}
