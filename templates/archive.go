package templates

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"

	"berthier/engine"
	"berthier/orders/phrase"
)

// An Archive is a finished game as one page, to be kept: stop by stop what was
// ordered, rolled and told, and the maps as each side saw them.
type Archive struct {
	Heading
	Outcome    *engine.Outcome // nil: a game master ended the game
	Sides      []engine.Side
	Commitment string   // of the dice, hex
	Seeds      []string // hex
	Steps      []Step
}

// A Step is what moved a game on: a stop that was resolved, or an act of the
// game master's.
type Step struct {
	Entry  int // of the log
	Hash   string
	At     time.Time
	Stop   int             // counting all sides'; 0: none
	Undone bool            // the game later went back to before it
	Lines  []phrase.Phrase // what a game master did, and why
	Orders []Ordered
	Rolls  []engine.Roll
	Ruled  map[int]int // rolls that a ruling replaced, by their number from 1 on
	Told   []ToldTo
	Pages  []SidePage // after the step
}

// Ordered is what a side ordered at a stop.
type Ordered struct {
	Side engine.Side
	Stop phrase.Phrase
	By   string // player, gm, bot, default
	Text string // normal form
}

// ToldTo is an event, as sides were told of it.
type ToldTo struct {
	Clause   string
	Tellings []engine.Telling
}

// A SidePage is the page of a view. For [engine.GM] it shows everything.
type SidePage struct {
	Side engine.Side
	Page engine.Page
}

const archiveStyle = `
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:#ece7db;color:#26231d;font:15px/1.5 ` + sans + `}
header{background:#1d3557;color:#f7f1e3;padding:18px 22px}
h1,h2,h3{font-family:` + serif + `;line-height:1.25;margin:0}
header h1{font-size:26px;color:#fffaf0}
header p{margin:4px 0 0;color:#d5dbe6}
nav{position:sticky;top:0;z-index:2;display:flex;gap:10px;align-items:center;padding:9px 22px;background:#f5f0e2;border-bottom:1px solid #d8cfba}
nav button{font:inherit;padding:4px 12px;border:1px solid #b9ab88;border-radius:4px;background:#fffdf8;color:inherit;cursor:pointer}
nav input{flex:1;min-width:80px}
nav output{white-space:nowrap;font-variant-numeric:tabular-nums}
main{max-width:1180px;margin:0 auto;padding:14px 22px 40px}
section{background:#fffdf8;border:1px solid #d8cfba;border-radius:6px;padding:16px 20px;margin:0 0 16px}
section.undone{border-left:6px solid #a5382b}
h2{font-size:20px;color:#7a4a12}
h3{font-size:15px;color:#7a4a12;margin:14px 0 4px}
.soft{color:#6d675a;font-size:13px}
.maps{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(460px,100%),1fr));gap:14px;margin-top:12px}
figure{margin:0}figcaption{font-size:13px;color:#6d675a;margin:0 0 4px}
svg{display:block;width:100%;height:auto;border:1px solid #d8cfba;font-family:Helvetica,Arial,sans-serif}
svg.defs{position:absolute;width:0;height:0;border:0}
pre{margin:4px 0 8px;padding:8px 10px;background:#f5f0e2;border:1px solid #e3dac4;overflow-x:auto;font:12.5px/1.45 ` + mono + `}
ul{margin:4px 0;padding-left:20px}
code{font:12.5px ` + mono + `;word-break:break-all}
.orders{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(340px,100%),1fr));gap:0 16px}
.ruled{text-decoration:underline;text-decoration-style:double}
body.js main>section.step{display:none}
body.js main>section.step.now{display:block}
body:not(.js) nav{display:none}
@media (prefers-color-scheme:dark){
body{background:#14161a;color:#e4dfd3}header{background:#172742}
nav{background:#1e2126;border-color:#363b44}nav button{background:#282d35;border-color:#59606b}
section{background:#1e2126;border-color:#363b44}h2,h3{color:#dfb96a}.soft,figcaption{color:#a29c8f}
pre{background:#15171b;border-color:#363b44}svg{border-color:#363b44}
}
@media print{nav{display:none}body.js main>section.step{display:block!important}}
`

