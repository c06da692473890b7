package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// config is the file of `berthier serve`. docs/berthier.example.yaml explains
// every key.
type config struct {
	Office   officeConfig
	Database string        // path of the file; of an office on a server, of what it has on this machine
	Server   *serverConfig // nil: the games lie in the file
	Shelf    string        // folder to which what is kept of finished games is put away; "": none
	IMAP     imapConfig
	SMTP     smtpConfig
	DKIM     dkimConfig
	Log      logConfig
	Watch    watchConfig

	secretFiles []string // files that hold secrets
}

// watchConfig says where a monitor on this machine may ask; nowhere if it is empty.
type watchConfig struct{ Listen string }

type officeConfig struct {
	Name           string
	Address        string
	Administrators []administrator
	Strangers      string          // answer, none
	Members        string          // who becomes a member: anybody, by letter; listed, whom a list of the office has
	AnswersPerHour int             // to one address
	SoloGames      int             // against the bot that one address may have at once
	Club           []administrator // who may have them though they play in no game; without keys
	HelpURL        string          // where the guide and the rules can be read; "": nowhere
}

type administrator struct {
	Name, Address, Language string
	PGP                     string // armoured public key
	Zone                    *time.Location
}

type imapConfig struct {
	server
	Poll                time.Duration
	Processed, Rejected string
	MaxLetter           int64 // bytes
	AuthservIDs         []string
	AuthservBelow       string // the code of doctor --probe; "": only what stands above the server's Received counts
	DKIMLookups         bool   // ask the DNS for the keys of signatures
	Also                []extraBox
}

// An extraBox is a further mailbox of the office, on the same server.
type extraBox struct {
	Address, User, Password string
	Processed, Rejected     string
}

// dkimConfig is the key that letters going out are signed with. Key is nil if
// they are not.
type dkimConfig struct {
	Domain, Selector string
	Key              *mail.DKIMKey
}

type smtpConfig struct {
	server
	Retry time.Duration // after the first failed try to send a letter
}

type server struct {
	Host     string
	Port     int
	Security string // tls, starttls, none
	User     string
	Password string // as read from the password file
	CAFile   string
}

type logConfig struct{ Level, Format string }

// defaults is the meaning of a configuration that names only the required keys.
func defaults() config {
	return config{
		Office: officeConfig{Name: "Berthier", Strangers: "none", Members: "listed", AnswersPerHour: 20},
		IMAP: imapConfig{
			server:    server{Security: "tls"},
			Poll:      time.Minute,
			Processed: "Processed",
			Rejected:  "Rejected",
			MaxLetter: 1 << 20,
		},
		SMTP: smtpConfig{server: server{Security: "starttls"}, Retry: time.Minute},
		Log:  logConfig{Level: "info", Format: "text"},
	}
}

// loadConfig reads and checks a file. The error is an [orders.Problems] that
// names every fault with its line.
func loadConfig(path string) (config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return config{}, fmt.Errorf("read configuration: %w", err)
	}
	return parseConfig(data, filepath.Dir(path))
}

// parseConfig reads a configuration. Files that it names are looked for from the given
// folder.
func parseConfig(data []byte, folder string) (config, error) {
	root, problems := orders.ParseNode(data)
	if len(problems) > 0 {
		return config{}, problems
	}
	r := configReader{Reader: orders.NewReader(orders.NewWords()), folder: folder}
	c := defaults()
	f := r.Fields(root, "office", "database", "put-away", "imap", "smtp", "dkim", "log", "watch")
	r.office(r.Require(f, "office"), &c.Office)
	r.database(r.Require(f, "database"), &c)
	if c.Server == nil && c.Database != "" {
		c.Shelf = c.Database + awaySuffix
	}
	if n := f.Get("put-away"); n != nil {
		if r.text(n, &c.Shelf); c.Shelf != "" {
			c.Shelf = r.path(c.Shelf)
		}
	}
	r.imap(r.Require(f, "imap"), &c.IMAP)
	r.smtp(r.Require(f, "smtp"), &c.SMTP)
	r.dkim(f.Get("dkim"), &c)
	r.granted(f.Get("imap"), c)
	further := r.further(f.Get("imap"))
	r.addresses(further, c)
	r.log(f.Get("log"), &c.Log)
	r.watch(f.Get("watch"), &c.Watch)
	sections := []*orders.Node{f.Get("imap"), f.Get("smtp"), f.Get("dkim"), f.Get("database")}
	if further != nil {
		sections = append(sections, further.Items...)
	}
	for _, section := range sections {
		for _, pair := range pairsOf(section) {
			if key := pair.Key.Text; key == "password-file" || key == "key-file" || key == "secret-file" {
				if path := r.path(pair.Value.Text); !slices.Contains(c.secretFiles, path) {
					c.secretFiles = append(c.secretFiles, path)
				}
			}
		}
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return config{}, r.Problems
	}
	return c, nil
}

