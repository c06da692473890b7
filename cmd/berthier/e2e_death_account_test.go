//go:build e2e

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/adjudicator/verify"
)

var whenOpen = regexp.MustCompile(`(?m)^time=(\S+) level=INFO msg="(office|mailbox) open"`)

// inboxes tells how long it took in each life of the daemon to open the inbox.
func (d *dying) inboxes() (all []time.Duration) {
	text, err := os.ReadFile(d.logged)
	if err != nil {
		d.t.Fatal(err)
	}
	var control time.Time
	for _, m := range whenOpen.FindAllSubmatch(text, -1) {
		at, err := time.Parse(time.RFC3339, string(m[1]))
		if err != nil {
			d.t.Fatal(err)
		}
		if string(m[2]) == "office" {
			control = at
		} else if !control.IsZero() {
			all, control = append(all, at.Sub(control)), time.Time{}
		}
	}
	return all
}

// account checks everything that is left behind.
func (d *dying) account() {
	t := d.t
	text, err := os.ReadFile(d.logged)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"panic", "fatal error", "SIGBUS", "DATA RACE"} {
		if bytes.Contains(text, []byte(bad)) {
			t.Errorf("the daemon logged %q", bad)
		}
	}
	h, done := d.office()
	if err := h.store.Check(); err != nil {
		t.Errorf("pages of the database: %v", err)
	}
	taken, lost, stops, ended := map[string]int{}, 0, 0, 0
	for _, id := range d.games {
		resolved := map[int]int{}
		err := h.store.Read(context.Background(), func(tx store.Reader) error {
			err := tx.Entries(id, 1, func(entry chain.Entry) error {
				body, err := wholeEntry(entry)
				if err != nil {
					return err
				}
				switch body.Kind {
				case log.KindTaken:
					var data log.Taken
					if err := json.Unmarshal(body.Data, &data); err != nil {
						return err
					}
					taken[data.MessageID]++
				case log.KindResolved:
					resolved[body.Stop]++
				case log.KindLost:
					lost++
				case log.KindOver:
					ended++
				case log.KindRefused, log.KindFault, log.KindDeadline, log.KindLate:
					t.Errorf("%s: %s: %.300s", id, body.Kind, body.Data)
				}
				return nil
			})
			return errors.Join(err, store.Verify(tx, id))
		})
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		first := 1 - resolved[0] // a stop in which only dice are rolled comes before the first that asks anybody
		for n := first; n < first+len(resolved); n++ {
			if resolved[n] != 1 {
				t.Errorf("%s: stop %d was resolved %d times, of %d stops", id, n, resolved[n], len(resolved))
			}
		}
		stops += len(resolved)
	}
	rows := d.outbox(h.store)
	done()
	sent := d.ordersCounted(taken)
	d.lettersHandedOver(rows, lost)
	d.repeats()
	if sent < d.life/2 || stops < d.life/4 {
		t.Errorf("too little happened: %d orders, %d stops", sent, stops)
	}
	t.Logf("%d games (%d to their end), %d orders, %d stops resolved", len(d.games), ended, sent, stops)
	d.verifyGames()
}

// A loggedEntry is the content of an entry of the log, for those who may read all of it.
type loggedEntry struct {
	Kind   string
	Stop   int
	Letter string
	Data   json.RawMessage
}

// wholeEntry reads an entry together with its private part.
func wholeEntry(e chain.Entry) (body loggedEntry, err error) {
	if err := json.Unmarshal(e.Body, &body); err != nil || len(e.Private) == 0 {
		return body, err
	}
	var private struct{ Sealed loggedEntry }
	if err := json.Unmarshal(e.Private, &private); err != nil {
		return body, err
	}
	if body.Kind == log.KindSealed {
		body.Kind, body.Letter = private.Sealed.Kind, private.Sealed.Letter
	}
	if len(private.Sealed.Data) > 0 {
		body.Data = private.Sealed.Data
	}
	return body, nil
}

