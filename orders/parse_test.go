package orders

import (
	"fmt"
	"strings"
	"testing"

	"berthier/orders/phrase"
)

// tell writes problems as "line:column code(args) -> remedy(args)", a line each.
func tell(ps Problems) string {
	var b strings.Builder
	for _, p := range ps {
		fmt.Fprintf(&b, "%d:%d %s", p.Line, p.Column, tellPhrase(p.Why))
		if !p.Remedy.IsZero() {
			b.WriteString(" -> " + tellPhrase(p.Remedy))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func tellPhrase(p phrase.Phrase) string {
	var args []string
	for _, a := range p.Args {
		switch a.Value.Kind {
		case phrase.KindNumber:
			args = append(args, fmt.Sprint(a.Value.Num))
		case phrase.KindList:
			args = append(args, fmt.Sprintf("%d texts", len(a.Value.List)))
		case phrase.KindPhrase:
			args = append(args, tellPhrase(*a.Value.Say))
		default:
			args = append(args, a.Value.Text)
		}
	}
	return strings.TrimPrefix(p.Code, "order.") + "(" + strings.Join(args, "|") + ")"
}

// Faults of form: each with its place and what to do about it, all at once.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"space after colon", "game:ligny-7\nside: french\n", `1:5 space-after-colon() -> write(game: ligny-7)`},
		{"space after colon in braces", "orders: {from:Charleroi, to: Ligny}\n", `1:14 space-after-colon() -> write(from: Charleroi)`},
		{"space after quoted key", "orders: {\"from\":Charleroi}\n", `1:16 space-after-colon() -> write(from: Charleroi})`},
		{"colon missing", "game ligny-7\nside: french\norders none\n", "1:1 colon-missing() -> write(game: ligny-7)\n3:1 colon-missing() -> write(orders: none)"},
		{"two colons", "game: x\nside: french stop: 12\n", `2:18 colon-in-value() -> own-line(stop: 12)`},
		{"colon in a text", "game: x\norders:\n  - say: one: two\n", `3:13 colon-in-value() -> write-quotes("one: two")`},
		{"a key without its colon", "game: x\nside: y\nstop: 1\norders:\n  - gun: 23\n    target red-7\n", `6:5 stray-line() -> colon-or-comment(target|target: red-7)`},
		{"keys without colons in braces", "game: x\nside: y\nstop: 1\norders:\n  - {gun 23, target red-7}\n", `5:6 colon-missing() -> write(gun: 23)`},
		{"stray line", "game: x\nside: y\nAttack at dawn!\nstop: 3\n", `3:1 stray-line() -> delete-or-comment()`},
		{"bracket open", "orders:\n  - move: {from: A, units: [F-01, F-02}\nside: y\nfinl: no\n",
			"2:39 bracket-wrong(}|[) -> close-with(])\n4:1 unknown-key(finl|15 texts) -> did-you-mean(final)"},
		{"bracket never closed", "orders:\n  - reveal: [F-01, F-02\n  - reveal: F-03:\nnote: x\nsdie: y\n",
			"2:13 bracket-open([) -> close-with(])\n3:17 colon-in-value() -> write-quotes(\"F-03:\")\n5:1 unknown-key(sdie|15 texts) -> did-you-mean(side)"},
		{"brace never closed", "game: x\norders: {deploy: {Ligny: [P-01]}\nstanding: none\n", "2:9 bracket-open({) -> close-with(})"},
		{"bracket too many", "orders: [a, b]]\n", `1:15 bracket-stray(]) -> delete-sign(])`},
		{"bracket alone", "orders: ]\n", `1:9 bracket-stray(]) -> delete-sign(])`},
		{"comma missing", "orders: [\"F-01\" \"F-02\"]\n", `1:17 comma-missing() -> comma-before("F-02"])`},
		{"comma twice", "orders: [F-01,, F-02]\n", `1:15 comma-twice() -> delete-sign(,)`},
		{"dash in brackets", "orders: [- F-01]\n", `1:10 dash-in-brackets() -> delete-sign(-)`},
		{"list without brackets", "orders: [a], [b]\n", `1:12 after-value(, [b]) -> brackets-around()`},
		{"text after value", "orders: \"a\" b\n", `1:13 after-value(b) -> delete-or-comment()`},
		{"quote open", "game: \"ligny\nside: x\nstop: none\n", "1:7 quote-open(\") -> close-with(\")\n3:7 stop-form(none) -> stop-example()"},
		{"escape", "game: \"a\\qb\"\n", `1:9 bad-escape(\q) -> double-backslash()`},
		{"escaped control", "game: \"a\\x07b\"\n", `1:9 control(U+0007) -> delete-char()`},
		{"escaped bidi", "game: \"a\\u202eb\"\n", `1:9 bidi(U+202E) -> delete-char()`},
		{"bidi", "game: a\u202eb\n", `1:8 bidi(U+202E) -> delete-char()`},
		{"control", "game: a\x07b\nside: \x1b[31m\n", "1:8 control(U+0007) -> delete-char()\n2:7 control(U+001B) -> delete-char()"},
		{"not UTF-8", "game: x\nside: fran\xe7ais\n", `2:11 not-utf8() -> send-utf8()`},
		{"tab", "orders:\n  - at: Ligny\n\tactions: none\n", `3:1 tab-indent() -> use-spaces()`},
		{"too deep", "game: x\n  side: y\nstop: 3\n", `2:3 indent-deep(1) -> indent-by(0)`},
		{"uneven list", "orders:\n    - reveal: F-01\n  - reveal: F-02\nstop: 3\n", `3:3 indent-uneven(2) -> indent-by(4)`},
		{"uneven keys", "orders:\n  -   at: Ligny\n    then: ask\n      end: x\n", "3:5 indent-uneven(2) -> indent-by(6)\n4:7 indent-deep(3) -> indent-by(4)"},
		{"item among keys", "game: x\n- reveal: F-01\nside: y\n", `2:1 item-among-keys() -> dash-or-key()`},
		{"key among items", "orders:\n  - reveal: F-01\n  move: none\n", `3:3 key-among-items() -> dash-or-deeper()`},
		{"list behind key", "orders: - reveal: F-01\n", `1:9 list-behind-key() -> next-line()`},
		{"nothing behind a key", "game:\nside: x\norders:\n  - move:\n", "1:1 empty-value(game) -> write-value(game)\n4:5 empty-value(move) -> write-value(move)"},
		{"null words", "game: ~\nside: null\norders: [~]\n", "1:1 empty-value(game) -> write-value(game)\n2:1 empty-value(side) -> write-value(side)\n3:10 empty-item() -> delete-dash()"},
		{"lost indentation", "orders:\nat: Ligny\n", "1:1 empty-value(orders) -> indent-under()\n2:1 unknown-key(at|15 texts)"},
		{"empty dash", "orders:\n  -\n  - reveal: F-01\n", `2:3 empty-item() -> delete-dash()`},
		{"twice", "game: x\nside: y\ngame: z\n", `3:1 key-twice(game) -> see-line(1)`},
		{"twice in two languages", "game: x\npartita: z\n", `2:1 key-twice(partita) -> see-line(1)`},
		{"anchor", "game: &a x\nside: *a\norders: !!str y\nstanding:\n  <<: {a: b}\n",
			"1:7 anchor() -> write-quotes(\"&a x\")\n2:7 alias() -> write-quotes(\"*a\")\n3:9 tag() -> write-quotes(\"!!str y\")\n5:3 merge() -> write-out()"},
		{"reserved", "game: @x\nside: `y`\norders: %z\n", "1:7 reserved(@) -> write-quotes(\"@x\")\n2:7 reserved(`) -> write-quotes(\"`y`\")\n3:9 reserved(%) -> write-quotes(\"%z\")"},
		{"complex key", "game: x\n? a\n: b\n", "2:1 complex-key()\n3:1 stray-line() -> delete-or-comment()"},
		{"second document", "game: x\n---\ngame: y\n", `2:1 second-document() -> one-file()`},
		{"directive", "%YAML 1.2\n---\ngame: x\n", `1:1 directive() -> delete-line()`},
		{"stop", "stop: twelve\n", `1:7 stop-form(twelve) -> stop-example()`},
		{"stop 012x", "stop: 12x\n", `1:7 stop-form(12x) -> stop-example()`},
		{"bool", "draft: maybe\nfinal: 1\n", "1:8 unknown-word(maybe|4 texts)\n2:8 unknown-word(1|4 texts)"},
		{"serial", "serial: 007\n", `1:9 want-number(007|0|999999999)`},
		{"list for a text", "game: [x]\nside: {a: b}\n", "1:7 want-text()\n2:7 want-text()"},
		{"command", "command: statsu\n", fmt.Sprintf("1:10 unknown-command(statsu|%d texts) -> did-you-mean(status)", len(Commands))},
		{"command and more", "command: regole NAP-5\n", fmt.Sprintf("1:10 unknown-command(regole NAP-5|%d texts) -> did-you-mean(regole)", len(Commands))},
		{"no such command", "command: xyzzy\n", fmt.Sprintf("1:10 unknown-command(xyzzy|%d texts) -> command-help()", len(Commands))},
		{"argument without command", "game: x\nuntil: tomorrow\n", `2:1 unknown-key(until|15 texts)`},
		{"no file", "- a\n- b\n", `1:1 want-envelope() -> use-template()`},
		{"prose", "Dear Berthier,\nI attack at dawn.\n", `1:1 want-envelope() -> use-template()`},
		{"empty", "\n# nothing\n", `0:0 empty-file() -> use-template()`},
		{"dash without space", "orders:\n  - reveal: F-01\n  -5: x\n", `3:3 key-among-items() -> dash-or-deeper()`},
		{"wide columns", "note: 日本\norders: [日本, ß]]\n", `2:16 bracket-stray(]) -> delete-sign(])`},
		{"three at once", "game:ligny\nsied: x\norders:\n  - move: {from: A, to B}\n  - reveal: [F-01\n",
			"1:5 space-after-colon() -> write(game: ligny)\n2:1 unknown-key(sied|15 texts) -> did-you-mean(side)\n4:21 colon-missing() -> write(to: B)\n5:13 bracket-open([) -> close-with(])"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, problems := Parse(c.text, nil)
			if got := strings.TrimSuffix(tell(problems), "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if d == nil || d.Source == "" {
				t.Error("no document")
			}
		})
	}
}

