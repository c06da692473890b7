package main

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"berthier/adjudicator"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store/bolt"
	"berthier/mail"
	"berthier/templates"
)

// An office is the office of the adjudicator with its store.
type office struct {
	*adjudicator.Office
	*adjudicator.Clerk
	store keeper
	words *templates.Words
}

// repeatable lets set-ups fix the seed of the dice. Only this program's own tests set it:
// no letter, no flag and no configuration can.
var repeatable bool

// openOffice opens the office that a configuration describes.
func openOffice(c config, log *slog.Logger) (*office, error) {
	return openOfficeOn(c, log, bolt.Options{})
}

// openOfficeOn opens the office with the given options for the store.
func openOfficeOn(c config, theLog *slog.Logger, on bolt.Options) (h *office, err error) {
	defer asError(&err, theLog)
	words, err := catalogue()
	if err != nil {
		return nil, err
	}
	st, err := openStore(c, on)
	if err != nil {
		return nil, databaseHint(err, c)
	}
	if err := errMoved(st); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	opt := adjudicator.Options{
		From:   mail.Address{Name: c.Office.Name, Addr: c.Office.Address},
		Secret: st.Secret(),
		Log:    theLog,

		Version: version(), Repeatable: repeatable,

		TrustedServers: c.IMAP.AuthservIDs, FindingsBelow: c.IMAP.AuthservBelow != "", AnswerStrangers: c.Office.Strangers == "answer", AnswersPerHour: c.Office.AnswersPerHour, HelpURL: c.Office.HelpURL,
		SoloGames: c.Office.SoloGames, JoinByLetter: c.Office.Members == "anybody",
		Retry: c.SMTP.Retry, Shelf: c.Shelf,
	}
	if c.Server != nil {
		if opt.Program, err = program(); err != nil {
			return nil, errors.Join(err, st.Close())
		}
		opt.Member = c.Server.name()
	}
	for _, b := range c.IMAP.Also {
		opt.Also = append(opt.Also, b.Address)
	}
	if c.IMAP.DKIMLookups {
		opt.LookupTXT = net.DefaultResolver.LookupTXT
	}
	for _, a := range c.Office.Administrators {
		opt.GMs = append(opt.GMs, log.Person{Name: a.Name, Address: a.Address, Language: a.Language, Zone: a.Zone.String(), PGP: a.PGP})
	}
	for _, a := range c.Office.Club {
		opt.Club = append(opt.Club, log.Person{Name: a.Name, Address: a.Address, Language: a.Language, Zone: a.Zone.String()})
	}
	inner, err := adjudicator.New(st, words, systems(), opt)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &office{Office: inner, Clerk: inner.Clerk(), store: st, words: words}, nil
}

func (h *office) close() error { return h.store.Close() }

// address gives the server as host:port.
func (s server) address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

func (s server) security() mail.Security {
	switch s.Security {
	case "tls":
		return mail.SecurityTLS
	case "starttls":
		return mail.SecurityStartTLS
	}
	return mail.SecurityNone
}

func (s server) tls() (*tls.Config, error) {
	t := &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12}
	if s.CAFile == "" {
		return t, nil
	}
	pem, err := os.ReadFile(s.CAFile)
	if err != nil {
		return nil, fmt.Errorf("read certificates: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read certificates: %s holds none", s.CAFile)
	}
	t.RootCAs = pool
	return t, nil
}

// takenTogether is how many letters are taken in at the same time: the disk then
// commits them together.
const takenTogether = 32

// An addressed mailbox is one of the office's, with the address to which its letters are written.
type addressedBox struct {
	Address string
	*mail.Mailbox
}

// mailboxes are those of the office, the first of which is the one that an office with one mailbox has. They are read
// for the database with that number; "" is for no database, when mailboxes are only looked at.
func (c config) mailboxes(number string, log *slog.Logger) ([]addressedBox, error) {
	t, err := c.IMAP.tls()
	if err != nil {
		return nil, err
	}
	holder, name := c.holder(number)
	var all []addressedBox
	for i, b := range append([]extraBox{{c.Office.Address, c.IMAP.User, c.IMAP.Password, c.IMAP.Processed, c.IMAP.Rejected}}, c.IMAP.Also...) {
		of := log
		if i > 0 {
			of = log.With("mailbox", b.Address)
		}
		all = append(all, addressedBox{b.Address, &mail.Mailbox{Config: mail.IMAPConfig{
			Address: c.IMAP.address(), Security: c.IMAP.security(), TLS: t,
			Username: b.User, Password: b.Password,
			Processed: b.Processed, Rejected: b.Rejected,
			MaxSize: c.IMAP.MaxLetter, Poll: c.IMAP.Poll, Parallel: takenTogether, Log: of,
			Holder: holder, HolderName: name, Database: number,
		}}})
	}
	return all, nil
}

