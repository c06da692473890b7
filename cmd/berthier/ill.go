package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/leader"
	"berthier/mail"
)

// contactLimit is how long the mail server may be silent: the mailbox is looked through
// at least once in the longest poll interval, and within the time limit of IDLE.
const contactLimit = 15 * time.Minute

// ill lists what is wrong, with what the office tells of itself, if that could be read;
// nothing if all is well. What is wrong with other members of the office, these have said themselves.
func (w *watch) ill(i adjudicator.Ills, err error) []string {
	now := time.Now()
	faults := slices.Concat(w.illMembers(), w.illElsewhere(), w.illHere(i, now))
	if err != nil {
		return append(faults, "database: not readable: "+err.Error())
	}
	faults = append(faults, illGames(i)...)
	if i.StuckLetters > 0 {
		faults = append(faults, fmt.Sprintf("sending: %d letters could not be sent, the first since %s", i.StuckLetters, i.StuckSince.UTC().Format(time.RFC3339)))
	}
	o, err := w.office.store.Outbox(now)
	switch {
	case err != nil:
		faults = append(faults, "database: not readable")
	case o.Due > 0 && now.Sub(o.First) > time.Hour:
		faults = append(faults, fmt.Sprintf("sending: %d letters are due, the first since %s", o.Due, o.First.UTC().Format(time.RFC3339)))
	}
	return faults
}

// illGames lists what is wrong with games.
func illGames(i adjudicator.Ills) (faults []string) {
	if i.BrokenRecords > 0 {
		faults = append(faults, fmt.Sprintf("database: the records of %d games can't be read: berthier doctor says which", i.BrokenRecords))
	}
	if i.StoppedGames > 0 {
		faults = append(faults, fmt.Sprintf("games: %d stand still, since the program of their rules failed: berthier game list names them", i.StoppedGames))
	}
	return faults
}

// illHere lists what is wrong with this process and with the mailboxes that it reads.
func (w *watch) illHere(i adjudicator.Ills, now time.Time) (faults []string) {
	for _, box := range w.boxes {
		if !w.office.Seat.Reads(box.Address) {
			continue
		}
		what := "mailbox"
		if len(w.boxes) > 1 {
			what += " " + box.Address
		}
		faults = append(faults, w.illMailbox(what, box.Health(), now)...)
	}
	faults = append(faults, illDatabase(i)...)
	faults = append(faults, w.illDisk(i)...)
	if i.UnknownGames > 0 {
		faults = append(faults, fmt.Sprintf("mailbox: %d letters are for games, but this database has never held a game: they stay in the inbox; if games are missing, restore a backup", i.UnknownGames))
	}
	if i.DeadlinesNotKept != nil {
		faults = append(faults, "clock: deadlines are not kept: the log says why") // the reason names games
	}
	if i.OutboxNotSent != nil {
		faults = append(faults, "sending: letters can't be taken from the outbox, or noted as sent: the log says why")
	}
	return faults
}

func (w *watch) illMailbox(what string, h mail.Health, now time.Time) (faults []string) {
	switch {
	case !h.Connected && now.Sub(w.begun) > 30*time.Second:
		faults = append(faults, what+": not connected")
	case h.Connected && now.Sub(h.LastContact) > contactLimit:
		faults = append(faults, what+": the server has been silent since "+h.LastContact.UTC().Format(time.RFC3339))
	}
	if h.Waiting > 0 {
		faults = append(faults, fmt.Sprintf("%s: %d letters could not be taken in", what, h.Waiting))
	}
	return faults
}

func illDatabase(i adjudicator.Ills) (faults []string) {
	if i.FileSwapped != nil {
		faults = append(faults, "database: "+i.FileSwapped.Error()+"; no letter is taken in")
	}
	if i.WriteFailed != nil && !errors.Is(i.WriteFailed, syscall.ENOSPC) {
		faults = append(faults, "database: the last write failed: "+i.WriteFailed.Error())
	}
	if i.ReadingNotNoted != nil {
		faults = append(faults, "mailbox: it was read, but that could not be noted: no deadline passes; the log says why")
	}
	return faults
}

// illDisk tells whether the disk is full, or so nearly full that the next write may fail.
func (w *watch) illDisk(i adjudicator.Ills) []string {
	if errors.Is(i.WriteFailed, syscall.ENOSPC) {
		return []string{"disk: full: no letter is taken in, but none is lost"}
	}
	if free, err := diskFree(w.data); err == nil && free < scarceDisk {
		return []string{fmt.Sprintf("disk: %d MiB free", free>>20)}
	}
	return nil
}

// illMembers tells which members of the office are silent, and that there is no leader.
func (w *watch) illMembers() (faults []string) {
	leads := false
	for _, m := range w.office.Seat.Members() {
		switch silent := m.Silent > leader.DeadAfter; {
		case silent:
			faults = append(faults, fmt.Sprintf("members: %s has been silent for %s", m.Name, m.Silent.Round(time.Second)))
		case m.Ahead > leader.MostSkew:
			faults = append(faults, fmt.Sprintf("members: the clock of %s is %s ahead of this one's: set the wrong one right; deadlines wait for the slower clock", m.Name, m.Ahead.Round(time.Second)))
		case -m.Ahead > leader.MostSkew:
			faults = append(faults, fmt.Sprintf("members: the clock of %s is %s behind this one's: set the wrong one right; deadlines wait for the slower clock", m.Name, -m.Ahead.Round(time.Second)))
		}
		leads = leads || m.Leads && m.Silent <= leader.DeadAfter
	}
	if seat := w.office.Seat; seat != nil && seat.Leads() {
		if by := seat.BehindGone(); by > 0 {
			faults = append(faults, fmt.Sprintf("members: the clock of one that has gone was %s behind this one's: see that this one is right, and start that member, or this one, again; until then deadlines wait for that clock", by.Round(time.Second)))
		}
	}
	if !leads && len(w.office.Seat.Members()) > 0 && time.Since(w.begun) > 2*leader.DeadAfter {
		faults = append(faults, "members: none of them leads")
	}
	return faults
}

// membership says who leads, and who does what, for a monitor that asks a member of an office.
func (w *watch) membership() (lines []string) {
	for _, m := range w.office.Seat.Members() {
		var what []string
		if m.Leads {
			what = append(what, "leads")
		}
		if m.Shares > 0 {
			what = append(what, fmt.Sprintf("has %d of %d shares", m.Shares, leader.Shares))
		}
		if len(m.Mailboxes) > 0 {
			what = append(what, "reads "+strings.Join(m.Mailboxes, " and "))
		}
		if what == nil {
			what = []string{"stands by"}
		}
		if m.Silent > leader.DeadAfter {
			what = append(what, "is silent")
		}
		lines = append(lines, fmt.Sprintf("member %s %s (version %s, clock %+.1f s)", m.Name, strings.Join(what, ", "), m.Version, m.Ahead.Seconds()))
	}
	if len(lines) == 0 {
		return nil
	}
	for _, box := range w.everyMailbox() {
		line := "mailbox " + box.Address + ": nobody reads it"
		if box.By != "" {
			line = fmt.Sprintf("mailbox %s: read by %s", box.Address, box.By)
		}
		if box.Read >= 0 {
			line += fmt.Sprintf(", to its end %.0f s ago", box.Read.Seconds())
		}
		lines = append(lines, fmt.Sprintf("%s, %d letters wait", line, box.Waiting))
	}
	return lines
}
