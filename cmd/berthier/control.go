package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// A command works on the database. If the daemon runs, the daemon carries it out, since it
// alone has the database then; otherwise this process does. A command is plain data, so that
// it can be handed to the daemon.
type command interface {
	do(ctx context.Context, h *office, c *console) error
}

// handedOver lists the commands by the names under which they are handed over.
var handedOver = map[string]func() command{
	"new":      func() command { return new(gameNewCommand) },
	"list":     func() command { return new(gameListCommand) },
	"show":     func() command { return new(gameShowCommand) },
	"position": func() command { return new(gamePositionCommand) },
	"pause":    func() command { return new(gamePauseCommand) },
	"resume":   func() command { return new(gameResumeCommand) },
	"extend":   func() command { return new(gameExtendCommand) },
	"release":  func() command { return new(gameReleaseCommand) },
	"remind":   func() command { return new(gameRemindCommand) },
	"replace":  func() command { return new(gameReplaceCommand) },
	"process":  func() command { return new(gameProcessCommand) },
	"vacate":   func() command { return new(gameVacateCommand) },
	"change":   func() command { return new(gameChangeCommand) },
	"answer":   func() command { return new(gameAnswerCommand) },
	"close":    func() command { return new(gameCloseCommand) },
	"rule":     func() command { return new(ruleCommand) },
	"rewind":   func() command { return new(gameRewindCommand) },
	"disputes": func() command { return new(gameDisputesCommand) },
	"refile":   func() command { return new(gameRefileCommand) },
	"stop":     func() command { return new(gameStopCommand) },
	"archive":  func() command { return new(gameArchiveCommand) },
	"export":   func() command { return new(gameExportCommand) },
	"check":    func() command { return new(checkCommand) },
	"choices":  func() command { return new(choicesCommand) },
	"what-if":  func() command { return new(gameWhatIfCommand) },
	"key":      func() command { return new(keyCommand) },

	"forget":       func() command { return new(forgetCommand) },
	"member-list":  func() command { return new(memberListCommand) },
	"member-show":  func() command { return new(memberShowCommand) },
	"member-add":   func() command { return new(memberAddCommand) },
	"member-merge": func() command { return new(memberMergeCommand) },

	"league-new":      func() command { return new(leagueNewCommand) },
	"league-announce": func() command { return new(leagueAnnounceCommand) },
	"league-open":     func() command { return new(leagueOpenCommand) },
	"league-admit":    func() command { return new(leagueAdmitCommand) },
	"league-withdraw": func() command { return new(leagueWithdrawCommand) },
	"league-close":    func() command { return new(leagueCloseCommand) },
	"league-start":    func() command { return new(leagueStartCommand) },
	"league-rule":     func() command { return new(leagueRuleCommand) },
	"league-overrule": func() command { return new(leagueOverruleCommand) },
	"league-extend":   func() command { return new(leagueExtendCommand) },
	"league-change":   func() command { return new(leagueChangeCommand) },
	"league-import":   func() command { return new(leagueImportCommand) },
	"league-postpone": func() command { return new(leaguePostponeCommand) },
	"league-end":      func() command { return new(leagueEndCommand) },
	"league-list":     func() command { return new(leagueListCommand) },
	"league-show":     func() command { return new(leagueShowCommand) },
	"league-table":    func() command { return new(leagueTableCommand) },
	"league-rating":   func() command { return new(leagueRatingCommand) },
	"league-export":   func() command { return new(leagueExportCommand) },
	"league-verify":   func() command { return new(leagueVerifyCommand) },
	"league-page":     func() command { return new(leaguePageCommand) },
	"league-game":     func() command { return new(leagueGameCommand) },
}

// socket is the path at which the daemon of a database takes commands. Only the daemon's own
// user may write to it.
func socket(database string) string { return database + ".sock" }

// daemonLives tells whether a daemon takes commands for a database.
func daemonLives(database string) bool {
	c, err := net.DialTimeout("unix", socket(database), 5*time.Second)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// reply is the daemon's answer to a command.
type reply struct {
	Out    string `json:"out"`
	Err    string `json:"err"`
	Failed string `json:"failed,omitempty"` // why the command was not done
	Hint   string `json:"hint,omitempty"`   // what to do about that
	Told   bool   `json:"told,omitempty"`   // Out and Err already say why

	Files []savedFile `json:"files,omitempty"` // to be written by the process that asked
}

// perform carries out a command in the office of a configuration.
func perform(ctx context.Context, name string, d command, f configFlag, c *console) error {
	conf, err := f.load()
	if err != nil {
		return err
	}
	client := controlClient(conf)
	body, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("hand over %s: %w", name, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://office/"+name, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("hand over %s: %w", name, err)
	}
	sendOperator(request, d)
	response, err := client.Do(request)
	if noDaemon(err) {
		return performHere(ctx, d, conf, c)
	}
	if err != nil {
		return fmt.Errorf("hand over %s to the daemon: %w", name, err)
	}
	defer response.Body.Close()
	var r reply
	if err := json.NewDecoder(response.Body).Decode(&r); err != nil {
		return fmt.Errorf("hand over %s to the daemon: %s: %w", name, response.Status, err)
	}
	for _, f := range r.Files {
		if err := c.save(f.Path, f.Data); err != nil {
			return err
		}
	}
	io.WriteString(c.out, r.Out)
	io.WriteString(c.err, r.Err)
	switch {
	case r.Told:
		return errTold
	case r.Failed != "" && r.Hint != "":
		return hinted{errors.New(r.Failed), r.Hint}
	case r.Failed != "":
		return errors.New(r.Failed)
	}
	return nil
}

// controlClient is a client for the socket of a daemon.
func controlClient(conf config) *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "unix", socket(conf.Database))
	}}}
}

