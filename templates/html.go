package templates

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// htmlWriter sets a letter as HTML for mail programs: tables and inline styles,
// which all of them know, and a few classes by which those that know more fit it
// to a dark screen or a telephone. Nothing is fetched and nothing runs.
//
// Everything that is not markup of its own goes through [htmlWriter.words].
type htmlWriter struct {
	out *bytes.Buffer
}

// htmlMemory is memory for HTML that is being written: most of it is longer than anybody would guess.
var htmlMemory = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const (
	serif = "Georgia,'Times New Roman',serif"
	sans  = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
	mono  = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace"
)

const htmlStyle = `<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:520px){
.page{padding:0!important}.sheet{border:0!important;border-radius:0!important}
.in{padding-left:14px!important;padding-right:14px!important}
.t1{font-size:21px!important}.lab{display:block!important;width:auto!important;padding:8px 12px 0!important}
.say{display:block!important;padding:0 12px 6px!important}
.cell{padding:5px 6px!important;font-size:13px!important}.pre{font-size:11.5px!important}
.st .hr{display:none!important}.st td{display:block!important;text-align:left!important;border:0!important;padding:1px 6px!important}
.st tr{display:block!important;padding:4px 0!important;border-bottom:1px solid #d8cfba!important}.hd{display:inline!important}
.part{overflow:hidden!important;display:block!important;max-height:none!important}.part img{max-width:none!important}
.w2 img{width:187%!important}.w3 img{width:272%!important}.w4 img{width:355%!important}
.m1,.m2,.m3{margin-top:6px!important}.w2.m1 img{margin-left:-87%!important}
.w3.m1 img{margin-left:-86%!important}.w3.m2 img{margin-left:-172%!important}
.w4.m1 img{margin-left:-85%!important}.w4.m2 img{margin-left:-170%!important}.w4.m3 img{margin-left:-255%!important}
}
@media (prefers-color-scheme:dark){
.page{background:#14161a!important}.sheet{background:#1e2126!important;border-color:#363b44!important;color:#e4dfd3!important}
.band{background:#172742!important}.h{color:#dfb96a!important;border-color:#4a4436!important}
.soft{color:#a29c8f!important}.cell{border-color:#363b44!important}.head{background:#282d35!important;color:#cfc8b8!important}
.odd{background:#22262c!important}
.pre{background:#15171b!important;border-color:#363b44!important;color:#e4dfd3!important}
.b1{background:#252a32!important}.b2{background:#372f1b!important}.b3{background:#1d3226!important}.b4{background:#3d2320!important}
.bx{border-color:#59606b!important;color:#e4dfd3!important}.mark{color:#ff9d8a!important}
.add{background:#1d3226!important;color:#a9dfba!important}.del{background:#3d2320!important;color:#f0aea4!important}
}
</style>`

func newHTMLWriter(language, title string) *htmlWriter {
	h := &htmlWriter{htmlMemory.Get().(*bytes.Buffer)}
	h.out.Reset()
	h.raw(`<!DOCTYPE html>
<html lang="`, language, `">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>`)
	h.words(title)
	h.raw(`</title>
`, htmlStyle, `
</head>
<body class="page" style="margin:0;padding:0;background:#ece7db">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#ece7db;table-layout:fixed"><tr><td class="page" align="center" style="padding:18px 10px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:740px;table-layout:fixed;border-collapse:separate;background:#fffdf8;border:1px solid #d8cfba;border-radius:6px;overflow:hidden;color:#26231d;font:15px/1.5 `, sans, `;text-align:left">
`)
	return h
}

// raw writes markup.
func (h *htmlWriter) raw(markup ...string) {
	for _, m := range markup {
		h.out.WriteString(m)
	}
}

// words writes text.
func (h *htmlWriter) words(text string) {
	if strings.ContainsAny(text, `<>&"'`) {
		text = html.EscapeString(text)
	}
	h.out.WriteString(text)
}

// finish gives what was written. Afterwards the writer can't be used any more.
func (h *htmlWriter) finish() string {
	h.raw("</table>\n</td></tr></table>\n</body>\n</html>\n")
	defer htmlMemory.Put(h.out)
	return h.out.String()
}

// open begins a row of the sheet; every block but the title is one.
func (h *htmlWriter) open(padding string) {
	h.raw(`<tr><td class="in" style="padding:`, padding, `">`)
}

func (h *htmlWriter) close() { h.raw("</td></tr>\n") }