// archiveScript shows one step at a time. Without it all stand below each other.
const archiveScript = `
(function(){
var steps=[].slice.call(document.querySelectorAll('section.step'));
if(!steps.length)return;
var bar=document.querySelector('nav input'),out=document.querySelector('nav output'),now=0;
document.body.className='js';bar.max=steps.length-1;
function show(i){now=Math.max(0,Math.min(steps.length-1,i));
steps.forEach(function(s,n){s.className=s.className.replace(/ ?now/,'')+(n===now?' now':'')});
bar.value=now;out.textContent=(now+1)+' / '+steps.length;
try{history.replaceState(null,'','#'+steps[now].id)}catch(e){}}
document.querySelector('nav .back').onclick=function(){show(now-1)};
document.querySelector('nav .on').onclick=function(){show(now+1)};
bar.oninput=function(){show(+bar.value)};
document.onkeydown=function(e){if(e.target===bar)return;if(e.key==='ArrowLeft')show(now-1);if(e.key==='ArrowRight')show(now+1)};
var at=steps.findIndex(function(s){return '#'+s.id===location.hash});show(at<0?0:at);
})();
`

// Archive writes a finished game as one HTML file that needs nothing else: no
// picture, script or style is fetched. It is in the reader's language.
func (w *Words) Archive(a Archive) ([]byte, error) {
	p := archivePage{sheet: w.sheet(a.Heading), words: w, a: a, plate: newPlate()}
	if err := p.write(); err != nil {
		return nil, fmt.Errorf("write archive of %s: %w", a.Game, err)
	}
	return []byte(p.finish()), nil
}

type archivePage struct {
	*sheet
	words *Words
	a     Archive
	plate *plate
	body  strings.Builder
}

func (p *archivePage) raw(markup ...string) {
	for _, m := range markup {
		p.body.WriteString(m)
	}
}

func (p *archivePage) text(text string) { p.body.WriteString(html.EscapeString(clean(text))) }

func (p *archivePage) lines(text string) { p.body.WriteString(html.EscapeString(cleanLines(text))) }

// title is what the page is called.
func (p *archivePage) title() string {
	if p.a.Title != "" {
		return clean(p.a.Title)
	}
	return clean(p.a.Game)
}

func (p *archivePage) write() error {
	p.raw("<header><h1>")
	p.text(p.title())
	p.raw("</h1><p>")
	p.text(p.say("archive.kind", phrase.Literal("game", p.a.Game), phrase.Literal("system", p.a.System)))
	p.raw("</p></header>\n<nav><button class=\"back\" type=\"button\">")
	p.text(p.say("archive.back"))
	p.raw(`</button><button class="on" type="button">`)
	p.text(p.say("archive.on"))
	p.raw(`</button><input type="range" min="0" value="0" aria-label="`, html.EscapeString(p.say("archive.steps")), "\"><output></output></nav>\n<main>\n")
	p.ending()
	for i := range p.a.Steps {
		if err := p.step(&p.a.Steps[i]); err != nil {
			return err
		}
	}
	p.raw("</main>\n")
	return nil
}

// ending tells how the game ended, and the seed.
func (p *archivePage) ending() {
	p.raw("<section><h2>")
	if o := p.a.Outcome; o != nil {
		code := "letter.over.winners"
		if len(o.Winners) == 0 {
			code = "letter.over.draw"
		}
		ids := make([]string, len(o.Winners))
		for i, side := range o.Winners {
			ids[i] = string(side)
		}
		p.text(sentenceCase(p.say(code, phrase.Names("winners", "side", ids))))
		p.raw("</h2><p>")
		p.text(p.sentence(o.Reason))
		if o.Clause != "" {
			p.raw(` <span class="soft">[`)
			p.text(o.Clause)
			p.raw("]</span>")
		}
		p.raw("</p>")
	} else {
		p.text(p.say("archive.closed"))
		p.raw("</h2>")
	}
	p.raw("<p>")
	p.text(p.say("archive.dice"))
	p.raw("</p><p class=\"soft\">")
	p.text(p.say("archive.commitment"))
	p.raw(" <code>")
	p.text(p.a.Commitment)
	p.raw("</code></p>")
	for _, seed := range p.a.Seeds {
		p.raw(`<p class="soft">`)
		p.text(p.say("archive.seed"))
		p.raw(" <code>")
		p.text(seed)
		p.raw("</code></p>")
	}
	p.raw("</section>\n")
}

