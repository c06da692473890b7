package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"berthier/adjudicator/store/postgres"
	"berthier/orders"
	"berthier/orders/phrase"
)

// database reads where the games lie: the path of a file, or what leads to a server.
func (r configReader) database(n *orders.Node, c *config) {
	if n == nil || n.Kind != orders.Map {
		r.text(n, &c.Database)
		return
	}
	f := r.Fields(n, "url", "password-file", "secret-file", "member", "folder")
	s := &serverConfig{}
	r.text(r.Require(f, "url"), &s.URL)
	r.text(r.Require(f, "secret-file"), &s.Secret)
	if s.Secret != "" {
		s.Secret = r.path(s.Secret)
	}
	if text, ok := r.file(f.Get("password-file")); ok {
		s.Password = strings.TrimRight(text, "\r\n")
	}
	if name, err := os.Hostname(); err == nil {
		s.Member = name
	}
	r.text(f.Get("member"), &s.Member)
	if !memberName(s.Member) {
		r.Refuse(at(f.Get("member"), n), "", phrase.Say("config.member", phrase.Literal("got", s.Member)))
	}
	folder := "/var/lib/berthier"
	r.text(f.Get("folder"), &folder)
	c.Server, c.Database = s, filepath.Join(r.path(folder), s.Member)
	if s.URL == "" {
		return
	}
	switch err := s.at().Check(); {
	case errors.Is(err, postgres.ErrPlain):
		r.Refuse(f.Get("url"), "", phrase.Say("config.database-plain"))
	case err != nil:
		r.Refuse(f.Get("url"), "", phrase.Say("config.database-url"))
	}
}

// at is the first of two places that is there.
func at(first, second *orders.Node) *orders.Node {
	if first != nil {
		return first
	}
	return second
}

// memberName tells whether a text can be the name of a member, which is also that of its socket.
func memberName(name string) bool {
	return name != "" && len(name) <= 60 && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".command") && strings.IndexFunc(name, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.')
	}) < 0
}

// databaseNode writes where the games lie, without a password.
func (c config) databaseNode() *orders.Node {
	if c.Server == nil {
		return orders.Text(c.Database)
	}
	return orders.Mapping().Set("url", orders.Text(c.where())).Set("secret-file", orders.Text(c.Server.Secret)).
		Set("member", orders.Text(c.Server.Member)).Set("folder", orders.Text(filepath.Dir(c.Database)))
}