type configReader struct {
	*orders.Reader
	folder string
}

func (r configReader) office(n *orders.Node, o *officeConfig) {
	f := r.Fields(n, "name", "address", "administrators", "strangers", "answers-per-hour", "help-url", "solo-games", "club", "members")
	if word, ok := r.Word(f.Get("strangers"), "answer", "none"); ok {
		o.Strangers = word
	}
	if word, ok := r.Word(f.Get("members"), "anybody", "listed"); ok {
		o.Members = word
	}
	if n, ok := r.Int(f.Get("answers-per-hour"), 3, 1000); ok {
		o.AnswersPerHour = n
	}
	if n, ok := r.Int(f.Get("solo-games"), 0, 20); ok {
		o.SoloGames = n
	}
	for _, item := range r.List(f.Get("club")) {
		o.Club = append(o.Club, r.person(r.Fields(item, aboutPerson...)))
	}
	r.webAddress(f.Get("help-url"), &o.HelpURL)
	r.text(f.Get("name"), &o.Name)
	r.address(r.Require(f, "address"), &o.Address)
	for _, item := range r.List(f.Get("administrators")) {
		g := r.Fields(item, append(slices.Clone(aboutPerson), "pgp-key-file")...)
		a := r.person(g)
		if key, ok := r.file(g.Get("pgp-key-file")); ok {
			if _, err := mail.CheckPublicKey(key, time.Now()); err != nil {
				r.Refuse(g.Get("pgp-key-file"), "", phrase.Say("config.pgp-key", phrase.Literal("error", err.Error())))
			}
			a.PGP = key
		}
		o.Administrators = append(o.Administrators, a)
	}
}

// aboutPerson are the keys that say who somebody is.
var aboutPerson = []string{"name", "address", "language", "zone"}

// person reads who somebody is.
func (r configReader) person(g orders.Fields) administrator {
	a := administrator{Language: "en", Zone: time.UTC}
	r.text(g.Get("name"), &a.Name)
	r.address(r.Require(g, "address"), &a.Address)
	if word, ok := r.Word(g.Get("language"), "en", "it"); ok {
		a.Language = word
	}
	if text, ok := r.Text(g.Get("zone")); ok {
		zone, err := time.LoadLocation(text)
		if err != nil || text == "" || text == "Local" {
			r.Refuse(g.Get("zone"), "", phrase.Say("config.zone", phrase.Literal("zone", text)))
		} else {
			a.Zone = zone
		}
	}
	return a
}

func (r configReader) imap(n *orders.Node, c *imapConfig) {
	f := r.Fields(n, "host", "port", "security", "user", "password-file", "ca-file", "poll", "processed", "rejected", "max-letter",
		"authserv-id", "authserv-below", "dkim-lookups", "mailboxes")
	r.server(f, &c.server, 993, 143)
	r.Require(f, "user")
	r.Require(f, "password-file")
	r.duration(f.Get("poll"), &c.Poll, time.Second, 24*time.Hour)
	r.text(f.Get("processed"), &c.Processed)
	r.text(f.Get("rejected"), &c.Rejected)
	r.size(f.Get("max-letter"), &c.MaxLetter)
	for _, item := range r.List(f.Get("authserv-id")) {
		var id string
		r.text(item, &id)
		if id != "" {
			c.AuthservIDs = append(c.AuthservIDs, id)
		}
	}
	r.text(f.Get("authserv-below"), &c.AuthservBelow)
	if on, ok := r.Bool(f.Get("dkim-lookups")); ok {
		c.DKIMLookups = on
	}
	for _, item := range r.List(f.Get("mailboxes")) {
		r.extraBox(item, c)
	}
}

