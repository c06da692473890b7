package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"berthier/mail"
)

// A discreet handler keeps out of the log what must not stand in a file that people
// pass on when they ask for help: passwords, players' keys, and, unless the log has the
// level debug, addresses. The contents of letters, orders and positions are never logged
// in the first place; but an error of a ruleset or of a mail server may quote them, so
// errors of rulesets are cut down to their first words.
//
// The place of a mask must not give the secret away: if a password is a word that the log
// itself uses, a mask in the log's own text would show which word. So a password is
// looked for only where a server's words stand, in errors and the like. But a short
// password would be found in the middle of words even there. If there is a short one,
// nothing is looked for, and instead of a server's words only the program's own first
// words are logged. What the operating system says is logged all the same.
type discreet struct {
	slog.Handler
	secrets []string
	short   bool // one of the secrets is too short to be masked
	plain   bool // addresses may be named
}

var (
	addressText = regexp.MustCompile(`[^\s<>()\[\]:;,"'=]+@[^\s<>()\[\]:;,"'=]+`)
	keyText     = regexp.MustCompile(`\b[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}\b`)
)

// ownIDs are the attributes that hold identifiers of letters, which look like
// addresses.
var ownIDs = []string{"msg_id"}

func newDiscreet(h slog.Handler, plain bool, secrets ...string) slog.Handler {
	d := discreet{Handler: h, plain: plain}
	for _, s := range secrets {
		if s != "" {
			d.secrets = append(d.secrets, s)
			d.short = d.short || len(s) < shortSecret
		}
	}
	return d
}

// shortSecret is the least length, in bytes, of a secret that is masked where it stands.
const shortSecret = 8

// Handle implements [slog.Handler].
func (d discreet) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, d.clean("", r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool { out.AddAttrs(d.attr(a)); return true })
	return d.Handler.Handle(ctx, out)
}

// WithAttrs implements [slog.Handler].
func (d discreet) WithAttrs(attrs []slog.Attr) slog.Handler {
	attrs = slices.Clone(attrs)
	for i, a := range attrs {
		attrs[i] = d.attr(a)
	}
	d.Handler = d.Handler.WithAttrs(attrs)
	return d
}

// WithGroup implements [slog.Handler].
func (d discreet) WithGroup(name string) slog.Handler {
	d.Handler = d.Handler.WithGroup(name)
	return d
}

func (d discreet) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		if a.Key == "error" || a.Key == "fault" || a.Key == "stack" {
			return slog.String(a.Key, d.clean(a.Key, d.foreign(v.String())))
		}
		return slog.String(a.Key, d.clean(a.Key, v.String()))
	case slog.KindGroup:
		var all []any
		for _, inner := range v.Group() {
			all = append(all, d.attr(inner))
		}
		return slog.Group(a.Key, all...)
	case slog.KindAny:
		if err, ok := v.Any().(error); ok && d.short && ofTheSystem(err) {
			return slog.String(a.Key, d.clean(a.Key, err.Error()))
		}
		return slog.String(a.Key, d.clean(a.Key, d.foreign(fmt.Sprint(v.Any()))))
	}
	return a
}

// ownWords are the first words of an error, as the program itself writes them.
var ownWords = regexp.MustCompile(`^[a-z][A-Za-z -]{2,60}: `)

// ofTheSystem tells whether an error comes from the operating system and holds no words of
// a mail server: that the disk is full, or that nobody listens at a port.
func ofTheSystem(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && !mail.Quotes(err)
}

// foreign removes secrets from a text that somebody else may have written.
func (d discreet) foreign(text string) string {
	if d.short {
		if text == "" {
			return text
		}
		return ownWords.FindString(text) + "[not shown, since a password has fewer than 8 characters]"
	}
	for _, s := range d.secrets {
		text = strings.ReplaceAll(text, s, "[secret]")
	}
	return text
}

func (d discreet) clean(key, text string) string {
	text = keyText.ReplaceAllString(text, "[key]")
	if d.plain || slices.Contains(ownIDs, key) {
		return text
	}
	return addressText.ReplaceAllString(text, "[address]")
}
