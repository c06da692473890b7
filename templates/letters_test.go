package templates

import (
	"encoding/xml"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"berthier/engine"
	"berthier/engine/whatif"
	"berthier/orders"
	"berthier/orders/phrase"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

func sampleWords(tb testing.TB) *Words {
	tb.Helper()
	w, err := New(map[string]fs.FS{"sample": fstest.MapFS{
		"en.yaml": {Data: []byte(sampleEn)},
		"it.yaml": {Data: []byte(sampleIt)},
	}})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("%s differs at line %d (run with -update if that is right)\n got: %q\nwant: %q", path, i+1, at(b, i), at(a, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

func sampleLetters(w *Words, language string) map[string]Letter {
	over := sampleReport(language)
	over.Owed, over.Outcome = nil, &engine.Outcome{
		Winners: []engine.Side{"french"}, Clause: "NAP-10.1",
		Reason: phrase.Say("smp.end", phrase.Names("towns", "town", []string{"brussels", "ghent"})),
	}
	waiting := sampleReport(language)
	waiting.Owed, waiting.Waiting, waiting.Rolled, waiting.Happened = nil, true, "", nil
	waiting.Page.Sections = nil
	draft := sampleAccepted(language)
	draft.Draft, draft.Repairs, draft.Replaces = true, nil, nil
	resolved := sampleAccepted(language)
	resolved.Waiting, resolved.Repairs, resolved.Replaces = false, nil, sampleNormal("Ligny")
	differs := sampleAccepted(language)
	differs.Repairs, differs.Differ = nil, []phrase.Phrase{
		phrase.Say("play.change", phrase.Name("of", "unit", "F-03"), phrase.Literals("now", []string{"Ligny"}), phrase.Literals("was", []string{"Fleurus"})),
		phrase.Say("play.change-gone", phrase.Literals("was", []string{"then ask"})),
	}
	first := sampleRefused(language)
	first.InForce, first.Owed, first.Problems = nil, nil, first.Problems[:1]
	return map[string]Letter{
		"report": w.Report(sampleReport(language)), "report-over": w.Report(over), "report-waiting": w.Report(waiting),
		"accepted": w.Accepted(sampleAccepted(language)), "accepted-draft": w.Accepted(draft), "accepted-resolved": w.Accepted(resolved), "accepted-differs": w.Accepted(differs),
		"refused": w.Refused(sampleRefused(language)), "refused-stray": w.Refused(first), "refused-mended": w.Refused(sampleMended(language)),
		"notice": w.Notice(sampleNotice(language)),
	}
}

func TestLetters(t *testing.T) {
	w := sampleWords(t)
	for _, language := range Languages {
		for name, letter := range sampleLetters(w, language) {
			t.Run(name+"."+language, func(t *testing.T) {
				golden(t, name+"."+language+".txt", "Subject: "+letter.Subject+"\n\n"+letter.Text)
				golden(t, name+"."+language+".html", letter.HTML)
				checkLetter(t, letter)
			})
		}
	}
}

// checkLetter holds what is true of every letter, whatever it is made of.
func checkLetter(t interface {
	Helper()
	Fatalf(string, ...any)
}, l Letter) {
	t.Helper()
	if !strings.HasPrefix(l.Subject, "[") || strings.ContainsFunc(l.Subject, func(c rune) bool { return unicode.IsControl(c) || hidden(c) }) {
		t.Fatalf("subject %q", l.Subject)
	}
	if n := len([]rune(l.Subject)); n > 160 {
		t.Fatalf("subject of %d characters: %q", n, l.Subject)
	}
	inFile := false
	begins := 0
	for i, line := range strings.Split(l.Text, "\n") {
		for _, c := range line {
			// What an order file may hold is for the orders package to say.
			if unicode.IsControl(c) || hidden(c) && !inFile {
				t.Fatalf("line %d of the text has %U", i+1, c)
			}
		}
		switch {
		case strings.HasPrefix(line, orders.BeginMark("en")), strings.HasPrefix(line, orders.BeginMark("it")):
			inFile = true
			begins++
		case line == orders.EndMark("en"), line == orders.EndMark("it"):
			inFile = false
		case inFile, strings.HasPrefix(line, "    "), strings.HasPrefix(line, "  - "), strings.HasPrefix(line, "  + "):
		case columns(line) > lineWidth:
			t.Fatalf("line %d of the text has %d columns: %q", i+1, columns(line), line)
		case strings.HasSuffix(line, " "):
			t.Fatalf("line %d of the text ends in a blank: %q", i+1, line)
		}
	}
	files := 0
	for _, f := range l.Files {
		if f.Type == "application/yaml" {
			files++
		}
		if !regexp.MustCompile(`^[A-Za-z0-9._-]+$`).MatchString(f.Name) {
			t.Fatalf("file name %q", f.Name)
		}
	}
	if begins > 1 || begins != files {
		t.Fatalf("%d order files in the text, %d attached", begins, files)
	}
	checkHTML(t, l)
}

var allowedTags = strings.Fields("html head meta title style body table tr td th div h1 h2 p ol li span pre b br img details summary")

// checkHTML reads the HTML as strictly as XML is read, but for the tags that
// HTML leaves open, and lets no tag, attribute or address through that a letter
// does not need.
func checkHTML(t interface {
	Helper()
	Fatalf(string, ...any)
}, l Letter) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(l.HTML))
	d.Strict = false
	d.AutoClose = []string{"meta", "br", "img"}
	d.Entity = xml.HTMLEntity
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("html: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if !slices.Contains(allowedTags, name) {
				t.Fatalf("html has a tag %q", name)
			}
			open = append(open, name)
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "src":
					if !slices.ContainsFunc(l.Scenes, func(s Scene) bool { return a.Value == "cid:"+s.Name }) {
						t.Fatalf("html shows %q", a.Value)
					}
				case "style", "class", "role", "width", "cellpadding", "cellspacing", "border", "align", "valign", "scope",
					"alt", "lang", "charset", "name", "content", "value":
					if strings.Contains(a.Value, "url(") {
						t.Fatalf("html fetches %q", a.Value)
					}
				default:
					t.Fatalf("html has an attribute %q", a.Name.Local)
				}
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != e.Name.Local {
				t.Fatalf("html ends %q in %v", e.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) != 0 {
		t.Fatalf("html leaves %v open", open)
	}
}

// TestSubjectsTellNothing compares the subjects of reports that differ in all
// but what the side owes.
func TestSubjectsTellNothing(t *testing.T) {
	w := sampleWords(t)
	for _, language := range Languages {
		a := sampleReport(language)
		b := a
		b.Happened, b.Page, b.Rolled, b.Waiting = nil, engine.Page{}, "", true
		b.Entry, b.Hash = 999, "ffff"
		la, lb := w.Report(a), w.Report(b)
		if la.Subject != lb.Subject {
			t.Errorf("%q and %q", la.Subject, lb.Subject)
		}
		if la.Files[0].Name != lb.Files[0].Name || la.Files[0].Name != "ligny-7-stop12.yaml" {
			t.Errorf("%q and %q", la.Files[0].Name, lb.Files[0].Name)
		}
	}
}

func TestSameInformationInBoth(t *testing.T) {
	w := sampleWords(t)
	tags := regexp.MustCompile(`(?s)<style>.*?</style>|<title>.*?</title>|<[^>]*>`)
	words := regexp.MustCompile(`[\pL\pN]{4,}`)
	for name, l := range sampleLetters(w, "en") {
		html := strings.ToLower(strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(tags.ReplaceAllString(l.HTML, " ")))
		for _, word := range words.FindAllString(strings.ToLower(l.Text), -1) {
			if !strings.Contains(html, word) && !strings.Contains(strings.ToLower(l.HTML), word) && word != "picture" {
				t.Errorf("%s: %q stands in the text and not in the HTML", name, word)
			}
		}
	}
}

// TestOrderFileComesBack answers a report as players do: the file filled in, in
// the quoted text or the HTML's or attached, must be found as it was meant.
func TestOrderFileComesBack(t *testing.T) {
	l := sampleWords(t).Report(sampleReport("en"))
	filled := strings.Replace(l.Text, "F-07: hold", "F-07: fire", 1)
	quoted := "My orders are below.\n\n> " + strings.ReplaceAll(filled, "\n", "\n> ")
	attached := strings.Replace(string(l.Files[0].Data), "F-07: hold", "F-07: fire", 1)
	for _, c := range []struct {
		name string
		part orders.Part
	}{
		{"text", orders.Part{Kind: orders.Plain, Text: filled}},
		{"quoted", orders.Part{Kind: orders.Plain, Text: quoted}},
		{"attached", orders.Part{Kind: orders.File, Name: l.Files[0].Name, Text: attached}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, problems := orders.Find([]orders.Part{c.part})
			if len(problems) > 0 || found.Untouched || !strings.Contains(found.Text, "F-07: fire") || strings.Contains(found.Text, "How to answer") {
				t.Errorf("%v: found %q", problems, found.Text)
			}
		})
	}
}

// nasty are pieces that strings of bad will are made of.
var nasty = []string{
	"<script>alert(1)</script>", "<img src=x onerror=y>", "\"><b>", "'", "&amp;", "</pre></table>", "-->", "<!--", "]]>",
	"\r\nBcc: all@example.org\r\n\r\n", "\n.\n", "\n-- \n", "\x00\x01\x1b[31m\x7f", "\u202e\u2066gnirts\u2069", "\u200b\u200e\ufeff", "\u2028\u2029\u0085",
	"e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "\U000e0041\U000e0042", "\xff\xfe\xc3", "{name}", "{n|a|b}", "{", "}", "\\", "|",
	"日本語テキスト", "Łódź", "שלום", "a", " ", "\t", "\u00a0", "----------", "==========", "word", "# no comment", ": ", "- ", "> ", "%s%n", "cid:map",
	orders.BeginMark("en"), orders.Frame("it", "orders: none"), orders.EndMark("it"), strings.Repeat("long", 200), strings.Repeat("x ", 300), "```", "~~~",
}

func nastyText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(nasty), rapid.String()), 0, 6).Draw(t, "pieces"), "")
	})
}

