package report

import (
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/member"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Member tells a member how the office knows him.
func (o Outside) Member(m *member.Member, now time.Time) templates.Letter {
	lines := []phrase.Phrase{
		phrase.Say("club.member.who", phrase.Literal("member", m.ID), phrase.Literal("name", m.Name)),
		phrase.Say("club.member.addresses", phrase.Literal("first", m.Addresses[0]), phrase.Literals("addresses", m.Addresses)),
		phrase.Say("club.member.clock", phrase.Literal("zone", orUTC(m.Zone))),
	}
	if m.Public {
		lines = append(lines, phrase.Say("club.member.public"))
	} else {
		lines = append(lines, phrase.Say("club.member.initials"))
	}
	if m.NoWeekly {
		lines = append(lines, phrase.Say("club.member.no-weekly"))
	}
	if m.Club != "" || len(m.Family) > 0 {
		lines = append(lines, phrase.Say("club.member.ties", phrase.Literal("club", m.Club), phrase.Literals("family", m.Family)))
	}
	for _, a := range m.Absences {
		if a.Until.After(now) {
			lines = append(lines, phrase.Say("club.member.away", phrase.Within("from", game.Moment(a.From)), phrase.Within("until", game.Moment(a.Until))))
		}
	}
	return o.notice(templates.Notice{Subject: phrase.Say("club.member.subject", phrase.Literal("member", m.ID)),
		Lines: append(lines, phrase.Say("club.member.change"))})
}

func orUTC(zone string) string {
	if zone == "" {
		return "UTC"
	}
	return zone
}

// mostCauses is how many of the stops that count against a member his record names.
const mostCauses = 40

// Record tells a member how he answers: in all, game by game, and what counts against him.
func (o Outside) Record(m *member.Member, games []member.Served, now time.Time) templates.Letter {
	head := []engine.Column{{Head: phrase.Say("club.record.game")}}
	for _, name := range []string{"asked", "in-time", "in-grace", "missed", "resigned"} {
		head = append(head, engine.Column{Head: phrase.Say("club.record." + name), Right: true})
	}
	t := engine.Table{Head: head}
	lines := []phrase.Phrase{phrase.Say("club.record.figure", phrase.Number("percent", member.Reliability(games, now))), phrase.Say("club.record.how")}
	if k := member.KeptIn(games); k.Abandoned > 0 {
		lines = append(lines, phrase.Say("club.record.kept", phrase.Number("finished", k.Finished), phrase.Number("abandoned", k.Abandoned), phrase.Within("at", game.Moment(k.Last))))
	}
	var causes []phrase.Phrase
	for _, g := range games {
		t.Rows = append(t.Rows, []phrase.Value{text(g.Game), count(len(g.Stops)), count(g.Count(member.InTime)), count(g.Count(member.InGrace)),
			count(g.Count(member.Missed)), count(len(g.Resigned))})
		for _, s := range g.Stops {
			if s.How == member.Missed {
				causes = append(causes, phrase.Say("club.record.cause", phrase.Literal("game", g.Game), phrase.Number("stop", s.Number), phrase.Within("at", game.Moment(s.At))))
			}
		}
	}
	lines = append(lines, causes[max(0, len(causes)-mostCauses):]...)
	n := templates.Notice{Subject: phrase.Say("club.record.subject"), Lines: lines}
	if len(t.Rows) > 0 {
		n.Tables = []engine.Table{t}
	}
	return o.notice(n)
}
