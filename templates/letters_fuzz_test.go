package templates

import (
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// shownTags are all elements that a letter's HTML may be made of.
var shownTags = map[string]bool{"html": true, "head": true, "body": true, "title": true, "meta": true, "style": true, "p": true, "h1": true, "h2": true, "h3": true,
	"table": true, "thead": true, "tbody": true, "tr": true, "td": true, "th": true, "pre": true, "ul": true, "ol": true, "li": true, "div": true, "span": true,
	"img": true, "details": true, "summary": true, "b": true, "strong": true, "em": true, "br": true, "code": true, "hr": true, "blockquote": true, "small": true, "caption": true, "a": true, "i": true}

// FuzzLetters puts texts of bad will wherever a person can have one set: names,
// titles, notes, press, what he wrote in an order file. What comes of it can't
// pass for the office's own words, holds nothing that hides or turns the
// direction of writing, and no element that the office did not write.
func FuzzLetters(f *testing.F) {
	w := sampleWords(f)
	for _, s := range append(append([]string(nil), nasty...), "\u202eevil\u2066", "<script>alert(1)</script>", "a\r\nBcc: b@c.test", "# ===== ORDERS / ORDINI 00000000 =====\ngame: x\n", "]]>--><img src=x onerror=y>", "zalgo\u0300\u0301\u0302\u0303\u0304\u0305") {
		for kind := range uint8(4) {
			f.Add(s, s, s, kind)
			f.Add("plain", s, "game: x\n"+s+"\n", kind+4)
		}
	}
	f.Fuzz(func(t *testing.T, name, title, source string, kind uint8) {
		language := "en"
		if kind&4 != 0 {
			language = "it"
		}
		h := sampleHeading(language)
		h.Reader.Name, h.Title = name, title
		literal := phrase.Say("smp.no-town", phrase.Literal("name", source))
		owed := sampleOwed()
		owed.Template = orders.Mapping().Set("game", orders.Text("x")).Set("note", orders.Text(source))
		page := samplePage()
		for _, row := range page.Sections[1].Tables[0].Rows {
			row[0] = phrase.Value{Kind: phrase.KindLiteral, Text: source}
		}
		refused := sampleRefused(language)
		refused.Heading, refused.Source = h, source
		var l Letter
		switch kind % 4 {
		case 0:
			l = w.Report(Report{Heading: h, Owed: owed, Page: page, Happened: []Told{{"", literal, 0}}, Outcome: &engine.Outcome{Reason: literal}})
		case 1:
			l = w.Accepted(Accepted{Heading: h, Owed: *owed, Normal: orders.Mapping().Set("note", orders.Text(source)), Repairs: []orders.Repair{{Line: 1, Was: name, ReadAs: source}}})
		case 2:
			l = w.Refused(refused)
		default:
			l = w.Notice(Notice{Heading: h, Subject: literal, Lines: []phrase.Phrase{literal}, Texts: []string{source}, Owed: owed})
		}
		checkLetter(t, l)
		if !utf8.ValidString(l.Subject + l.Text + l.HTML) {
			t.Fatal("not UTF-8")
		}
		checkTags(t, l.HTML)
	})
}

// checkTags demands that HTML holds nothing that acts or fetches.
func checkTags(t *testing.T, src string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.CommentToken:
			t.Fatalf("a comment: %q", z.Token().Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := z.Token()
			if !shownTags[tag.Data] {
				t.Fatalf("element %s", tag.Data)
			}
			for _, a := range tag.Attr {
				if strings.HasPrefix(a.Key, "on") {
					t.Fatalf("attribute %s of %s", a.Key, tag.Data)
				}
				if a.Key == "src" && !strings.HasPrefix(a.Val, "cid:") && !strings.HasPrefix(a.Val, "data:image/") {
					t.Fatalf("%s fetches %q", tag.Data, a.Val)
				}
				if a.Key == "href" {
					if u, err := url.Parse(a.Val); err != nil || u.Scheme != "" && u.Scheme != "mailto" {
						t.Fatalf("%s leads to %q", tag.Data, a.Val)
					}
				}
				if a.Key == "style" && (strings.Contains(a.Val, "url(") || strings.Contains(a.Val, "expression")) {
					t.Fatalf("style %q", a.Val)
				}
			}
		}
	}
}

// FuzzCalendar: whatever a game is called, the entry for calendars is one entry,
// in lines of the length allowed, which says what it should.
func FuzzCalendar(f *testing.F) {
	w := sampleWords(f)
	f.Add("Hundred Days; or, the end", "stop.a@b.test", "orders@club.example", 2, int64(1_700_000_000))
	f.Add("x\r\nEND:VEVENT\r\nBEGIN:VALARM", "a@b", "a\"b@c.test", -1, int64(0))
	f.Add(strings.Repeat("è\\,;\u202e", 60), "u", "", 1<<40, int64(1)<<40)
	f.Fuzz(func(t *testing.T, title, uid, organizer string, sequence int, at int64) {
		if uid == "" || at < 0 || at > 1<<37 || !utf8.ValidString(organizer) || strings.ContainsFunc(uid+organizer, func(c rune) bool { return c < '!' || c > '~' || c == '\\' }) {
			return // the office makes these itself, of checked parts
		}
		h := sampleHeading("en")
		h.Title = title
		o := sampleOwed()
		o.Deadline = time.Unix(at, 0)
		o.Calendar = Calendar{UID: uid, Organizer: organizer, Sequence: sequence}
		letter := w.Notice(Notice{Heading: h, Subject: phrase.Say("office.late.subject"), Owed: o})
		seen := false
		for _, file := range letter.Files {
			if !strings.HasSuffix(file.Name, ".ics") {
				continue
			}
			seen = true
			if !utf8.Valid(file.Data) {
				t.Fatalf("not UTF-8: %q", file.Data)
			}
			got, err := readCalendar(file.Data)
			if err != nil {
				t.Fatalf("%v\n%s", err, file.Data)
			}
			if n := strings.Count(string(file.Data), "\r\nBEGIN:"); n != 1 {
				t.Fatalf("%d pieces:\n%s", n, file.Data)
			}
			if got["/VCALENDAR/VEVENT UID"] != uid {
				t.Fatalf("%q is called %q", uid, got["/VCALENDAR/VEVENT UID"])
			}
			if s := got["/VCALENDAR/VEVENT SUMMARY"]; strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || hidden(c) }) {
				t.Fatalf("summary %q", s)
			}
		}
		if !seen {
			t.Fatal("no entry")
		}
	})
}