// extraBox reads a further mailbox. Its folders are called as those of the first one, unless it says otherwise.
func (r configReader) extraBox(item *orders.Node, c *imapConfig) {
	g := r.Fields(item, "address", "user", "password-file", "processed", "rejected")
	box := extraBox{Processed: c.Processed, Rejected: c.Rejected}
	r.address(r.Require(g, "address"), &box.Address)
	r.text(r.Require(g, "user"), &box.User)
	if text, ok := r.file(r.Require(g, "password-file")); ok {
		box.Password = strings.TrimRight(text, "\r\n")
	}
	r.text(g.Get("processed"), &box.Processed)
	r.text(g.Get("rejected"), &box.Rejected)
	if box.User != "" && (box.User == c.User || slices.ContainsFunc(c.Also, func(b extraBox) bool { return b.User == box.User })) {
		r.Refuse(g.Get("user"), "", phrase.Say("config.mailbox-twice", phrase.Literal("got", box.User)))
	}
	c.Also = append(c.Also, box)
}

// further gives the list of further mailboxes; nil if there is none.
func (r configReader) further(n *orders.Node) *orders.Node {
	for _, pair := range pairsOf(n) {
		if pair.Key.Text == "mailboxes" {
			return pair.Value
		}
	}
	return nil
}

// addresses checks that every mailbox has an address of its own, and one for which letters can be signed.
func (r configReader) addresses(n *orders.Node, c config) {
	if n == nil {
		return
	}
	known := []string{mailbox.Fold(c.Office.Address)}
	for i, item := range n.Items {
		if i >= len(c.IMAP.Also) || c.IMAP.Also[i].Address == "" {
			continue
		}
		address := mailbox.Fold(c.IMAP.Also[i].Address)
		if slices.Contains(known, address) {
			r.Refuse(item, "", phrase.Say("config.mailbox-twice", phrase.Literal("got", address)))
		}
		if domain := mailbox.Fold(c.DKIM.Domain); c.DKIM.Key != nil && !strings.HasSuffix(address, "@"+domain) && !strings.HasSuffix(address, "."+domain) {
			r.Refuse(item, "", phrase.Say("config.dkim-domain", phrase.Literal("domain", domain), phrase.Literal("address", address)))
		}
		known = append(known, address)
	}
}

// granted checks that the code in authserv-below was printed by a probe with these servers
// and ids.
func (r configReader) granted(n *orders.Node, c config) {
	if c.IMAP.AuthservBelow == "" || c.IMAP.AuthservBelow == c.grantCode() && len(c.IMAP.AuthservIDs) > 0 {
		return
	}
	for _, pair := range pairsOf(n) {
		if pair.Key.Text == "authserv-below" {
			r.Refuse(pair.Value, "", phrase.Say("config.authserv-below", phrase.Literal("got", c.IMAP.AuthservBelow)))
		}
	}
}

// dkim reads the key with which letters are signed. Its domain must be that of the
// office's address, or one above it: otherwise the signature proves nothing.
func (r configReader) dkim(n *orders.Node, c *config) {
	if n == nil {
		return
	}
	f := r.Fields(n, "domain", "selector", "key-file")
	_, c.DKIM.Domain, _ = strings.Cut(c.Office.Address, "@")
	r.text(f.Get("domain"), &c.DKIM.Domain)
	r.text(r.Require(f, "selector"), &c.DKIM.Selector)
	file := r.Require(f, "key-file")
	data, ok := r.file(file)
	if !ok || c.DKIM.Selector == "" || c.Office.Address == "" {
		return
	}
	address := mailbox.Fold(c.Office.Address)
	if domain := mailbox.Fold(c.DKIM.Domain); !strings.HasSuffix(address, "@"+domain) && !strings.HasSuffix(address, "."+domain) {
		r.Refuse(f.Get("domain"), "", phrase.Say("config.dkim-domain", phrase.Literal("domain", domain), phrase.Literal("address", address)))
		return
	}
	key, err := mail.NewDKIMKey(c.DKIM.Domain, c.DKIM.Selector, []byte(data))
	if err != nil {
		r.Refuse(file, "", phrase.Say("config.dkim-key", phrase.Literal("error", err.Error())))
		return
	}
	c.DKIM.Key = key
}

