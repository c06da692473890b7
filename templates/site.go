package templates

import (
	"fmt"
	"html"
	"strings"
	"time"

	"berthier/orders/phrase"
)

// A Site is what everybody may see of a league, as pages to be put on a web server. It holds nothing
// that hangs on the time at which it is made.
type Site struct {
	League    string // id
	Title     string // "": the id
	Languages []string
	Zone      *time.Location
	Tag       string    // beginning of the ids of its feed: "tag:club.example,2027:aquila/"
	Changed   time.Time // when something last happened
	Seasons   []SiteSeason
	Ladders   []SiteLadder
	News      []SiteNews      // newest first
	Archives  map[string]bool // games that are over, each with a page of its own
}

// A SiteMember is a member as a site names him.
type SiteMember struct {
	ID   string
	Name string // whole, or initials; "": the id stands alone
}

// shown is a member's name, or his id.
func (m SiteMember) shown() string {
	if m.Name == "" {
		return m.ID
	}
	return m.Name
}

// A SiteSeason is a season, with its divisions once they are drawn.
type SiteSeason struct {
	ID         string
	Phase      string // a code behind league.phase.
	Entered    int    // members
	Commitment string
	List       string // digest of the list of entries, once it is closed
	Seed       string // of the lots, once the season is over
	Divisions  []SiteDivision
}

// A SiteDivision is a division of a season.
type SiteDivision struct {
	ID     string
	System string
	Ladder bool     // it has no cross-table
	Each   bool     // everybody meets everybody: the cross-table is by opponents, else by rounds
	Ties   []string // rules, in their order
	Rows   []SiteRow
	Rounds []SiteRound
	Even   []int // in games of three: how often two members meet, and a member has the same side, each at least and at most; none: no such games
}

// A SiteRow is a member as he stands.
type SiteRow struct {
	Place  int // 0: none
	Member SiteMember
	Points string
	Games  int
	Won    int
	Drew   int
	Lost   int
	Ties   []string // the numbers of the division's ties, "" where one says nothing
	Parted string   // the rule that parted him from the row above
	Cells  []SiteCell
}

// A SiteCell is a result in a cross-table.
type SiteCell struct {
	Round   int
	Against []int // rows of the opponents
	Points  string
	Marks   string
	Kind    string
	Game    string
}

// A SiteRound is a round of a division.
type SiteRound struct {
	Number int
	Games  []SiteGame
	Byes   []SiteMember
}

// A SiteGame is a game that is to come, being played, or over.
type SiteGame struct {
	ID    string // "": it has not been made yet
	Seats []SiteMember
	State phrase.Phrase
}

// A SiteLadder is the ratings in one system.
type SiteLadder struct {
	System string
	Rows   []SiteRated
	Sides  []SiteSide // what playing a side is reckoned to be worth, once a season has ended
}

// A SiteSide is what playing a side of a set-up is reckoned to be worth.
type SiteSide struct {
	SetUp  string
	Side   string // its number in the order of the rules
	Points int
}

// A SiteRated is a member's ratings in whole points, the one of now and those of all periods.
type SiteRated struct {
	Member      SiteMember
	Provisional bool
	Games       int
	From, Until time.Time // when the first and the last period of the ratings begin
	Ratings     []SiteRating
}

// A SiteRating is a rating, give or take so much.
type SiteRating struct{ Points, More int }

// now is the rating at the end.
func (r SiteRated) now() SiteRating { return r.Ratings[len(r.Ratings)-1] }

// A SiteNews is something that has happened.
type SiteNews struct {
	ID     string
	At     time.Time
	Says   phrase.Phrase
	Season string
	Game   string
}

// Site writes the pages of a league, by their paths: an index, a page for each season, the ratings and
// the feed in each language, and a first page that leads to them. No page needs a script, and none
// fetches anything.
func (w *Words) Site(s *Site) map[string][]byte {
	files := map[string][]byte{}
	for _, language := range s.Languages {
		page := func(file string, write func(*sitePage)) {
			p := &sitePage{words: w, site: s, language: language, file: file}
			write(p)
			files[language+"/"+file] = []byte(p.finish())
		}
		page("index.html", (*sitePage).index)
		for i := range s.Seasons {
			page(seasonFile(s.Seasons[i].ID), func(p *sitePage) { p.season(&s.Seasons[i]) })
		}
		page("ratings.html", (*sitePage).ratings)
		files[language+"/feed.xml"] = w.feed(s, language)
	}
	files["index.html"] = w.gate(s)
	return files
}

func seasonFile(id string) string { return "season-" + id + ".html" }