func (b titleBlock) html(h *htmlWriter) {
	h.raw(`<tr><td class="in band" style="padding:20px 28px 18px;background:#1d3557;color:#f7f1e3">`,
		`<div style="font-size:12px;letter-spacing:.08em;text-transform:uppercase;color:#d9c28e">`)
	h.words(b.kicker)
	h.raw(`</div><h1 class="t1" style="margin:4px 0 3px;font:bold 25px/1.25 `, serif, `;color:#fffaf0">`)
	h.words(b.title)
	h.raw(`</h1>`)
	if b.sub != "" {
		h.raw(`<div style="font-size:14px;color:#d5dbe6">`)
		h.words(b.sub)
		h.raw(`</div>`)
	}
	h.close()
	h.raw(`<tr><td style="height:12px;font-size:0;line-height:0">&nbsp;</td></tr>`, "\n")
}

func (b headingBlock) html(h *htmlWriter) {
	h.open("22px 28px 0")
	h.raw(`<h2 class="h" style="margin:0 0 8px;padding:0 0 4px;border-bottom:1px solid #dccfae;font:bold 19px/1.3 `, serif, `;color:#7a4a12">`)
	h.words(b.title)
	h.raw(`</h2>`)
	h.close()
}

func (b drawnBlock) html(h *htmlWriter) { paragraphBlock{words: b.words, small: true}.html(h) }

func (b paragraphBlock) html(h *htmlWriter) {
	h.open("0 28px")
	if b.small {
		h.raw(`<p class="soft" style="margin:0 0 8px;font-size:13px;color:#6d6658">`)
	} else {
		h.raw(`<p style="margin:0 0 10px">`)
	}
	h.words(b.words)
	h.raw(`</p>`)
	h.close()
}

func (b boxBlock) html(h *htmlWriter) {
	class, ground, edge := "b1", "#f1ede2", "#8b8576"
	switch b.tone {
	case asking:
		class, ground, edge = "b2", "#fdf2d0", "#c98a12"
	case good:
		class, ground, edge = "b3", "#e4f2e5", "#2f7d4b"
	case bad:
		class, ground, edge = "b4", "#fbe6e1", "#b3372b"
	}
	h.open("8px 28px 8px")
	h.raw(`<table role="presentation" class="`, class, `" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:`, ground,
		`;border-left:5px solid `, edge, `;border-radius:4px">`)
	for i, row := range b.rows {
		top, bottom, size, weight := "2px", "2px", "15px", "normal"
		if i == 0 {
			top, size, weight = "10px", "17px", "bold"
		}
		if i == len(b.rows)-1 {
			bottom = "11px"
		}
		h.raw(`<tr><td class="lab soft" width="104" valign="top" style="padding:`, top, ` 8px `, bottom,
			` 14px;width:104px;font-size:13px;line-height:`)
		if i == 0 {
			h.raw("26px")
		} else {
			h.raw("23px")
		}
		h.raw(`;color:#6d5f3e">`)
		h.words(row[0])
		h.raw(`</td><td class="say bx" valign="top" style="padding:`, top, ` 14px `, bottom, ` 8px;font-size:`, size, `;font-weight:`, weight, `;color:#26231d">`)
		h.words(row[1])
		h.raw(`</td></tr>`)
	}
	h.raw(`</table>`)
	h.close()
}

func (b eventsBlock) html(h *htmlWriter) {
	h.open("0 28px")
	h.raw(`<ol style="margin:0;padding:0 0 0 26px">`)
	numbered, _ := b.numbered()
	for n, item := range b.items {
		switch {
		case numbered && item.number > 0:
			h.raw(`<li value="`, strconv.Itoa(item.number), `" style="margin:`, top(item, n), ` 0 5px">`)
		case numbered:
			h.raw(`<li style="margin:`, top(item, n), ` 0 5px;list-style-type:disc">`)
		default:
			h.raw(`<li style="margin:`, top(item, n), ` 0 5px">`)
		}
		if item.own {
			h.raw(`<b class="mark" style="color:#b3372b">`)
		}
		h.words(item.words)
		if item.own {
			h.raw(`</b>`)
		}
		if item.clause != "" {
			h.raw(` <span class="soft" style="font-size:12px;color:#8a8272;white-space:nowrap">[`)
			h.words(item.clause)
			h.raw(`]</span>`)
		}
		for _, line := range item.total {
			h.raw(`<div class="soft" style="font-size:13px;color:#6d6658">`)
			h.words(line)
			h.raw(`</div>`)
		}
		h.raw("</li>\n")
	}
	h.raw(`</ol>`)
	h.close()
}

