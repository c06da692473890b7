package report

import (
	"time"

	"berthier/adjudicator/log"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Outside writes to somebody about no game at all: to a stranger, to whoever has shown no key
// that fits, to an administrator. It is given no game, so it can tell of none.
type Outside struct {
	office  *Office
	person  log.Person
	heading templates.Heading
}

// Outside is the writer for a person, about no game.
func (o *Office) Outside(p log.Person, now time.Time) Outside {
	return Outside{o, p, templates.Heading{Reader: readerOf(p), Spell: spellWith(nil, nil), Now: now}}
}

// notice writes a letter, with its moments by the clock of its reader.
func (o Outside) notice(n templates.Notice) templates.Letter {
	n.Heading = o.heading
	for i, line := range n.Lines {
		n.Lines[i] = o.office.AtHis(o.person, line)
	}
	return o.office.Words.Notice(n)
}

// Short is a letter of a few sentences.
func (o Outside) Short(subject phrase.Phrase, lines ...phrase.Phrase) templates.Letter {
	return o.notice(templates.Notice{Subject: subject, Lines: lines})
}

// With is a letter of a few sentences with a file.
func (o Outside) With(subject phrase.Phrase, file templates.File, lines ...phrase.Phrase) templates.Letter {
	return o.notice(templates.Notice{Subject: subject, Lines: lines, Files: []templates.File{file}})
}

// Alert is a letter about several games, whose ids its lines name, with letters that
// can be sent back.
func (o Outside) Alert(subject phrase.Phrase, texts []string, lines ...phrase.Phrase) templates.Letter {
	return o.notice(templates.Notice{Subject: subject, Lines: lines, Texts: texts})
}

// Refused tells what is wrong with a letter.
func (o Outside) Refused(r templates.Refused) templates.Letter {
	r.Heading = o.heading
	return o.office.Words.Refused(r)
}

// Help says how to write to the office, and what a player may command.
func (o Outside) Help(commands []string) templates.Letter {
	return o.office.Words.Notice(Help(o.heading, nil, commands))
}

// MasterHelp says what a game master may command.
func (o Outside) MasterHelp(commands []string) templates.Letter {
	return o.office.Words.Notice(MasterHelp(o.heading, commands))
}

// List lists the games that the reader looks after.
func (o Outside) List(games []Listed) templates.Letter {
	return o.office.Words.Notice(List(o.heading, games))
}

// OfficeKey tells an administrator his new key; line says why he has it.
func (o Outside) OfficeKey(key, line string) templates.Letter {
	return o.office.Words.Notice(templates.Notice{
		Heading: o.heading, Subject: phrase.Say("office.new-key.subject"), Lines: []phrase.Phrase{phrase.Say(line), phrase.Say("office.office-key.old")},
		Form: orders.Mapping().Set("key", orders.Text(key)).Set("command", orders.Text("list")).FormIn(o.heading.Reader.Language).Encode(),
	})
}
