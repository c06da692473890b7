package templates

import (
	"fmt"
	"strconv"

	"berthier/orders/phrase"
)

// siteStyle is how the pages of a site look: on a phone, on paper, by day and by night.
const siteStyle = `
:root{color-scheme:light dark;--paper:#ece7db;--ink:#26231d;--card:#fffdf8;--line:#d8cfba;--soft:#6d675a;--gold:#7a4a12;--link:#1d4f91;--band:#f5f0e2;--plot:#1d4f91}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 ` + sans + `}
header{background:#1d3557;color:#f7f1e3}
header div,main,footer{max-width:1080px;margin:0 auto;padding:12px 16px}
h1,h2,h3{font-family:` + serif + `;line-height:1.25;margin:0 0 6px}
h1{font-size:24px}header h1{color:#fffaf0}
h2{font-size:20px;color:var(--gold)}h2.top{font-size:24px;margin:4px 0 12px}
h3{font-size:16px;color:var(--gold);margin:14px 0 4px}
nav{display:flex;flex-wrap:wrap;gap:2px 18px}
nav a{color:#d5dbe6;padding:6px 0}
a{color:var(--link)}
section{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:14px 16px;margin:0 0 14px}
p{margin:4px 0}
.wide{overflow-x:auto;margin:4px 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:5px 9px;text-align:left;border-bottom:1px solid var(--line);white-space:nowrap}
th{font-weight:600}thead th{font-size:13px;color:var(--soft);white-space:normal;vertical-align:bottom}
.n{text-align:right}.c{text-align:center}
.who{position:sticky;left:0;background:var(--card)}
.self{background:var(--band)}
.soft,footer,time{color:var(--soft);font-size:13px}
code{font:12.5px ` + mono + `;word-break:break-all}
summary{cursor:pointer;padding:6px 0}
ul{margin:4px 0;padding-left:20px}ul.news,ul.games{list-style:none;padding:0}
.games .soft{white-space:nowrap}
.news li,.games li{padding:5px 0;border-bottom:1px solid var(--line)}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:14px;margin-top:10px}
figure{margin:0}figcaption{font-size:14px}
svg{display:block;width:100%;height:auto;font:11px ` + sans + `}
svg .band{fill:var(--plot);opacity:.16}svg .line{fill:none;stroke:var(--plot);stroke-width:2}svg .dot{fill:var(--plot)}
svg .grid{stroke:var(--line);stroke-width:1}svg text{fill:var(--soft)}
@media (max-width:520px){.more{display:none}th,td{padding:5px 4px}thead th{font-size:12px}section{padding:12px}body{font-size:15px}}
@media (prefers-color-scheme:dark){
:root{--paper:#14161a;--ink:#e4dfd3;--card:#1e2126;--line:#363b44;--soft:#a29c8f;--gold:#dfb96a;--link:#8fb8ee;--band:#282d35;--plot:#8fb8ee}
header{background:#172742}}
@media print{nav{display:none}body{background:#fff}section{break-inside:avoid}}
`

// head writes the head of a table: columns with the class of each, "" for an empty one.
func (p *sitePage) head(columns [][2]string) {
	p.raw("<div class=\"wide\"><table>\n<thead><tr>")
	for _, c := range columns {
		p.element(`th scope="col" class="`+c[0]+`"`, c[1])
	}
	p.raw("</tr></thead>\n<tbody>\n")
}

func (p *sitePage) endTable() { p.raw("</tbody></table></div>\n") }

// cell writes a cell of a table.
func (p *sitePage) cell(class, text string) { p.element(`td class="`+class+`"`, text) }

// number writes a cell with a number.
func (p *sitePage) number(class string, n int) { p.cell(class, strconv.Itoa(n)) }

// who writes the cell of a member, which stays where it is when a table is wider than the screen.
func (p *sitePage) who(m SiteMember) {
	p.raw(`<th scope="row" class="who">`)
	p.text(m.shown())
	if m.Name != "" {
		p.raw(" ")
		p.element(`span class="soft more"`, m.ID)
	}
	p.raw("</th>")
}

// place is a place in a table.
func place(n int) string {
	if n == 0 {
		return "–"
	}
	return strconv.Itoa(n)
}

// table writes the table of a division; whole with the numbers of the rules that part equal points.
func (p *sitePage) table(d *SiteDivision, whole bool) {
	p.raw(`<section id="`, "division-"+d.ID, `">`)
	p.element("h2", p.say("league.table.division", phrase.Literal("division", d.ID)))
	p.element(`p class="soft"`, d.System)
	columns := [][2]string{{"n", p.say("site.place")}, {"who", p.say("league.table.member")}, {"n", p.say("league.table.points")}, {"n", p.say("league.table.games")},
		{"n", p.say("league.table.won")}, {"n", p.say("league.table.drew")}, {"n", p.say("league.table.lost")}}
	if whole {
		for _, tie := range d.Ties {
			columns = append(columns, [2]string{"n", p.say("league.tie." + tie)})
		}
	}
	p.head(append(columns, [2]string{"", p.say("league.table.parted")}))
	for _, r := range d.Rows {
		p.raw("<tr>")
		p.cell("n", place(r.Place))
		p.who(r.Member)
		p.cell("n", r.Points)
		for _, n := range []int{r.Games, r.Won, r.Drew, r.Lost} {
			p.number("n", n)
		}
		if whole {
			for _, value := range r.Ties {
				p.cell("n", value)
			}
		}
		parted := ""
		if r.Parted != "" {
			parted = p.say("league.tie." + r.Parted)
		}
		p.cell("", parted)
		p.raw("</tr>\n")
	}
	p.endTable()
	p.raw("</section>\n")
}