// TestHostileText puts strings of bad will wherever a person can type one.
func TestHostileText(t *testing.T) {
	w := sampleWords(t)
	rapid.Check(t, func(t *rapid.T) {
		text := func(what string) string { return nastyText().Draw(t, what) }
		language := rapid.SampledFrom(Languages).Draw(t, "language")
		h := sampleHeading(language)
		h.Reader.Name, h.Game, h.Title, h.System, h.Hash = text("name"), text("game"), text("title"), text("system"), text("hash")
		spelled := text("spelled")
		h.Spell = func(kind, id, language string) string { return spelled }
		owed := sampleOwed()
		owed.Template = orders.Mapping().Set("game", orders.Text("x")).Set("note", orders.Text(text("note")))
		owed.Decision.At = text("at")
		page := samplePage()
		page.Sections[0].Picture.Name = text("scene")
		for _, row := range page.Sections[1].Tables[0].Rows {
			row[0] = phrase.Value{Kind: phrase.KindLiteral, Text: text("cell")}
		}
		literal := phrase.Say(text("code"), phrase.Literal(text("place"), text("literal")))
		checkLetter(t, w.Report(Report{
			Heading: h, Owed: owed, Page: page, Rolled: text("rolled"),
			Happened: []Told{{text("clause"), literal, 0}, {"", phrase.Say("smp.no-town", phrase.Literal("name", text("literal"))), 0}},
			Outcome:  &engine.Outcome{Winners: []engine.Side{engine.Side(text("winner"))}, Reason: literal, Clause: text("clause")},
		}))
		normal := orders.Mapping().Set("note", orders.Text("x"))
		checkLetter(t, w.Accepted(Accepted{Heading: h, Owed: *owed, Normal: normal, Repairs: []orders.Repair{{Line: 1, Was: text("was"), ReadAs: text("read as")}},
			WhatIf: &whatif.Spread{Runs: 9, Told: []whatif.Tally{{Clause: text("clause"), Say: literal, Others: 2, Times: 3}, {Others: 4, Times: 5}}, Rest: 1,
				Ends: []whatif.End{{Outcome: engine.Outcome{Winners: []engine.Side{engine.Side(text("winner"))}, Reason: literal}, Times: 1}},
				Next: []whatif.Next{{Decision: owed.Decision, Times: 2}}, Open: 6}}))
		r := sampleRefused(language)
		r.Heading, r.Owed, r.Source = h, owed, text("source")+"\n"+text("source")+"\n"+text("source")
		for i := range r.Problems {
			r.Problems[i].Line, r.Problems[i].Column = rapid.IntRange(-1, 9).Draw(t, "line"), rapid.IntRange(-1, 900).Draw(t, "column")
			r.Problems[i].Clause, r.Problems[i].Remedy = text("clause"), literal
		}
		checkLetter(t, w.Refused(r))
		checkLetter(t, w.Notice(Notice{Heading: h, Subject: literal, Lines: []phrase.Phrase{literal}, Texts: []string{text("text")}, Owed: owed, Page: &page}))
	})
}