func TestParse(t *testing.T) {
	d, problems := Parse(sampleFile, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if len(d.Repairs) > 0 {
		t.Errorf("repaired a sound file: %v", d.Repairs)
	}
	if d.Source != sampleFile {
		t.Error("changed a sound file")
	}
	if d.Game != "ligny-7" || d.Side != "french" || d.Stop != 12 || d.StopName != "move" || d.Key != "K7QF-2M9D" || d.Serial != 44 ||
		d.Note != "I shall be away on Monday." || d.Final || d.Draft || d.Command != "" {
		t.Errorf("envelope: %+v", d)
	}
	units := d.Orders.Items[0].Get("move").Get("units")
	if u := units.Items[1]; u.Text != "F-07" || u.Line != 11 || u.Column != 54 {
		t.Errorf("unit %q at %d:%d", u.Text, u.Line, u.Column)
	}
	if d.Standing == nil || d.Standing.Kind != List || len(d.Standing.Items) != 4 {
		t.Error("standing orders")
	}
	if !d.Has("final") || d.Has("draft") || d.Field("game").Text != "ligny-7" {
		t.Error("fields")
	}
}

func TestEnvelope(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   func(*Document) bool
	}{
		{"partita: x\nparte: francese\nfermata: 3 mossa\nchiave: AB\nbozza: sì\ndefinitivo: no\nnota: ciao\nordini: nessuno\npermanenti: []\n", func(d *Document) bool {
			return d.Game == "x" && d.Side == "francese" && d.Stop == 3 && d.StopName == "mossa" && d.Key == "AB" && d.Draft && !d.Final && d.Note == "ciao" &&
				d.Orders.Text == "nessuno" && d.Standing.Kind == List
		}},
		{"GAME: x\nStanding Orders: none\n", func(d *Document) bool { return d.Game == "x" && d.Standing.Text == "none" && d.Final }},
		{"stop: '#12, battle turn'\n", func(d *Document) bool { return d.Stop == 12 && d.StopName == "battle turn" }},
		{"stop: 12. move\n", func(d *Document) bool { return d.Stop == 12 && d.StopName == "move" }},
		{"stop: 12 (move)\n", func(d *Document) bool { return d.Stop == 12 && d.StopName == "move" }},
		{"side: NO\ngame: 010\nkey: 1e3\n", func(d *Document) bool { return d.Side == "NO" && d.Game == "010" && d.Key == "1e3" }},
		{"command: proroga\nuntil: 48h\nmotivo: ferie\n", func(d *Document) bool {
			return d.Command == "extend" && d.Field("until").Text == "48h" && d.Field("reason").Text == "ferie"
		}},
		{"game: x\nnote:\n", func(d *Document) bool { return d.Note == "" }},
		{"game: x\nnote:\n  - one\n  - two\n", func(d *Document) bool { return d.Note == "one\ntwo" }},
		{"game: x\nnote: |\n  one: [\n  *two\n", func(d *Document) bool { return d.Note == "one: [\n*two" }},
		{"game: \"\"\n", func(d *Document) bool { return d.Game == "" && d.Has("game") }},
		{"---\ngame: x\n...\n", func(d *Document) bool { return d.Game == "x" }},
		{"{game: x, side: y}\n", func(d *Document) bool { return d.Game == "x" && d.Side == "y" }},
		{"  game: x\n  side: y\n", func(d *Document) bool { return d.Side == "y" }},
		{"orders:\n- a\n- b\nside: y\n", func(d *Document) bool { return len(d.Orders.Items) == 2 && d.Side == "y" }},
		{"orders: {deploy: {Quatre Bras: [P-01,\nP-02], Cond\u0065\u0301: all}}\n", func(d *Document) bool {
			return len(d.Orders.Get("deploy").Get("Quatre Bras").Items) == 2 && d.Orders.Get("deploy").Get("Condé") != nil
		}},
	} {
		d, problems := Parse(c.text, nil)
		if len(problems) > 0 || !c.ok(d) {
			t.Errorf("%q: %v %+v", c.text, problems, d)
		}
	}
}