// ordersCounted checks that the orders that were sent are those that counted, were
// answered, and lie among the letters taken in.
func (d *dying) ordersCounted(taken map[string]int) (sent int) {
	answers := map[string]map[string]bool{} // by the letter answered
	for id, l := range d.post.letters {
		if answers[l.answers] == nil {
			answers[l.answers] = map[string]bool{}
		}
		answers[l.answers][id] = true
	}
	processed := map[string]int{}
	for _, box := range d.officeBoxes() {
		for id, n := range d.mailbox(box, ".Processed") {
			processed[id] += n
		}
	}
	for _, p := range d.players {
		for id := range p.sent {
			sent++
			if taken[id] != 1 {
				d.t.Errorf("the order %s counted %d times", id, taken[id])
			}
			if len(answers[id]) != 1 {
				d.t.Errorf("the order %s has %d answers", id, len(answers[id]))
			}
		}
		for id := range p.asked {
			if len(answers[id]) != 1 {
				d.t.Errorf("the question %s has %d answers", id, len(answers[id]))
			}
		}
		for id, n := range p.submitted {
			if processed[id] == n {
				continue
			}
			// Dovecot, numbered anew while a letter comes in, may say that it has not kept it
			// and has kept it: Exim then brings it once more.
			said := d.servers(id)
			if again := strings.Count(said, ": save failed to INBOX: Mailbox was deleted under us"); processed[id] < n || processed[id] > n+again {
				d.t.Errorf("%s was sent %d times and brought again %d times, and lies %d times among the letters taken in; the servers:\n%s", id, n, again, processed[id], said)
			}
		}
	}
	if len(taken) != sent {
		d.t.Errorf("%d orders were sent, %d counted", sent, len(taken))
	}
	for _, box := range d.officeBoxes() {
		if n := len(d.mailbox(box, ".Rejected")); n > 0 {
			d.t.Errorf("%d letters in %s were rejected", n, box)
		}
	}
	return sent
}

// servers tells what Exim and Dovecot did with a letter, and what the office said of it.
func (d *dying) servers(id string) string {
	d.t.Helper()
	var all strings.Builder
	for _, file := range []string{filepath.Join(d.s.dir, "log/mainlog"), filepath.Join(d.s.dir, "dovecot.log"), d.logged} {
		text, err := os.ReadFile(file)
		if err != nil {
			d.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, id) {
				all.WriteString(line)
			}
		}
	}
	return all.String()
}