// cross writes the cross-table of a division: by opponents, or by rounds with the opponent's line.
func (p *sitePage) cross(d *SiteDivision) {
	if len(d.Rows) == 0 || d.Ladder {
		return
	}
	rounds := 0
	for _, r := range d.Rounds {
		rounds = max(rounds, r.Number)
	}
	width := rounds
	if d.Each {
		width = len(d.Rows)
	}
	columns := [][2]string{{"n", ""}, {"who", p.say("league.table.member")}}
	for n := range width {
		columns = append(columns, [2]string{"c", strconv.Itoa(n + 1)})
	}
	p.raw("<section>")
	p.element("h2", p.say("site.cross", phrase.Literal("division", d.ID)))
	how := "site.cross-rounds"
	if d.Each {
		how = "site.cross-each"
	}
	p.element(`p class="soft"`, p.say(how))
	if e := d.Even; len(e) == 4 {
		p.element(`p class="soft"`, p.say("site.even", phrase.Number("met", e[0]), phrase.Number("most", e[1]), phrase.Number("sat", e[2]), phrase.Number("often", e[3])))
	}
	p.head(append(columns, [2]string{"n", p.say("league.table.points")}))
	for i, r := range d.Rows {
		p.raw("<tr>")
		p.number("n", i+1)
		p.who(r.Member)
		for n := range width {
			p.met(d, i, n)
		}
		p.cell("n", r.Points)
		p.raw("</tr>\n")
	}
	p.endTable()
	p.marks(d)
	p.raw("</section>\n")
}

// met writes what a member got from another, or in a round.
func (p *sitePage) met(d *SiteDivision, row, column int) {
	if d.Each && row == column {
		p.cell("c self", "×")
		return
	}
	p.raw(`<td class="c">`)
	first := true
	for _, c := range d.Rows[row].Cells {
		if d.Each && (len(c.Against) != 1 || c.Against[0] != column) || !d.Each && c.Round != column+1 || c.Points == "" && d.Each {
			continue
		}
		if !first {
			p.raw(" ")
		}
		first = false
		text := c.Points
		if text == "" {
			text = "·"
		}
		if c.Kind == "annulled" {
			text = "(" + text + ")"
		}
		if p.site.Archives[c.Game] {
			p.link("games/"+c.Game+".html", text)
		} else {
			p.text(text)
		}
		if c.Marks != "" {
			p.element("sup", c.Marks)
		}
		if !d.Each {
			for _, other := range c.Against {
				p.raw(" ")
				p.element(`span class="soft"`, fmt.Sprintf("/%d", other+1))
			}
		}
	}
	p.raw("</td>")
}

// marks explains those marks that stand in a cross-table.
func (p *sitePage) marks(d *SiteDivision) {
	there := map[rune]bool{}
	for _, r := range d.Rows {
		for _, c := range r.Cells {
			for _, m := range c.Marks {
				there[m] = true
			}
		}
	}
	for _, m := range "POASFCBRX" {
		if there[m] {
			p.element(`p class="soft"`, string(m)+": "+p.say("site.mark."+string(m)))
		}
	}
}

// schedule writes who meets whom, round by round.
func (p *sitePage) schedule(d *SiteDivision) {
	if len(d.Rounds) == 0 {
		return
	}
	p.raw("<section>")
	p.element("h2", p.say("site.schedule", phrase.Literal("division", d.ID)))
	for _, r := range d.Rounds {
		p.element("h3", p.say("site.round", phrase.Number("round", r.Number)))
		p.raw("<ul class=\"games\">")
		for _, g := range r.Games {
			p.raw("<li>")
			for i, m := range g.Seats {
				if i > 0 {
					p.raw(" – ")
				}
				p.text(m.shown())
			}
			p.raw(": ")
			said := p.words.Say(p.language, g.State, nil)
			if p.site.Archives[g.ID] {
				p.link("games/"+g.ID+".html", said)
			} else {
				p.text(said)
			}
			if g.ID != "" {
				p.raw(" ")
				p.element(`span class="soft"`, g.ID)
			}
			p.raw("</li>")
		}
		for _, m := range r.Byes {
			p.element("li", p.say("site.bye", phrase.Literal("member", m.shown())))
		}
		p.raw("</ul>")
	}
	p.raw("</section>\n")
}
