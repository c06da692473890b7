package main

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
)

// A discreet handler keeps out of the log what must not be in a file that people
// pass on when they ask for help: passwords, players' keys, and, unless the log is
// of level debug, addresses. What letters, orders and positions say is never
// logged in the first place; an error of a ruleset or of a mail server may quote
// them, so errors of rulesets are cut down to their first words.
type discreet struct {
	slog.Handler
	secrets []string
	plain   bool // addresses may be named
}

var (
	addressText = regexp.MustCompile(`[^\s<>()\[\]:;,"'=]+@[^\s<>()\[\]:;,"'=]+`)
	keyText     = regexp.MustCompile(`\b[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}\b`)
)

// ownIDs are attributes that hold identifiers of letters, which look like
// addresses.
var ownIDs = []string{"msg_id"}

func newDiscreet(h slog.Handler, plain bool, secrets ...string) slog.Handler {
	d := discreet{Handler: h, plain: plain}
	for _, s := range secrets {
		if s != "" {
			d.secrets = append(d.secrets, s)
		}
	}
	return d
}

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
		return slog.String(a.Key, d.clean(a.Key, v.String()))
	case slog.KindGroup:
		var all []any
		for _, inner := range v.Group() {
			all = append(all, d.attr(inner))
		}
		return slog.Group(a.Key, all...)
	case slog.KindAny:
		return slog.String(a.Key, d.clean(a.Key, fmt.Sprint(v.Any())))
	}
	return a
}

func (d discreet) clean(key, text string) string {
	for _, s := range d.secrets {
		text = strings.ReplaceAll(text, s, "[secret]")
	}
	text = keyText.ReplaceAllString(text, "[key]")
	if d.plain || slices.Contains(ownIDs, key) {
		return text
	}
	return addressText.ReplaceAllString(text, "[address]")
}