func TestManyFaults(t *testing.T) {
	r := sampleRefused("en")
	for len(r.Problems) < 1000 {
		r.Problems = append(r.Problems, r.Problems[0])
	}
	l := sampleWords(t).Refused(r)
	if !strings.Contains(l.Subject, "1000 faults") || !strings.Contains(l.Text, "And 900 more.") || len(l.HTML) > 100_000 {
		t.Errorf("%s: %d bytes of HTML", l.Subject, len(l.HTML))
	}
}

func TestDates(t *testing.T) {
	w := sampleWords(t)
	moment := time.Date(2026, 11, 1, 19, 5, 0, 0, time.UTC)
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		language    string
		zone        *time.Location
		long, short string
	}{
		{"en", nil, "Sunday 1 November 2026, 19:05 UTC", "Sun 1 Nov 19:05 UTC"},
		{"en", brussels, "Sunday 1 November 2026, 20:05 CET (UTC+1)", "Sun 1 Nov 20:05 CET"},
		{"it", brussels, "domenica 1º novembre 2026, ore 20:05 CET (UTC+1)", "dom 1 nov 20:05 CET"},
		{"it-CH", time.FixedZone("+0545", 5*3600+45*60), "lunedì 2 novembre 2026, ore 00:50 UTC+5:45", "lun 2 nov 00:50 UTC+5:45"},
		{"fr", time.FixedZone("", -3*3600-30*60), "Sunday 1 November 2026, 15:35 UTC-3:30", "Sun 1 Nov 15:35 UTC-3:30"},
	} {
		if got := w.Date(c.language, moment, c.zone); got != c.long {
			t.Errorf("%s: %q, want %q", c.language, got, c.long)
		}
		if got := w.ShortDate(c.language, moment, c.zone); got != c.short {
			t.Errorf("%s: %q, want %q", c.language, got, c.short)
		}
	}
	for _, c := range []struct {
		left   time.Duration
		en, it string
	}{
		{51*time.Hour + 59*time.Minute, "in 2 days 3 hours", "tra 2 giorni e 3 ore"},
		{24 * time.Hour, "in 1 day", "tra 1 giorno"},
		{61 * time.Minute, "in 1 hour 1 minute", "tra 1 ora e 1 minuto"},
		{59*time.Minute + 59*time.Second, "in 59 minutes", "tra 59 minuti"},
		{20 * time.Second, "within the minute", "entro un minuto"},
		{-3 * time.Hour, "3 hours ago", "3 ore fa"},
	} {
		if got := w.Until("en", moment, moment.Add(c.left)); got != c.en {
			t.Errorf("%v: %q, want %q", c.left, got, c.en)
		}
		if got := w.Until("it", moment, moment.Add(c.left)); got != c.it {
			t.Errorf("%v: %q, want %q", c.left, got, c.it)
		}
	}
}