// top is the space above an item: more where a part of the list begins.
func top(item eventItem, n int) string {
	if item.opens && n > 0 {
		return "14px"
	}
	return "0"
}

func (b linesBlock) html(h *htmlWriter) {
	h.open("0 28px")
	h.raw(`<p style="margin:0 0 10px">`)
	for i, line := range b.lines {
		if i > 0 {
			h.raw(`<br>`)
		}
		h.words(line)
	}
	h.raw(`</p>`)
	h.close()
}

func (b sinceBlock) html(h *htmlWriter) {
	linesBlock{append(slices.Clip(b.lines), b.rest)}.html(h)
}

// A plain block says what the picture before it shows.
func (b plainBlock) html(*htmlWriter) {}

func (b spareBlock) html(h *htmlWriter) {
	for _, inner := range b.blocks {
		inner.html(h)
	}
}

func (b seenBlock) html(h *htmlWriter) {
	for _, inner := range b.blocks {
		inner.html(h)
	}
}

func (b foldBlock) html(h *htmlWriter) {
	if b.instead != "" {
		paragraphBlock{words: b.instead}.html(h)
	}
	h.raw(`<tr><td style="padding:14px 0 0"><details><summary class="in soft" style="padding:6px 28px;cursor:pointer;color:#6d6658">`)
	h.words(b.title)
	h.raw(`</summary><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">`, "\n")
	for _, inner := range b.blocks {
		inner.html(h)
	}
	h.raw(`</table></details>`)
	h.close()
}

func (b stepsBlock) html(h *htmlWriter) {
	if len(b.steps) == 1 {
		paragraphBlock{words: b.steps[0]}.html(h)
		return
	}
	items := make([]eventItem, len(b.steps))
	for i, step := range b.steps {
		items[i].words = step
	}
	eventsBlock{items: items}.html(h)
}

func (b tableBlock) html(h *htmlWriter) {
	h.open("0 28px 4px")
	if b.caption != "" {
		h.raw(`<div style="margin:8px 0 4px;font:bold 15px/1.4 `, serif, `">`)
		h.words(b.caption)
		h.raw(`</div>`)
	}
	if len(b.rows) == 0 {
		h.raw(`<p class="soft" style="margin:0 0 10px;color:#6d6658">`)
		h.words(b.none)
		h.raw(`</p>`)
		h.close()
		return
	}
	named := false
	for _, head := range b.heads {
		named = named || head != ""
	}
	stacks := named && len(b.heads) >= stackFrom
	class := ""
	if stacks {
		class = ` class="st"`
	}
	h.raw(`<table`, class, ` cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;margin:0 0 12px;font-size:14px;line-height:1.4;overflow-wrap:anywhere">`)
	if named {
		h.raw(`<tr class="hr">`)
		for i, head := range b.heads {
			h.raw(`<th class="cell head" scope="col" align="`, align(b.right[i]), `" valign="bottom" style="padding:6px 9px;background:#f1ebdb;border-bottom:2px solid #d8cfba;font-size:13px;color:#5a5140">`)
			h.words(head)
			h.raw(`</th>`)
		}
		h.raw("</tr>\n")
	}
	for n, row := range b.rows {
		h.raw(`<tr`)
		if n%2 == 1 {
			h.raw(` class="odd" style="background:#faf6ec"`)
		}
		h.raw(`>`)
		for i, cell := range row {
			whole := ""
			if len(row) < stackFrom && len(cell) >= shortestWord && len(cell) <= longestWord && !strings.Contains(cell, " ") {
				whole = ";white-space:nowrap" // a word such as casualties is not cut in two on a narrow screen
			}
			h.raw(`<td class="cell" align="`, align(b.right[i]), `" valign="top" style="padding:5px 9px;border-bottom:1px solid #eae3d2`, whole, `">`)
			if stacks && b.heads[i] != "" && cell != "" {
				h.raw(`<span class="hd" style="display:none">`)
				h.words(b.heads[i])
				h.raw(`: </span>`)
			}
			h.words(cell)
			h.raw(`</td>`)
		}
		h.raw("</tr>\n")
	}
	h.raw(`</table>`)
	h.close()
}

// stackFrom is from how many columns on the cells of a row stand below each other on a
// narrow screen, each with the head of its column.
const stackFrom = 5