func (r configReader) smtp(n *orders.Node, c *smtpConfig) {
	f := r.Fields(n, "host", "port", "security", "user", "password-file", "ca-file", "retry")
	r.server(f, &c.server, 465, 587)
	r.duration(f.Get("retry"), &c.Retry, time.Second, time.Hour)
	if f.Get("user") != nil {
		r.Require(f, "password-file")
	}
}

func (r configReader) server(f orders.Fields, s *server, tls, plain int) {
	r.text(r.Require(f, "host"), &s.Host)
	if word, ok := r.Word(f.Get("security"), "tls", "starttls", "none"); ok {
		s.Security = word
	}
	s.Port = plain
	if s.Security == "tls" {
		s.Port = tls
	}
	if n, ok := r.Int(f.Get("port"), 1, 65535); ok {
		s.Port = n
	}
	if s.Security == "none" && s.Host != "" && !loopback(s.Host) {
		r.Refuse(f.Get("host"), "", phrase.Say("config.plain-off-loopback", phrase.Literal("host", s.Host)))
	}
	r.text(f.Get("user"), &s.User)
	if path, ok := r.file(f.Get("password-file")); ok {
		s.Password = strings.TrimRight(path, "\r\n")
	}
	if n := f.Get("ca-file"); n != nil {
		if _, ok := r.file(n); ok {
			s.CAFile = r.path(n.Text)
		}
	}
}

func (r configReader) log(n *orders.Node, c *logConfig) {
	f := r.Fields(n, "level", "format")
	if word, ok := r.Word(f.Get("level"), "debug", "info", "warn", "error"); ok {
		c.Level = word
	}
	if word, ok := r.Word(f.Get("format"), "text", "json"); ok {
		c.Format = word
	}
}

func (r configReader) watch(n *orders.Node, c *watchConfig) {
	f := r.Fields(n, "listen")
	r.text(f.Get("listen"), &c.Listen)
	if c.Listen == "" {
		return
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if number, e := strconv.Atoi(port); err != nil || e != nil || number < 0 || number > 65535 || !loopback(host) {
		r.Refuse(f.Get("listen"), "", phrase.Say("config.listen", phrase.Literal("got", c.Listen)))
	}
}

// text reads a value that must not be empty.
func (r configReader) text(n *orders.Node, into *string) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	if strings.TrimSpace(text) == "" {
		r.Refuse(n, "", phrase.Say("config.empty"))
		return
	}
	*into = text
}

// longestURL is how long an address of a page may be that stands on one line of a letter.
const longestURL = 60

// webAddress reads the address of a page that letters name.
func (r configReader) webAddress(n *orders.Node, into *string) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	page, err := url.Parse(text)
	plain := strings.IndexFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune("<>\"'\\", c) }) < 0
	if err != nil || page.Scheme != "https" && page.Scheme != "http" || page.Host == "" || page.User != nil || !plain || len(text) > longestURL {
		r.Refuse(n, "", phrase.Say("config.web-address", phrase.Literal("got", text), phrase.Number("most", longestURL)))
		return
	}
	*into = text
}

func (r configReader) address(n *orders.Node, into *string) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	at := strings.LastIndexByte(text, '@')
	if at < 1 || at == len(text)-1 || strings.ContainsAny(text, " <>\t\r\n,;") {
		r.Refuse(n, "", phrase.Say("config.address", phrase.Literal("address", text)))
		return
	}
	*into = text
}

func (r configReader) path(text string) string {
	if filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(r.folder, text)
}

// file reads the file that a value names.
func (r configReader) file(n *orders.Node) (string, bool) {
	text, ok := r.Text(n)
	if !ok {
		return "", false
	}
	data, err := os.ReadFile(r.path(text))
	if err != nil {
		var cause *os.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		r.Refuse(n, "", phrase.Say("config.file", phrase.Literal("file", text), phrase.Literal("error", err.Error())))
		return "", false
	}
	return string(data), true
}

func (r configReader) duration(n *orders.Node, into *time.Duration, low, high time.Duration) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < low || d > high {
		r.Refuse(n, "", phrase.Say("config.duration", phrase.Literal("got", text),
			phrase.Literal("low", low.String()), phrase.Literal("high", high.String())))
		return
	}
	*into = d
}

