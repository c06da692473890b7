package templates

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"berthier/engine"
	"berthier/orders/phrase"

	"pgregory.net/rapid"
)

// readCalendar reads a calendar object as RFC 5545 says: lines end in CRLF and
// have at most 75 bytes; a line that begins with a space goes on the one before
// it; values of texts are escaped.
func readCalendar(data []byte) (map[string]string, error) {
	text := string(data)
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("no UTF-8")
	}
	if !strings.HasSuffix(text, "\r\n") {
		return nil, fmt.Errorf("the last line has no end")
	}
	var lines []string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") {
			return nil, fmt.Errorf("line %q", line)
		}
		if !utf8.ValidString(line) {
			return nil, fmt.Errorf("line %q is cut in a character", line)
		}
		if rest, folded := strings.CutPrefix(line, " "); folded && len(lines) > 0 {
			lines[len(lines)-1] += rest
		} else {
			lines = append(lines, line)
		}
	}
	values, depth := map[string]string{}, ""
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line %q has no value", line)
		}
		switch name {
		case "BEGIN":
			depth += "/" + value
			continue
		case "END":
			if !strings.HasSuffix(depth, "/"+value) {
				return nil, fmt.Errorf("%s ends in %s", value, depth)
			}
			depth = strings.TrimSuffix(depth, "/"+value)
			continue
		}
		if _, twice := values[depth+" "+name]; twice {
			return nil, fmt.Errorf("%s stands twice", name)
		}
		var plain strings.Builder
		for i := 0; i < len(value); i++ {
			if value[i] == '\\' && i+1 < len(value) {
				i++
				if value[i] == 'n' || value[i] == 'N' {
					plain.WriteByte('\n')
					continue
				}
			}
			plain.WriteByte(value[i])
		}
		values[depth+" "+name] = plain.String()
	}
	if depth != "" {
		return nil, fmt.Errorf("%s does not end", depth)
	}
	return values, nil
}

// Every letter that tells a deadline carries it for calendars: one entry, known
// by its UID, in UTC, whatever the reader's zone.
func TestCalendarInLetters(t *testing.T) {
	w := sampleWords(t)
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Fatal(err)
	}
	h := Heading{Reader: Reader{Language: "it", Zone: rome}, Game: "ligny-7", Title: "Hundred Days; or, the end", Side: "french",
		Now: time.Date(2026, 10, 20, 9, 0, 0, 0, time.UTC)}
	o := Owed{Stop: 3, Decision: engine.Decision{Side: "french", Kind: "move"}, Deadline: time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC),
		Calendar: Calendar{UID: "stop.abc@berthier.club.example", Organizer: "orders@club.example", Sequence: 2}}
	letters := map[string]Letter{
		"report":   w.Report(Report{Heading: h, Owed: &o}),
		"notice":   w.Notice(Notice{Heading: h, Subject: phrase.Say("office.late.subject"), Owed: &o}),
		"refused":  w.Refused(Refused{Heading: h, Owed: &o}),
		"accepted": w.Accepted(Accepted{Heading: h, Owed: o, Waiting: true}),
	}
	for name, letter := range letters {
		var file *File
		for i := range letter.Files {
			if strings.HasSuffix(letter.Files[i].Name, ".ics") {
				file = &letter.Files[i]
			}
		}
		if file == nil || file.Name != "ligny-7-stop3.ics" || file.Type != "text/calendar; charset=utf-8; method=PUBLISH" {
			t.Fatalf("%s: %+v", name, file)
		}
		if !strings.Contains(letter.Text, "02:30 CET (UTC+1)") {
			t.Errorf("%s does not tell the time by the reader's clock:\n%s", name, letter.Text)
		}
		got, err := readCalendar(file.Data)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, file.Data)
		}
		for key, want := range map[string]string{
			"/VCALENDAR METHOD": "PUBLISH", "/VCALENDAR VERSION": "2.0", "/VCALENDAR/VEVENT UID": o.Calendar.UID,
			"/VCALENDAR/VEVENT SEQUENCE": "2", "/VCALENDAR/VEVENT DTSTART": "20261025T013000Z", "/VCALENDAR/VEVENT DTSTAMP": "20261020T090000Z",
			"/VCALENDAR/VEVENT ORGANIZER": "mailto:orders@club.example",
		} {
			if got[key] != want {
				t.Errorf("%s: %s is %q, want %q", name, key, got[key], want)
			}
		}
		if s := got["/VCALENDAR/VEVENT SUMMARY"]; !strings.Contains(s, "Hundred Days; or, the end") || !strings.Contains(s, "domanda 3") {
			t.Errorf("%s: summary %q", name, s)
		}
	}
	// None without a deadline, when all is over, and without a UID.
	for _, l := range []Letter{
		w.Report(Report{Heading: h}),
		w.Report(Report{Heading: h, Owed: &Owed{Stop: 3, Decision: o.Decision, Calendar: o.Calendar}}),
		w.Report(Report{Heading: h, Owed: &Owed{Stop: 3, Decision: o.Decision, Deadline: o.Deadline}}),
		w.Accepted(Accepted{Heading: h, Owed: o}),
	} {
		for _, f := range l.Files {
			if strings.HasSuffix(f.Name, ".ics") {
				t.Errorf("%s carries %s", l.Subject, f.Name)
			}
		}
	}
}

// Whatever stands in it, the file is read back as it was meant.
func TestCalendarText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := calendarEvent{
			uid: "stop.x@y.example", organizer: rapid.String().Draw(t, "organizer"), sequence: rapid.IntRange(0, 1000).Draw(t, "sequence"),
			written: time.Unix(0, 0), at: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "at"), 0),
			summary: strings.ReplaceAll(rapid.String().Draw(t, "summary"), "\r", ""), description: rapid.StringN(0, 300, -1).Draw(t, "description"),
		}
		got, err := readCalendar(e.write())
		if err != nil {
			t.Fatalf("%v\n%q", err, e.write())
		}
		if got["/VCALENDAR/VEVENT SUMMARY"] != e.summary {
			t.Fatalf("summary %q, want %q", got["/VCALENDAR/VEVENT SUMMARY"], e.summary)
		}
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(e.description)
		if got["/VCALENDAR/VEVENT DESCRIPTION"] != want {
			t.Fatalf("description %q, want %q", got["/VCALENDAR/VEVENT DESCRIPTION"], want)
		}
	})
}