// A word of such a length stays whole in a table on a narrow screen: shorter ones do anyway, longer ones
// might be wider than it.
const (
	shortestWord = 6
	longestWord  = 14
)

func align(right bool) string {
	if right {
		return "right"
	}
	return "left"
}

func (b sceneBlock) html(h *htmlWriter) {
	h.open("4px 0 12px") // from edge to edge, so that its labels are large enough
	width := "w" + strconv.Itoa(b.parts)
	for part := range b.parts {
		switch {
		case b.parts == 1:
			b.img(h, b.alt)
			continue
		case part == 0:
			h.raw(`<div class="part `, width, `">`)
			b.img(h, b.alt)
		default: // of the same picture; only a phone shows it
			h.raw(`<div class="part `, width, ` m`, strconv.Itoa(part), `" style="display:none;mso-hide:all;max-height:0;overflow:hidden">`)
			b.img(h, "")
		}
		h.raw(`</div>`)
	}
	h.close()
}

// img shows the picture, as wide as there is room.
func (b sceneBlock) img(h *htmlWriter, alt string) {
	h.raw(`<img src="cid:`, b.name, `" alt="`)
	h.words(alt)
	h.raw(`" width="`, strconv.Itoa(min(max(b.width, 1), 738)), `" style="display:block;width:100%;max-width:`, strconv.Itoa(max(b.width, 1)),
		`px;height:auto;border:0;border-radius:4px;margin:0 auto">`)
}

// pre opens a text that is set as it is.
func (h *htmlWriter) pre() {
	h.open("0 28px 10px")
	h.raw(`<pre class="pre" style="margin:0;padding:10px 12px;white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f2e7;border:1px solid #e0d7c1;border-radius:4px;font:12.5px/1.45 `, mono, `;color:#26231d">`)
}

func (b fileBlock) html(h *htmlWriter) { verbatimBlock{b.body}.html(h) }

func (b verbatimBlock) html(h *htmlWriter) {
	h.pre()
	h.words(strings.TrimRight(b.body, "\n"))
	h.raw(`</pre>`)
	h.close()
}

func (b changesBlock) html(h *htmlWriter) {
	h.pre()
	for i, line := range b.lines {
		if i > 0 {
			h.raw("\n")
		}
		switch line.sign {
		case '+':
			h.raw(`<span class="add" style="background:#dcefdd;color:#1f5a34">`)
		case '-':
			h.raw(`<span class="del" style="background:#f8ddd7;color:#8c2a20">`)
		default:
			h.raw(`<span>`)
		}
		h.words(string(line.sign) + " " + line.text)
		h.raw(`</span>`)
	}
	h.raw(`</pre>`)
	h.close()
}

func (b faultsBlock) html(h *htmlWriter) {
	h.open("0 28px")
	h.raw(`<ol style="margin:0;padding:0 0 0 26px">`)
	for _, f := range b.faults {
		h.raw(`<li style="margin:0 0 14px"><span class="soft" style="font-size:13px;color:#6d6658">`)
		h.words(f.place)
		if f.clause != "" {
			h.raw(` <span style="white-space:nowrap">[`)
			h.words(f.clause)
			h.raw(`]</span>`)
		}
		h.raw(`</span>`)
		if f.source != "" {
			h.raw(`<pre class="pre" style="margin:3px 0 5px;padding:6px 10px;white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f2e7;border:1px solid #e0d7c1;border-radius:4px;font:12.5px/1.35 `, mono, `;color:#26231d">`)
			h.words(f.source)
			if f.caret >= 0 {
				h.raw("\n", strings.Repeat(" ", f.caret), `<b class="mark" style="color:#b3372b">^</b>`)
			}
			h.raw(`</pre>`)
		} else {
			h.raw(`<br>`)
		}
		h.raw(`<b>`)
		h.words(f.why)
		h.raw(`</b>`)
		if f.remedy != "" {
			h.raw(` `)
			h.words(f.remedy)
		}
		h.raw("</li>\n")
	}
	h.raw(`</ol>`)
	h.close()
}

func (b footerBlock) html(h *htmlWriter) {
	h.open("20px 28px 18px")
	h.raw(`<div class="soft cell" style="border-top:1px solid #e0d7c1;padding-top:10px;font-size:12px;line-height:1.5;color:#8a8272">`)
	for i, line := range b.lines {
		if i > 0 {
			h.raw(`<br>`)
		}
		h.words(line)
	}
	h.raw(`</div>`)
	h.close()
}