// holder is the name by which the office of a database is known to others that would read
// the same mailbox. It stays the same after a restart; a copy of the database elsewhere has
// another one, and so has another database in its place.
func (c config) holder(number string) (id, name string) {
	machine, err := os.Hostname()
	if err != nil {
		machine = "a machine without a name"
	}
	path, err := filepath.Abs(c.Database)
	if err != nil {
		path = c.Database
	}
	name = "the office on " + machine
	if number == "" {
		return "", name
	}
	if c.Server != nil { // every member of an office reads for the same one
		machine, path = "", "server"
	}
	sum := sha256.Sum256([]byte(machine + "\x00" + path + "\x00" + number))
	return hex.EncodeToString(sum[:16]), name
}

// sender sends the office's letters.
func (c config) sender() (*mail.SMTP, error) {
	t, err := c.SMTP.tls()
	if err != nil {
		return nil, err
	}
	return &mail.SMTP{Config: mail.SMTPConfig{
		Address: c.SMTP.address(), Security: c.SMTP.security(), TLS: t,
		Username: c.SMTP.User, Password: c.SMTP.Password,
	}}, nil
}

// secrets are what a log must not hold.
func secrets(c config) []string {
	all := []string{c.IMAP.Password, c.SMTP.Password}
	for _, b := range c.IMAP.Also {
		all = append(all, b.Password)
	}
	if c.Server != nil {
		all = append(all, c.Server.Password)
	}
	return all
}

// logger is the log of a configuration.
func (c config) logger(w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Log.Level)); err != nil {
		level = slog.LevelInfo
	}
	opt := &slog.HandlerOptions{Level: level}
	var h slog.Handler = slog.NewTextHandler(w, opt)
	if c.Log.Format == "json" {
		h = slog.NewJSONHandler(w, opt)
	}
	return slog.New(newDiscreet(h, level <= slog.LevelDebug, secrets(c)...))
}

// configFlag is the flag of every command that needs the configuration.
type configFlag struct {
	Config string `short:"c" default:"/etc/berthier/berthier.yaml" type:"path" help:"Configuration file (docs/berthier.example.yaml)."`
}

func (f configFlag) load() (config, error) {
	c, err := loadConfig(f.Config)
	if err != nil {
		return c, hinted{fmt.Errorf("%s: %w", f.Config, err), "docs/berthier.example.yaml explains every key"}
	}
	return c, nil
}

type configCommands struct {
	Check configCheckCommand `cmd:"" help:"Name every fault of a configuration, or print the values in force."`
}

type configCheckCommand struct{ configFlag }

func (cmd configCheckCommand) Run(c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	conf.print(c.out)
	return nil
}

type serveCommand struct{ configFlag }

func (cmd serveCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	log := conf.logger(c.err)
	if conf.Server != nil {
		conf.Server.Serves = true
		defer endsForSure(ctx, log, os.Exit)()
	}
	h, err := openInTurn(ctx, conf, log)
	if h == nil || err != nil {
		return err
	}
	defer h.close()
	defer keepNumbers(conf, h.store, log)()
	boxes, err := conf.mailboxes(h.store.Number(), log)
	if err != nil {
		return err
	}
	sender, err := conf.sender()
	if err != nil {
		return err
	}
	defer sender.Close()
	control, err := openControl(conf, h, log)
	if err != nil {
		return err
	}
	defer control.Close()
	monitor := openWatch(conf, h, boxes, log)
	defer monitor.Close()
	log.Info("office open", "version", version(), "database", conf.where(), "rulesets", rulesetNames())
	var by mail.Sender = sender
	if conf.DKIM.Key != nil {
		by = mail.Signing{Sender: sender, Key: conf.DKIM.Key}
	}
	var read []adjudicator.Box
	for _, box := range boxes {
		read = append(read, adjudicator.Box{Address: box.Address, Mailbox: countedBox{box.Mailbox, monitor}})
	}
	err = h.Run(ctx, countedSender{by, monitor}, read...)
	log.Info("office closed")
	return whyEnded(err, h.store)
}

// mailboxHint adds advice to the error of a mailbox that belongs to another office.
func mailboxHint(err error) error {
	var taken *mail.InUseError
	var wrong *mail.WrongDatabaseError
	switch {
	case errors.As(err, &taken):
		return hinted{err, takenAdvice}
	case errors.As(err, &wrong):
		return hinted{err, wrongAdvice}
	}
	return err
}

// These say what to do about a mailbox that belongs to another office.
const (
	takenAdvice = "a mailbox can have only one office: stop the other office, or give this one a mailbox of its own"
	wrongAdvice = "put the right database in place, or a backup of it (berthier restore FILE); if the right one is lost for good, or this is the right one, berthier claim gives the mailbox to this database"
)