// What could be read is handed on with the faults, and what could not is marked,
// so that a ruleset finds its own faults in the rest.
func TestBroken(t *testing.T) {
	d, problems := Parse("orders:\n  - move: {from: A, to: [B}\n  - move: {from: C, to: D}\n", nil)
	if len(problems) != 1 {
		t.Fatal(problems)
	}
	if d.Orders.Whole() || !d.Orders.Items[1].Whole() || d.Orders.Items[1].Get("move").Get("to").Text != "D" {
		t.Error(dump(d.Orders))
	}
	r := NewReader(nil)
	key, value := r.Only(d.Orders.Items[0], "move")
	f := r.Fields(value, "from", "to")
	r.Text(f.Get("from"))
	r.Require(f, "to")
	if len(r.Problems) > 0 || key != "move" {
		t.Errorf("told twice: %v", r.Problems)
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct{ name, text, code string }{
		{"long", strings.Repeat("a", 70<<10), "too-long"},
		{"deep brackets", "orders: " + strings.Repeat("[", 20000), "too-deep"},
		{"deep braces", "orders: " + strings.Repeat("{a: ", 9000), "too-deep"},
		{"deep dashes", "orders:\n  " + strings.Repeat("- ", 20000) + "x", "too-deep"},
		{"deep lines", deepLines(300), "too-deep"},
		{"many", "orders: [" + strings.Repeat("a,", 20000) + "]", "too-many"},
		{"many lines", "orders:\n" + strings.Repeat(" - a\n", 10000), "too-many"},
		{"many faults", strings.Repeat("abc: d\n", 9000), "more-faults"},
		{"many long faults", strings.Repeat(strings.Repeat("x", 190)+": d\n", 300), "more-faults"},
		{"many stray lines", "game: x\n" + strings.Repeat("abc\n", 9000), "more-faults"},
		{"long key", strings.Repeat("k", 300) + ": x\ngame: y\n", "key-long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := Parse(c.text, nil)
			if len(problems) == 0 || len(problems) > maxProblems {
				t.Fatalf("%d problems", len(problems))
			}
			if !strings.Contains(tell(problems), c.code) {
				t.Errorf("no %s in %s", c.code, tell(problems))
			}
		})
	}
}