// ArchiveFile is where the page of a game that is over stands in a site.
func ArchiveFile(language, game string) string { return language + "/games/" + game + ".html" }

// title is what the league is called.
func (s *Site) title() string {
	if s.Title != "" {
		return clean(s.Title)
	}
	return clean(s.League)
}

// siteName is what a site in a language is called in its own words.
func (w *Words) siteName(language string) string {
	return w.Say(language, phrase.Say("site.language"), nil)
}

// gate is the first page: it leads to the league's own language, and offers the others.
func (w *Words) gate(s *Site) []byte {
	var b strings.Builder
	first := s.Languages[0]
	b.WriteString("<!DOCTYPE html>\n<html lang=\"" + first + "\">\n<head>\n<meta charset=\"utf-8\">\n" + siteMeta +
		"<meta http-equiv=\"refresh\" content=\"0; url=" + first + "/index.html\">\n<title>" + html.EscapeString(s.title()) +
		"</title>\n<style>" + siteStyle + "</style>\n</head>\n<body>\n<main><h1>" + html.EscapeString(s.title()) + "</h1>\n<ul>")
	for _, language := range s.Languages {
		b.WriteString(`<li><a href="` + language + `/index.html" lang="` + language + `">` + html.EscapeString(w.siteName(language)) + "</a></li>")
	}
	b.WriteString("</ul></main>\n</body>\n</html>\n")
	return []byte(b.String())
}

// siteMeta fits a page to its screen. Nothing may be fetched, whatever a name holds.
const siteMeta = "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n" +
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"

// A sitePage is a page of a site on its way.
type sitePage struct {
	words    *Words
	site     *Site
	language string
	file     string
	heading  string
	body     strings.Builder
}

func (p *sitePage) raw(markup ...string) {
	for _, m := range markup {
		p.body.WriteString(m)
	}
}

func (p *sitePage) text(text string) { p.body.WriteString(html.EscapeString(clean(text))) }

func (p *sitePage) say(code string, args ...phrase.Arg) string {
	return p.words.Say(p.language, phrase.Say(code, args...), nil)
}

// element writes an element with a text.
func (p *sitePage) element(name, text string) {
	tag, _, _ := strings.Cut(name, " ")
	p.raw("<", name, ">")
	p.text(text)
	p.raw("</", tag, ">")
}

// link writes a link with a text.
func (p *sitePage) link(to, text string) { p.element(`a href="`+html.EscapeString(to)+`"`, text) }

func (p *sitePage) date(t time.Time) string { return p.words.ShortDate(p.language, t, p.site.Zone) }

// index is the page of the league: where its season stands, the tables, what is new.
func (p *sitePage) index() {
	if len(p.site.Seasons) == 0 {
		p.element("p", p.say("site.no-season"))
		return
	}
	now := &p.site.Seasons[len(p.site.Seasons)-1]
	p.raw("<section>")
	p.element("h2", p.say("site.season", phrase.Literal("season", now.ID)))
	p.state(now)
	p.raw("<p>")
	p.link(seasonFile(now.ID), p.say("site.to-season"))
	p.raw("</p></section>\n")
	for i := range now.Divisions {
		p.table(&now.Divisions[i], false)
	}
	p.news()
	if len(p.site.Seasons) > 1 {
		p.raw("<section>")
		p.element("h2", p.say("site.seasons"))
		p.raw("<ul>")
		for i := len(p.site.Seasons) - 1; i >= 0; i-- {
			s := &p.site.Seasons[i]
			p.raw("<li>")
			p.link(seasonFile(s.ID), p.say("site.season", phrase.Literal("season", s.ID)))
			p.raw("</li>")
		}
		p.raw("</ul></section>\n")
	}
}

// mostNews is how much of what is new stands on the first page, and siteFeed how much in the feed.
const (
	mostNews = 12
	siteFeed = 60
)

// news lists what happened last.
func (p *sitePage) news() {
	if len(p.site.News) == 0 {
		return
	}
	p.raw("<section>")
	p.element("h2", p.say("site.news"))
	p.raw("<ul class=\"news\">")
	for _, n := range p.site.News[:min(mostNews, len(p.site.News))] {
		p.raw(`<li><time datetime="`, n.At.UTC().Format(time.RFC3339), `">`)
		p.text(p.date(n.At))
		p.raw("</time> ")
		said := p.words.Say(p.language, n.Says, nil)
		if p.site.Archives[n.Game] {
			p.link("games/"+n.Game+".html", said)
		} else {
			p.text(said)
		}
		p.raw("</li>")
	}
	p.raw("</ul></section>\n")
}