// outbox reads all letters that there ever were.
func (d *dying) outbox(st store.Store) (rows []*outbox.Outgoing) {
	err := st.Read(context.Background(), func(tx store.Reader) error {
		return tx.Letters(func(_ uint64, body []byte) error { // numbers that a full disk left unused are left out
			r, err := outbox.Unpack(body)
			rows = append(rows, r)
			return err
		})
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return rows
}

// lettersHandedOver checks that there are as many letters on the lines as the
// office wrote, and that each lies where it should.
func (d *dying) lettersHandedOver(rows []*outbox.Outgoing, lost int) {
	t := d.t
	wrote, refused := map[string]int{}, 0
	for _, r := range rows {
		switch r.State {
		case "sent":
			wrote[r.Address]++
		case "lost":
			wrote[r.Address]++
			refused++
		case "later": // the result of order files, told in another letter
		default:
			t.Errorf("a letter (%s to %s) is left in the state %q", r.Kind, r.Address, r.State)
		}
	}
	if refused != lost {
		t.Errorf("%d letters were refused for good, %d entries in the logs tell of it", refused, lost)
	}
	came, again, swallowed, never := map[string]int{}, 0, 0, 0
	boxes := map[string]map[string]int{}
	for id, l := range d.post.letters {
		came[l.to]++
		box, _, _ := strings.Cut(l.to, "@")
		if boxes[box] == nil {
			boxes[box] = d.mailbox(box, ".", ".Processed", ".Rejected")
		}
		n, told, excused := 0, 0, false
		for _, h := range l.times {
			if h.taken {
				n++
			}
			told = h.told
			excused = excused || h.by == smtpSwallows && h.told == 250
		}
		if boxes[box][id] != n {
			t.Errorf("Exim took %s %d times, and it lies %d times in the box of %s", id, n, boxes[box][id], box)
		}
		switch {
		case n > 0:
			again += n - 1
		case excused:
			swallowed++
		case told == 554:
			never++
		default:
			t.Errorf("%s never went out: %+v", id, l.times)
		}
	}
	for address := range wrote {
		if wrote[address] != came[address] {
			t.Errorf("the office wrote %d letters to %s, %d were handed over", wrote[address], address, came[address])
		}
	}
	if len(wrote) != len(came) {
		t.Errorf("letters were written to %d addresses and sent to %d", len(wrote), len(came))
	}
	t.Logf("%d letters in the mailboxes, %d of them more than once in all; %d lost by a server that had said 250, %d refused for good", len(rows)-swallowed-never, again, swallowed, never)
}

// gaveUp tells when members gave up what they had, since they could not say in time that they live: as good as a death, and
// the next member may have what they had some seconds later, in the same life.
func (d *dying) gaveUp() (all []time.Time) {
	text, err := os.ReadFile(d.logged)
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if stamp, ok := strings.CutPrefix(line, "time="); ok && strings.Contains(line, "gives up what it had") {
			stamp, _, _ = strings.Cut(stamp, " ")
			at, err := time.Parse(time.RFC3339, stamp)
			if err != nil {
				d.t.Error(err)
			}
			all = append(all, at)
		}
	}
	return all
}

// repeats checks why letters went out again.
func (d *dying) repeats() {
	t := d.t
	gaveUp := d.gaveUp()
	const lastWord = 3 * time.Second // that whoever gives up still waits for
	alive := func(h, next handing) bool {
		return next.life == h.life && !slices.ContainsFunc(gaveUp, func(at time.Time) bool { return at.Add(lastWord).After(h.at) && at.Before(next.at) })
	}
	inFlight, byFault := map[int]int{}, map[fault]int{}
	for id, l := range d.post.letters {
		for i, h := range l.times[:len(l.times)-1] {
			next := l.times[i+1]
			switch {
			case h.told == 554:
				if alive(h, next) {
					t.Errorf("%s was refused for good, and sent again in the same life", id)
				}
				inFlight[h.life]++
			case h.told == 250:
				if alive(h, next) {
					t.Errorf("%s went out twice in one life, and the daemon knew: %+v; members gave up at %s; the servers and the office:\n%s", id, l.times, gaveUp, d.servers(id))
				}
				inFlight[h.life]++
			case h.by != calm && h.taken: // the office could not know
				byFault[h.by]++
			case h.by == calm && h.told == 0:
				inFlight[h.life]++
			}
		}
	}
	all, most := 0, 0
	for life, n := range inFlight {
		if all, most = all+n, max(most, n); n > sideBySide {
			t.Errorf("%d letters were in flight at death %d, and the daemon sends %d at once", n, life, sideBySide)
		}
	}
	t.Logf("sent again since the daemon died before it had noted them: %d, at %d deaths, at most %d at one", all, len(inFlight), most)
	for _, f := range allFaults {
		if byFault[f] > 0 {
			t.Logf("sent again since the daemon could not know that they were taken: %d, %s", byFault[f], f)
		}
	}
}

// verifyGames closes the games, so that their seeds are told, and has the
// program verify them as any player can: the chain, the dice, and every stop
// again.
func (d *dying) verifyGames() {
	h, done := d.office()
	for _, id := range d.games {
		details, err := h.Show(id)
		if err == nil && details.State == "running" {
			err = h.Close(d.t.Context(), id, "the test is over")
		}
		if err != nil {
			d.t.Errorf("%s: %v", id, err)
		}
	}
	done()
	for _, id := range d.games {
		var v verify.Verified
		out, err := exec.Command(d.program, "game", "verify", "-c", d.config, "--json", id).Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == exitUnproven {
			err = nil // a game may end before its first die
		}
		if err != nil {
			d.t.Errorf("verify %s: %v", id, err)
		}
		if err := json.Unmarshal(out, &v); err != nil {
			d.t.Errorf("verify %s: %v", id, err)
		}
		if !v.Sound() || len(v.Differ) > 0 || len(v.Checks) < 3 {
			d.t.Errorf("verify %s: %+v", id, v)
		}
	}
}