// Nothing that fits into a letter takes long to read. A file that makes the
// reader go over it again and again shows here as a test that does not end.
func TestHostile(t *testing.T) {
	const size = 60 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for _, text := range []string{
		"a: \"" + fill("b\n "), "a: " + fill("“x” "), "orders: [" + fill("“x”, "), "a: b" + fill("<br>"), "a: b" + fill("\\"),
		fill("- [a\n"), fill("a: [x\n"), fill("- - [\n"), fill("k: {\n"), fill(" x: 'y\n"), fill("a:\n b: [\n"), "a: [" + fill("\n#\n"), "a: x\n" + fill("\n  y"),
		fill("\ta: b\n"), fill("\t- x\n  - y\n"), fill("– "), fill("note: a: b\n"), "note: a: b\n" + fill("  c: d\n"), "a: |\n" + fill("\n"), "a: >\n" + fill(" x\n\n"),
		fill("\u200b"), fill("\u00a0\n"), fill("\u202e"), fill("e\u0301"), fill("- "), fill("? "), fill("{a: "), fill("[{"), fill("]}"), fill("''"), fill("'"), fill("\"\\"), fill("# x\n"),
	} {
		d, problems := Parse(text, nil)
		checkProblems(t, d.Source, problems)
	}
	for _, line := range []string{"to: x\n", "game: x\n", "orders:\n\n", "X wrote:\n", "```\n", "> ", ">", BeginMark("en") + " 12345678 =====\n", EndMark("it") + "\n", "-----x-----\n", "From: x\n",
		"game: x\norders: y\n", "note: x\n\nwords here too\n", "> orders: x\nside: y\n", "game: x\nside: [\n", Frame("en", "game: x\norders: y\n"), "gaem: x\ngame: y\n"} {
		Find([]Part{{Kind: Plain, Text: strings.Repeat(line, 1<<20/len(line))}})
	}
}

func deepLines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return "orders:\n" + b.String()
}

func TestParseNode(t *testing.T) {
	root, problems := ParseNode([]byte("\ufeffhost: mail.example\r\nport: 993\r\nuser: ~\r\nfolders: [A, B]\r\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := NewReader(nil)
	f := r.Fields(root, "host", "port", "user", "folders")
	if port, ok := r.Int(f.Get("port"), 1, 65535); !ok || port != 993 {
		t.Error("port")
	}
	if f.Get("user") != nil {
		t.Error("a null is there")
	}
	if len(r.Problems) > 0 {
		t.Error(r.Problems)
	}
	_, problems = ParseNode([]byte("a: 1\nb: [1, 2\nc:3\n\td: 4\ne: 'x\n"))
	want := "2:4 bracket-open([) -> close-with(])\n3:2 space-after-colon() -> write(c: 3)\n4:1 tab-indent() -> use-spaces()\n5:4 quote-open(') -> close-with(')\n"
	if got := tell(problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if root, problems := ParseNode(nil); root != nil || problems != nil {
		t.Error("an empty file is no fault of its own")
	}
}
