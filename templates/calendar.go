package templates

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// calendar attaches a deadline as a file that calendars understand.
func (s *sheet) calendar(o *Owed) {
	if o.Calendar.UID == "" || o.Deadline.IsZero() {
		return
	}
	now := s.head.Now
	if now.IsZero() {
		now = o.Deadline
	}
	game := clean(s.head.Title)
	if game == "" {
		game = clean(s.head.Game)
	}
	event := calendarEvent{
		uid: o.Calendar.UID, organizer: o.Calendar.Organizer, sequence: o.Calendar.Sequence,
		written: now, at: o.Deadline,
		summary: s.say("letter.calendar.summary", append(s.stopOf(o), phrase.Literal("game", game))...),
		description: s.say("letter.calendar.what", append(s.stopOf(o), phrase.Literal("game", clean(s.head.Game)),
			phrase.Literal("by", s.words.Date(s.language, o.Deadline, s.head.Reader.Zone)))...),
	}
	s.files = append(s.files, File{
		Name: fileName(s.head.Game) + "-stop" + strconv.Itoa(o.Stop) + ".ics",
		Type: "text/calendar; charset=utf-8; method=PUBLISH", Data: event.write(),
	})
}

// A calendarEvent is one entry of a calendar: a moment, not a span. It does not
// make anybody busy.
type calendarEvent struct {
	uid, organizer       string
	sequence             int
	written, at          time.Time
	summary, description string
}

// write gives the entry as a calendar object of RFC 5545, published by the rules
// of RFC 5546. Moments are written in UTC, so that no calendar needs to know when
// a zone changes its clocks.
func (e calendarEvent) write() []byte {
	const moment = "20060102T150405Z"
	var w calendarWriter
	w.line("BEGIN:VCALENDAR")
	w.line("VERSION:2.0")
	w.line("PRODID:-//Berthier//Deadlines//EN")
	w.line("CALSCALE:GREGORIAN")
	w.line("METHOD:PUBLISH")
	w.line("BEGIN:VEVENT")
	w.line("UID:" + calendarText(e.uid))
	w.line("SEQUENCE:" + strconv.Itoa(e.sequence))
	w.line("DTSTAMP:" + e.written.UTC().Format(moment))
	w.line("DTSTART:" + e.at.UTC().Format(moment))
	if e.organizer != "" {
		w.line("ORGANIZER:mailto:" + calendarURI(e.organizer))
	}
	w.line("SUMMARY:" + calendarText(e.summary))
	w.line("DESCRIPTION:" + calendarText(e.description))
	w.line("TRANSP:TRANSPARENT")
	w.line("END:VEVENT")
	w.line("END:VCALENDAR")
	return []byte(w.String())
}

// calendarText escapes a text (RFC 5545, 3.3.11).
func calendarText(text string) string { return calendarEscapes.Replace(text) }

var calendarEscapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

// calendarURI leaves out of an address what would end the line or the value.
func calendarURI(address string) string {
	return strings.Map(func(c rune) rune {
		if c <= ' ' || c == 0x7f || c == '"' {
			return -1
		}
		return c
	}, address)
}

// A calendarWriter writes lines of at most 75 bytes: longer ones are folded
// between characters (RFC 5545, 3.1).
type calendarWriter struct{ strings.Builder }

func (w *calendarWriter) line(text string) {
	const longest = 75
	room := longest
	for len(text) > room {
		cut := room
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		if cut == 0 {
			cut = room // no character is so long; the text is not UTF-8
		}
		w.WriteString(text[:cut] + "\r\n ")
		text, room = text[cut:], longest-1
	}
	w.WriteString(text + "\r\n")
}