func TestChanges(t *testing.T) {
	lines := func(n int, of string) string { return strings.Repeat(of+"\n", n) }
	for _, c := range []struct {
		name, before, after, want string
	}{
		{"equal", "a\nb", "a\nb", ""},
		{"middle", "a\nb\nc\nd\ne", "a\nb\nx\nd\ne", " b -c +x  d"},
		{"added", "a\nb", "a\nb\nc", " b +c"},
		{"all", "a", "b", "-a +b"},
		{"huge", lines(2000, "a"), lines(2000, "b"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range changes(c.before, c.after) {
				got = append(got, string(l.sign)+l.text)
			}
			if c.name == "huge" {
				if len(got) != 4001 {
					t.Errorf("%d lines", len(got))
				}
				return
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", strings.Join(got, " "), c.want)
			}
		})
	}
}

func BenchmarkReport(b *testing.B) {
	w := sampleWords(b)
	r := sampleReport("en")
	b.ReportAllocs()
	for b.Loop() {
		w.Report(r)
	}
}

// Confirmations of what still waits, and of drafts, show where pieces come to stand; what was resolved is shown by the report.
func TestConfirmationsShowWherePiecesComeToStand(t *testing.T) {
	w := sampleWords(t)
	for _, c := range []struct {
		name           string
		draft, waiting bool
		shown          bool
	}{{"waiting", false, true, true}, {"draft", true, false, true}, {"resolved", false, false, false}} {
		a := sampleAccepted("en")
		a.Draft, a.Waiting = c.draft, c.waiting
		a.Sketched = []engine.Section{{Picture: sampleScene(), Gist: []phrase.Phrase{phrase.Say("smp.map")}}}
		l := w.Accepted(a)
		if got := len(l.Scenes) == 1 && strings.Contains(l.Text, "Where your pieces come to stand"); got != c.shown {
			t.Errorf("%s: %d pictures\n%s", c.name, len(l.Scenes), l.Text)
		}
	}
}