func (p *archivePage) step(s *Step) error {
	class := "step"
	if s.Undone {
		class += " undone"
	}
	p.raw(`<section class="`, class, `" id="e`, strconv.Itoa(s.Entry), `"><h2>`)
	if s.Stop > 0 {
		p.text(p.say("archive.stop", phrase.Number("stop", s.Stop)))
	} else {
		p.text(p.say("archive.act"))
	}
	p.raw(`</h2><div class="soft">`)
	p.text(p.say("archive.entry", phrase.Number("entry", s.Entry), phrase.Literal("at", p.words.Date(p.language, s.At, p.a.Reader.Zone)), phrase.Literal("hash", s.Hash)))
	p.raw("</div>\n")
	if s.Undone {
		p.raw("<p><strong>")
		p.text(p.say("archive.undone"))
		p.raw("</strong></p>")
	}
	for _, line := range s.Lines {
		p.raw("<p>")
		p.text(p.sentence(line))
		p.raw("</p>")
	}
	p.told(s.Told)
	if err := p.maps(s.Pages); err != nil {
		return err
	}
	p.orders(s.Orders)
	p.rolls(s)
	p.raw("</section>\n")
	return nil
}

// told lists what happened: the fullest telling first, then which sides were told less.
func (p *archivePage) told(events []ToldTo) {
	if len(events) == 0 {
		return
	}
	p.raw("<h3>")
	p.text(p.say("letter.report.happened"))
	p.raw("</h3><ul>")
	for _, e := range events {
		p.raw("<li>")
		for i, t := range e.Tellings {
			if i > 0 {
				p.raw("<br>")
			}
			p.text(p.sentence(t.Say))
			if i == 0 && e.Clause != "" {
				p.raw(` <span class="soft">[`)
				p.text(e.Clause)
				p.raw("]</span>")
			}
			if len(t.To) < len(p.a.Sides) {
				ids := make([]string, len(t.To))
				for j, side := range t.To {
					ids[j] = string(side)
				}
				p.raw(` <span class="soft">`)
				p.text(p.say("archive.told-to", phrase.Names("sides", "side", ids)))
				p.raw("</span>")
			}
		}
		p.raw("</li>")
	}
	p.raw("</ul>")
}

func (p *archivePage) maps(pages []SidePage) error {
	var out strings.Builder
	for _, page := range pages {
		for _, section := range page.Page.Sections {
			if section.Picture == nil {
				continue
			}
			alt := p.sentence(section.Picture.Alt)
			picture, err := p.plate.picture(section.Picture, Labels(p.words, p.language, p.head.Spell, section.Picture), alt)
			if err != nil {
				return err
			}
			out.WriteString("<figure><figcaption>")
			code := "archive.map"
			if page.Side == engine.GM {
				code = "archive.map-all"
			}
			out.WriteString(html.EscapeString(clean(p.say(code, phrase.Name("side", "side", string(page.Side))))))
			out.WriteString("</figcaption>" + picture + "</figure>\n")
		}
	}
	if out.Len() > 0 {
		p.raw(`<div class="maps">`, out.String(), "</div>\n")
	}
	return nil
}

func (p *archivePage) orders(all []Ordered) {
	if len(all) == 0 {
		return
	}
	p.raw("<h3>")
	p.text(p.say("archive.orders"))
	p.raw(`</h3><div class="orders">`)
	for _, o := range all {
		p.raw("<div><div>")
		p.text(p.say("archive.ordered", phrase.Name("side", "side", string(o.Side)), phrase.Within("stop", o.Stop), phrase.Within("by", phrase.Say("archive.by-"+o.By))))
		p.raw("</div><pre>")
		p.lines(o.Text)
		p.raw("</pre></div>")
	}
	p.raw("</div>")
}

func (p *archivePage) rolls(s *Step) {
	if len(s.Rolls) == 0 {
		return
	}
	p.raw("<h3>")
	p.text(p.say("archive.rolls"))
	p.raw("</h3><ol>")
	for i, r := range s.Rolls {
		p.raw("<li>")
		p.text(p.say("archive.roll", phrase.Within("purpose", r.Purpose), phrase.Number("result", r.Result), phrase.Number("sides", r.Sides)))
		if _, ruled := s.Ruled[i+1]; ruled {
			p.raw(` <span class="ruled">`)
			p.text(p.say("archive.ruled"))
			p.raw("</span>")
		}
		p.raw("</li>")
	}
	p.raw("</ol>")
}

func (p *archivePage) finish() string {
	return "<!DOCTYPE html>\n<html lang=\"" + p.language + "\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n" +
		// Nothing may be fetched, whatever a name in the game holds.
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n" +
		"<title>" + html.EscapeString(p.title()) + "</title>\n<style>" + archiveStyle + "</style>\n</head>\n<body>\n" +
		"<svg class=\"defs\" aria-hidden=\"true\"><defs>\n" + p.plate.defs.String() + "</defs></svg>\n" +
		p.body.String() + "<script>" + archiveScript + "</script>\n</body>\n</html>\n"
}
