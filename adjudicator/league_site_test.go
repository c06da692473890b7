package adjudicator

import (
	"context"
	"encoding/xml"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// sitePages are the pages of the league, by their paths, with the pages of its games.
func (h *testOffice) sitePages() map[string]string {
	h.Helper()
	pages, games, err := h.office.Secretary().LeagueSite("aquila")
	if err != nil {
		h.Fatal(err)
	}
	all := map[string]string{}
	for path, page := range pages {
		all[path] = string(page)
	}
	for _, id := range games {
		for _, language := range []string{"en", "it"} {
			page, err := h.office.Clerk().PublicArchive(id, language)
			if err != nil {
				h.Fatal(err)
			}
			all[language+"/games/"+id+".html"] = string(page)
		}
	}
	return all
}

// differs names the pages in which two sites differ.
func differs(a, b map[string]string) (all []string) {
	for _, path := range slices.Sorted(maps.Keys(a)) {
		if b[path] != a[path] {
			all = append(all, path)
		}
	}
	if len(a) != len(b) {
		all = append(all, fmt.Sprintf("%d pages and %d", len(a), len(b)))
	}
	return all
}

// The pages of a league have tables, cross-tables, schedules, ratings and the games that are over, in
// both languages, by initials; every link leads to a page that is there.
func TestThePagesOfALeague(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, strings.Replace(aquila, "brisk: 2d", "brisk: 60d", 1)+"ratings: {system: glicko-2, period: 10d}\n", names...)
	h.sitePages() // before anybody has entered
	h.enter(names...)
	h.asMember("bea@play.example", h.keyOf("bea"), "command: member\nname: Bea <b>Bianchi</b>\npublic-name: yes\n", mail.Processed)
	h.says(h.last("bea@play.example"), "have your name in full")
	h.start()
	playing := h.league().Divisions[0].Playing
	for _, id := range playing[:4] {
		h.playOut(id)
		h.tick()
		h.clock.move(12 * 24 * time.Hour)
	}
	site := h.sitePages()
	for _, path := range []string{"index.html", "en/index.html", "it/index.html", "en/season-1.html", "it/ratings.html", "en/feed.xml", "it/games/" + playing[0] + ".html"} {
		if site[path] == "" {
			t.Errorf("there is no %s", path)
		}
	}
	h.pagesAreSafe(site)
	if _, err := h.office.Clerk().PublicArchive(playing[5], "en"); err == nil {
		t.Error("the page of a running game is given out")
	}
	season := site["en/season-1.html"]
	for _, want := range []string{"Bea &lt;b&gt;Bianchi&lt;/b&gt;", "D.", "being played", "M-0004", "Sonneborn-Berger", "Round 1", "games/" + playing[3] + ".html", h.league().Commitment} {
		if !strings.Contains(season, want) {
			t.Errorf("the season's page lacks %q", want)
		}
	}
	for _, id := range playing[4:] {
		for path, page := range site {
			if strings.Contains(page, "games/"+id) || strings.Contains(path, id) {
				t.Errorf("%s shows %s, which is being played", path, id)
			}
		}
	}
	if n := strings.Count(site["it/ratings.html"], "<polyline"); n != 4 {
		t.Errorf("%d histories", n)
	}
	var feed struct {
		ID      string `xml:"id"`
		Updated string `xml:"updated"`
		Entries []struct {
			ID    string `xml:"id"`
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(site["it/feed.xml"]), &feed); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, e := range feed.Entries {
		ids[e.ID] = true
	}
	if len(ids) != 7 || !strings.HasPrefix(feed.ID, "tag:club.example,2026:aquila/") || !strings.Contains(feed.Entries[0].Title, "ha vinto contro") && !strings.Contains(feed.Entries[0].Title, "patta") {
		t.Errorf("the feed: %+v", feed)
	}
}

// pagesAreSafe finds that each page leads to pages that are there, names nobody, takes no name
// for markup and says everything in words.
func (h *testOffice) pagesAreSafe(site map[string]string) {
	h.Helper()
	for path, page := range site {
		folder := ""
		if i := strings.LastIndex(path, "/"); i >= 0 {
			folder = path[:i+1]
		}
		for _, m := range regexp.MustCompile(`href="([^"#]*)`).FindAllStringSubmatch(page, -1) {
			to := folder + m[1]
			if rest, up := strings.CutPrefix(m[1], "../"); up {
				to = rest
			}
			if m[1] != "" && site[to] == "" {
				h.Errorf("%s leads to %s, which is not there", path, to)
			}
		}
		if strings.Contains(page, "example\"") || strings.Contains(page, "@play") || strings.Contains(page, "@club") || strings.Contains(page, "dora") || strings.Contains(page, "Dora") || strings.Contains(page, "<b>") {
			h.Errorf("%s names somebody, or takes a name for markup", path)
		}
		if strings.Contains(page, "<script") && !strings.Contains(path, "/games/") {
			h.Errorf("%s has a script", path)
		}
		if found := regexp.MustCompile(`\[?(site|league)\.[a-z]+\.?[a-z-]*\b`).FindString(page); found != "" {
			h.Errorf("%s says %s", path, found)
		}
	}
}

// The same logs give the same pages, whenever they are asked for, and after a restart. A game that is
// opened again has no page any more, and the table no longer counts it.
func TestTheSamePagesForTheSameLogs(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, names...)
	h.enter(names...)
	h.start()
	playing := h.league().Divisions[0].Playing
	for _, id := range playing {
		h.playOut(id)
		h.tick()
	}
	site := h.sitePages()
	h.restart()
	h.clock.move(100 * 24 * time.Hour)
	if all := differs(site, h.sitePages()); len(all) > 0 {
		t.Errorf("these pages are others after 100 days: %v", all)
	}
	if _, err := h.office.Clerk().Rule(context.Background(), playing[0], "command: rewind\nstop: 1\norders: new\nreason: Dora has asked for it\n", "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	again := h.sitePages()
	if again["en/games/"+playing[0]+".html"] != "" || again["en/season-1.html"] == site["en/season-1.html"] || !strings.Contains(again["en/feed.xml"], "goes on") {
		t.Error("a game that was opened again is still shown as over")
	}
	h.playOut(playing[0])
	h.tick()
	for path, page := range h.sitePages() {
		if strings.Contains(page, "Dora") || strings.Contains(page, "asked for it") {
			t.Errorf("%s tells what a game master wrote", path)
		}
	}
}

// What a side has done in a game that is not over shows on no page: two offices in which only that
// differs make the same pages. So does a game whose result counts no longer but is still played.
func TestPagesTellNothingOfRunningGames(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	var sites []map[string]string
	for n := range 3 {
		h := aLeague(t, strings.Replace(aquila, "brisk: 2d", "brisk: 60d", 1), names...)
		h.enter(names...)
		h.start()
		playing := h.league().Divisions[0].Playing
		h.playOut(playing[0])
		h.tick()
		for _, id := range playing[1:] {
			g := h.record(id)
			for i, s := range g.Seats {
				if s.Owes == nil || n == 0 || n == 1 && i > 0 {
					continue
				}
				if faults, err := h.office.Clerk().Answer(context.Background(), id, s.Side, fmt.Sprintf("stop: %d\norders: default\n", s.Owes.Stop)); err != nil || len(faults) > 0 {
					t.Fatal(err, faults)
				}
				break
			}
		}
		if _, err := h.office.Secretary().Rule(context.Background(), "aquila", LeagueRuling{Kind: "withdraw", Of: []string{"M-0004"}}, "", true); err != nil {
			t.Fatal(err)
		}
		if early := h.sitePages(); len(early) != 11 { // those of the one game that is over, not of those that count no longer and are not closed yet
			t.Errorf("%d pages: %v", len(early), slices.Sorted(maps.Keys(early)))
		}
		forfeited := h.gameOf("ada@play.example")
		if _, err := h.office.Secretary().Rule(context.Background(), "aquila", LeagueRuling{Kind: "forfeit", Game: forfeited, Of: []string{"M-0001"}, Reason: "gone"}, "", true); err != nil {
			t.Fatal(err)
		}
		h.tick()
		site := h.sitePages()
		if !strings.Contains(site["en/feed.xml"], "won against A.") || !strings.Contains(site["en/season-1.html"], "games/"+forfeited) {
			t.Errorf("%s, which is forfeited and closed, is not shown so", forfeited)
		}
		if len(site) != 17 { // also those of two games of who has withdrawn, which are closed
			t.Errorf("%d pages: %v", len(site), slices.Sorted(maps.Keys(site)))
		}
		sites = append(sites, site)
	}
	for _, other := range sites[1:] {
		if all := differs(sites[0], other); len(all) > 0 {
			t.Errorf("these pages tell who has answered: %v", all)
		}
	}
}

// Once a season has ended the pages say what playing each side is reckoned to be worth.
func TestPagesSayWhatSidesAreWorth(t *testing.T) {
	withoutRace(t)
	h, _ := played(t, aquila)
	if page := h.sitePages()["en/ratings.html"]; strings.Contains(page, "playing a side") {
		t.Error("it is said before the season has ended")
	}
	h.clock.move(finalAfter)
	h.tick()
	h.must(h.office.Secretary().End(context.Background(), "aquila"))
	for path, want := range map[string]string{"en/ratings.html": "Side 1, set-up two, rounds: 1: ", "it/ratings.html": "Parte 2, impostazione two, rounds: 1: "} {
		if page := h.sitePages()[path]; !strings.Contains(page, want) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
}