// state tells how far a season has come, and what its lots are drawn from.
func (p *sitePage) state(s *SiteSeason) {
	p.element("p", p.say("league.phase."+s.Phase)+" "+p.say("site.entered", phrase.Number("members", s.Entered)))
	p.raw("<details>")
	p.element("summary", p.say("site.lots"))
	p.element("p", p.say("site.lots-how"))
	for _, row := range [][2]string{{"site.commitment", s.Commitment}, {"site.list", s.List}, {"site.seed", s.Seed}} {
		if row[1] != "" {
			p.raw("<p>")
			p.text(p.say(row[0]))
			p.raw(" ")
			p.element("code", row[1])
			p.raw("</p>")
		}
	}
	p.raw("</details>")
}

// season is the page of a season: tables, cross-tables, schedules.
func (p *sitePage) season(s *SiteSeason) {
	p.heading = p.say("site.season", phrase.Literal("season", s.ID))
	p.raw("<section>")
	p.state(s)
	p.raw("</section>\n")
	for i := range s.Divisions {
		d := &s.Divisions[i]
		p.table(d, true)
		p.cross(d)
		p.schedule(d)
	}
}

// finish gives the page with its head and what leads to the others.
func (p *sitePage) finish() string {
	title := p.site.title()
	if p.heading != "" {
		title = p.heading + " · " + title
	}
	body := p.body.String()
	p.body.Reset()
	p.raw("<!DOCTYPE html>\n<html lang=\"", p.language, "\">\n<head>\n<meta charset=\"utf-8\">\n", siteMeta,
		"<title>", html.EscapeString(title), "</title>\n<link rel=\"alternate\" type=\"application/atom+xml\" href=\"feed.xml\">\n<style>", siteStyle,
		"</style>\n</head>\n<body>\n<header><div>")
	p.element("h1", p.site.title())
	p.raw("<nav>")
	p.link("index.html", p.say("site.home"))
	for i := len(p.site.Seasons) - 1; i >= 0 && i > len(p.site.Seasons)-4; i-- {
		s := &p.site.Seasons[i]
		p.link(seasonFile(s.ID), p.say("site.season", phrase.Literal("season", s.ID)))
	}
	p.link("ratings.html", p.say("site.ratings"))
	p.link("feed.xml", p.say("site.feed"))
	for _, language := range p.site.Languages {
		if language != p.language {
			p.raw(`<a href="../`, language, "/", p.file, `" lang="`, language, `" hreflang="`, language, `">`)
			p.text(p.words.siteName(language))
			p.raw("</a>")
		}
	}
	p.raw("</nav></div></header>\n<main>\n")
	if p.heading != "" {
		p.element("h2 class=\"top\"", p.heading)
	}
	p.raw(body, "</main>\n<footer>")
	p.text(p.say("site.foot", phrase.Literal("at", p.words.Date(p.language, p.site.Changed, p.site.Zone))))
	p.raw("</footer>\n</body>\n</html>\n")
	return p.body.String()
}

// feed writes what is new as an Atom feed (RFC 4287).
func (w *Words) feed(s *Site, language string) []byte {
	var b strings.Builder
	line := func(element, text string) {
		tag, _, _ := strings.Cut(element, " ")
		fmt.Fprintf(&b, "<%s>%s</%s>\n", element, html.EscapeString(clean(text)), tag)
	}
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"%s\">\n", language)
	line("title", s.title())
	line("id", s.Tag+language)
	line("updated", s.Changed.UTC().Format(time.RFC3339))
	b.WriteString("<author>")
	line("name", s.title())
	b.WriteString("</author>\n<link rel=\"alternate\" type=\"text/html\" href=\"index.html\"/>\n")
	for _, n := range s.News[:min(siteFeed, len(s.News))] {
		b.WriteString("<entry>\n")
		said := w.Say(language, n.Says, nil)
		line("title", said)
		line("id", s.Tag+language+"/"+n.ID)
		line("updated", n.At.UTC().Format(time.RFC3339))
		to := "index.html"
		switch {
		case s.Archives[n.Game]:
			to = "games/" + n.Game + ".html"
		case n.Season != "":
			to = seasonFile(n.Season)
		}
		fmt.Fprintf(&b, "<link rel=\"alternate\" type=\"text/html\" href=\"%s\"/>\n", html.EscapeString(to))
		line("content type=\"text\"", said)
		b.WriteString("</entry>\n")
	}
	b.WriteString("</feed>\n")
	return []byte(b.String())
}