// noDaemon tells whether a request failed because no daemon listens for commands.
func noDaemon(err error) bool {
	var refused *net.OpError
	return errors.As(err, &refused) && refused.Op == "dial"
}

// performHere carries out a command with the database opened in this process.
func performHere(ctx context.Context, d command, conf config, c *console) error {
	log := slog.New(slog.DiscardHandler)
	if conf.Log.Level == "debug" {
		log = conf.logger(c.err)
	}
	h, err := openOffice(conf, log)
	if err != nil {
		return err
	}
	return databaseHint(errors.Join(doSafely(ctx, d, operatorOf(d), h, c, log), h.close()), conf)
}

// doSafely carries out a command for an operator. A record that no program wrote becomes an
// error.
func doSafely(ctx context.Context, d command, operator string, h *office, c *console, log *slog.Logger) (err error) {
	defer asError(&err, log)
	return doAs(ctx, d, operator, h, c)
}

// A control is where the daemon takes commands: its socket.
type control struct {
	server   *http.Server
	listener net.Listener
	path     string      // of the socket
	own      os.FileInfo // of the socket when it was made
}

// openControl listens on the socket of the database.
func openControl(conf config, h *office, log *slog.Logger) (*control, error) {
	path := socket(conf.Database)
	// This process has locked the store, but another daemon may still take commands here: its
	// file was exchanged for this one, and it holds the lock of the former file.
	if daemonLives(conf.Database) {
		return nil, hinted{fmt.Errorf("open socket: another berthier serve answers at %s: it still has the file open that was %s before", path, conf.Database),
			"stop it first; what it has taken in is in the file that it has open: berthier backup FILE saves that file"}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open socket: %w", err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open socket: %w", err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false) // by then the path may belong to another daemon
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("open socket: %w", err), listener.Close())
	}
	mux := http.NewServeMux()
	for name, blank := range handedOver {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
			json.NewEncoder(w).Encode(serveHanded(r, blank(), h, conf, log))
			log.Info("command done", "command", name)
		})
	}
	mux.HandleFunc("GET /copy", func(w http.ResponseWriter, _ *http.Request) {
		from, ok := h.store.(copier)
		if !ok {
			http.Error(w, noCopy, http.StatusNotImplemented)
			return
		}
		n, err := from.Backup(w)
		if err != nil {
			log.Warn("backup broken off", "error", err)
			panic(http.ErrAbortHandler) // so that the reader sees that the copy is not whole
		}
		log.Info("backup handed out", "bytes", n)
	})
	mux.HandleFunc("GET /examine", func(w http.ResponseWriter, _ *http.Request) { serveExamined(h, conf, w) })
	stopped := make(chan struct{})
	mux.HandleFunc("GET /profile", func(w http.ResponseWriter, r *http.Request) { serveProfile(w, r, stopped) })
	own, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open socket: %w", err), listener.Close())
	}
	d := &control{server: &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}, listener: listener, path: path, own: own}
	d.server.RegisterOnShutdown(sync.OnceFunc(func() { close(stopped) }))
	go d.server.Serve(listener)
	return d, nil
}

func serveHanded(r *http.Request, d command, h *office, conf config, log *slog.Logger) reply {
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 64<<20)).Decode(d); err != nil {
		return reply{Failed: "read command: " + err.Error()}
	}
	var out, errout bytes.Buffer
	files := []savedFile{}
	err := doSafely(r.Context(), d, operatorFrom(r), h, &console{out: &out, err: &errout, files: &files}, log)
	answer := reply{Out: out.String(), Err: errout.String(), Told: errors.Is(err, errTold), Files: files}
	if err != nil && !answer.Told {
		answer.Failed = explain(err)
		var h hinted
		if errors.As(databaseHint(err, conf), &h) {
			answer.Hint = h.hint
		}
	}
	return answer
}

// Close stops taking commands and lets those that have begun come to an end.
func (d *control) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := d.server.Shutdown(ctx)
	if now, e := os.Lstat(d.path); e == nil && os.SameFile(now, d.own) {
		err = errors.Join(err, os.Remove(d.path))
	}
	return err
}
