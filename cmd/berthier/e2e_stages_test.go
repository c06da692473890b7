//go:build e2e

package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// profileVariable names a new file for the CPU profile of the daemon in TestEndToEndLoad,
// of which the table of stages is made.
const profileVariable = "BERTHIER_PROFILE"

// stages are the parts of a letter's road through the daemon, each with the functions that
// belong to it. A stack belongs to the stage of its innermost function that is named here.
var stages = []struct {
	name      string
	functions []string // beginnings of their names
}{
	{"IMAP: fetch, move", []string{"berthier/mail.(*Mailbox)", "github.com/emersion/go-imap/"}},
	{"read the letter, MIME", []string{"berthier/mail.Read"}},
	{"find the order file, YAML", []string{"berthier/orders.Find", "berthier/orders.Parse", "berthier/orders.Read"}},
	{"open the game: record", []string{"berthier/adjudicator.readGame", "berthier/adjudicator/game.Unpack", "berthier/adjudicator.(*Office).open"}},
	{"open the game: position", []string{"berthier/engine/napoleon.Ruleset.Load", "berthier/engine/waterloo.Ruleset.Load", "berthier/engine/play.Load", "berthier/engine/play.(*codec"}},
	{"judge", []string{"berthier/engine/napoleon.Ruleset.Read", "berthier/engine/waterloo.Ruleset.Read"}},
	{"confirmations and reports in words", []string{"berthier/templates.", "berthier/adjudicator/report.", "berthier/orders/phrase."}},
	{"pack rows of the outbox", []string{"berthier/adjudicator/outbox.(*Outgoing).Pack"}},
	{"pages of the history", []string{"berthier/adjudicator.packPage", "berthier/adjudicator.unpackPage"}},
	{"record, keys hidden, rest of the change", []string{"berthier/adjudicator.(*transaction)"}},
	{"store", []string{"berthier/adjudicator/store/bolt.", "go.etcd.io/bbolt"}},
	{"outbox: letters that are due", []string{"berthier/adjudicator/outbox.byAddress", "berthier/adjudicator/outbox.(*Box).due"}},
	{"outbox: noted as sent", []string{"berthier/adjudicator/outbox.(*Box).put"}},
	{"maps: drawn and compressed", []string{"berthier/templates.Draw", "berthier/adjudicator/outbox.(*Box).draws", "berthier/templates.(*painter)", "berthier/templates.(*bench)", "berthier/templates.(*reducer)", "berthier/templates.(*press)", "berthier/templates.groundKey", "berthier/templates.inksOf", "berthier/templates.colour"}},
	{"compose: MIME", []string{"berthier/mail.(*Draft).Compose", "berthier/mail.Draft.Compose"}},
	{"SMTP", []string{"berthier/mail.(*SMTP)", "github.com/emersion/go-smtp"}},
	{"log lines", []string{"log/slog."}},
	{"collecting in the background", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge"}},
}

// stageOf gives the stage of a stack whose innermost function comes first.
func stageOf(stack []string) string {
	for _, function := range stack {
		best, longest := "", 0
		for _, s := range stages {
			for _, f := range s.functions {
				if strings.HasPrefix(function, f) && len(f) > longest {
					best, longest = s.name, len(f)
				}
			}
		}
		if best != "" {
			return best
		}
	}
	for _, function := range stack {
		if strings.HasPrefix(function, "berthier/") || strings.HasPrefix(function, "main.") {
			return "rest of the office"
		}
	}
	return "scheduler and the rest"
}

// stageTable sums a CPU profile by stage, in milliseconds a letter, the dearest stage first.
func stageTable(t *testing.T, data []byte, letters int) string {
	t.Helper()
	p, err := profile.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	took, all := map[string]time.Duration{}, time.Duration(0)
	for _, sample := range p.Sample {
		var stack []string
		for _, at := range sample.Location {
			for _, line := range at.Line {
				stack = append(stack, line.Function.Name)
			}
		}
		d := time.Duration(sample.Value[len(sample.Value)-1])
		took[stageOf(stack)] += d
		all += d
	}
	names := sortedKeys(took)
	slices.SortStableFunc(names, func(a, b string) int { return int(took[b] - took[a]) })
	var table strings.Builder
	each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(letters) }
	for _, name := range names {
		fmt.Fprintf(&table, "%8.2f ms  %s\n", each(took[name]), name)
	}
	fmt.Fprintf(&table, "%8.2f ms  all\n", each(all))
	return table.String()
}

// profiled has the daemon write a CPU profile until it is stopped.
func (l *load) profiled() <-chan []byte {
	l.t.Helper()
	path, data := os.Getenv(profileVariable), make(chan []byte, 1)
	if path == "" {
		path = l.file("cpu.profile")
	}
	until(l.t, "there", func() string {
		if _, err := os.Stat(socket(l.file("berthier.db"))); err != nil {
			return err.Error()
		}
		return "there"
	})
	go func() {
		l.berthier("profile", "-c", l.config, "--for", "24h", path)
		text, err := os.ReadFile(path)
		if err != nil {
			l.t.Error(err)
		}
		data <- text
	}()
	return data
}