func (r configReader) size(n *orders.Node, into *int64) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	number, unit := text, int64(1)
	for suffix, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20} {
		if rest, found := strings.CutSuffix(text, suffix); found {
			number, unit = strings.TrimSpace(rest), size
		}
	}
	v, err := strconv.ParseInt(number, 10, 32)
	if err != nil || v < 1 || v*unit < 16<<10 || v*unit > 64<<20 {
		r.Refuse(n, "", phrase.Say("config.size", phrase.Literal("got", text)))
		return
	}
	*into = v * unit
}

// loopback tells whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// print writes the values in force as a configuration file, without passwords.
func (c config) print(w io.Writer) {
	root := orders.Mapping()
	office := orders.Mapping().Set("name", orders.Text(c.Office.Name)).Set("address", orders.Text(c.Office.Address))
	people := func(all []administrator) *orders.Node {
		var items []*orders.Node
		for _, a := range all {
			items = append(items, orders.Inline().Set("name", orders.Text(a.Name)).Set("address", orders.Text(a.Address)).
				Set("language", orders.Text(a.Language)).Set("zone", orders.Text(a.Zone.String())))
		}
		return orders.Items(items...)
	}
	office.Set("strangers", orders.Text(c.Office.Strangers)).Set("members", orders.Text(c.Office.Members)).Set("answers-per-hour", orders.Number(c.Office.AnswersPerHour))
	if c.Office.HelpURL != "" {
		office.Set("help-url", orders.Text(c.Office.HelpURL))
	}
	if len(c.Office.Administrators) > 0 {
		office.Set("administrators", people(c.Office.Administrators))
	}
	if c.Office.SoloGames > 0 {
		office.Set("solo-games", orders.Number(c.Office.SoloGames))
	}
	if len(c.Office.Club) > 0 {
		office.Set("club", people(c.Office.Club))
	}
	imap := c.IMAP.node().
		Set("poll", orders.Text(c.IMAP.Poll.String())).
		Set("processed", orders.Text(c.IMAP.Processed)).
		Set("rejected", orders.Text(c.IMAP.Rejected)).
		Set("max-letter", orders.Text(strconv.FormatInt(c.IMAP.MaxLetter, 10)))
	if len(c.IMAP.AuthservIDs) > 0 {
		var ids []*orders.Node
		for _, id := range c.IMAP.AuthservIDs {
			ids = append(ids, orders.Text(id))
		}
		imap.Set("authserv-id", orders.Items(ids...))
	}
	if c.IMAP.AuthservBelow != "" {
		imap.Set("authserv-below", orders.Text(c.IMAP.AuthservBelow))
	}
	if c.IMAP.DKIMLookups {
		imap.Set("dkim-lookups", orders.Text("yes"))
	}
	var further []*orders.Node
	for _, b := range c.IMAP.Also {
		further = append(further, orders.Inline().Set("address", orders.Text(b.Address)).Set("user", orders.Text(b.User)).
			Set("processed", orders.Text(b.Processed)).Set("rejected", orders.Text(b.Rejected)))
	}
	if further != nil {
		imap.Set("mailboxes", orders.Items(further...))
	}
	root.Set("office", office).Set("database", c.databaseNode())
	if c.Shelf != "" {
		root.Set("put-away", orders.Text(c.Shelf))
	}
	root.
		Set("imap", imap).
		Set("smtp", c.SMTP.node().Set("retry", orders.Text(c.SMTP.Retry.String())))
	if c.DKIM.Key != nil {
		root.Set("dkim", orders.Mapping().Set("domain", orders.Text(c.DKIM.Domain)).Set("selector", orders.Text(c.DKIM.Selector)))
	}
	root.Set("log", orders.Mapping().Set("level", orders.Text(c.Log.Level)).Set("format", orders.Text(c.Log.Format)))
	if c.Watch.Listen != "" {
		root.Set("watch", orders.Mapping().Set("listen", orders.Text(c.Watch.Listen)))
	}
	io.Copy(w, bytes.NewBufferString(root.Encode()))
}

func (s server) node() *orders.Node {
	n := orders.Mapping().Set("host", orders.Text(s.Host)).Set("port", orders.Number(s.Port)).Set("security", orders.Text(s.Security))
	if s.User != "" {
		n.Set("user", orders.Text(s.User))
	}
	return n
}

// pairsOf gives the pairs of a mapping; none if there is no such section.
func pairsOf(n *orders.Node) []orders.Pair {
	if n == nil {
		return nil
	}
	return n.Pairs
}
