package intake

import (
	"errors"
	"testing"

	"berthier/mail"
)

// A known writer is one of whom everything is known.
type known struct {
	waiting, player, maker bool
	solos, member          bool
	key                    string
	joins, onRoll          bool
	memberKey, stopCode    string
	err                    error
}

func (k known) WaitsForGame() (bool, error) { return k.waiting, nil }
func (k known) Plays() (bool, error)        { return k.player, k.err }
func (k known) Makes() bool                 { return k.maker }
func (k known) Solos(plays bool) bool       { return k.solos && (plays || k.member) }
func (k known) Joins() bool                 { return k.joins }
func (k known) IsMember() (bool, error)     { return k.onRoll, k.err }
func (k known) HasMemberKey(key string) (bool, error) {
	return SameKey(key, k.memberKey), k.err
}
func (k known) HasStopCode(code string) (bool, error) { return SameKey(code, k.stopCode), k.err }
func (k known) HasKey(key string) (bool, error)       { return SameKey(key, k.key), k.err }

// Only who wrote a letter and what it holds decide what is done with it.
func TestDecide(t *testing.T) {
	player, maker := known{player: true}, known{maker: true, key: "K7QF-2M9D"}
	for name, c := range map[string]struct {
		letter mail.Letter
		text   string
		file   string // attached
		writer known
		want   Do
	}{
		"a bounce, whoever it is from":        {letter: mail.Letter{Bounce: &mail.Bounce{}}, want: Bounce},
		"of a mail program that unsubscribes": {letter: mail.Letter{Automatic: "list", Subject: "Unsubscribe  ABCD-EFGH "}, text: "game: g\nkey: k\n", writer: known{onRoll: true, stopCode: "ABCD-EFGH"}, want: Unsubscribe},
		"that unsubscribes with another code": {letter: mail.Letter{Subject: "unsubscribe ABCD-EFGK"}, text: "", writer: known{onRoll: true, stopCode: "ABCD-EFGH"}, want: NoFile},
		"that unsubscribes without a code":    {letter: mail.Letter{Subject: "unsubscribe "}, text: "", writer: known{onRoll: true, stopCode: ""}, want: NoFile},
		"of a program":                        {letter: mail.Letter{Automatic: "list"}, writer: player, want: Ignore},
		"before there is a game":              {text: "game: g\nkey: k\n", writer: known{waiting: true}, want: Wait},
		"of a stranger":                       {text: "game: g\nkey: k\n", want: Stranger},
		"without a file":                      {text: "", writer: player, want: NoFile},
		"with a file that is no map":          {file: "- game\n- key\n", writer: player, want: Unreadable},
		"for help":                            {text: "command: help\n", writer: player, want: Help},
		"for help with a key":                 {text: "command: help\nkey: ABCD-EFGH\n", writer: player, want: Order},
		"for a game":                          {text: "game: g\nkey: ABCD-EFGH\norders: none\n", writer: player, want: Order},
		"with the office's key":               {text: "command: list\nkey: k7qf 2m9d\n", writer: maker, want: Command},
		"with another key than the office's":  {text: "command: list\nkey: K7QF-2M9E\n", writer: maker, want: Order},
		"for a game against the bot":          {text: "command: new\nsetup: {system: lots}\n", writer: known{player: true, solos: true}, want: Solo},
		"for one, of the club":                {text: "command: new\nsetup: {system: lots}\n", writer: known{solos: true, member: true}, want: Solo},
		"for one, of a stranger":              {text: "command: new\nsetup: {system: lots}\n", writer: known{solos: true}, want: Stranger},
		"for one, where there are none":       {text: "command: new\nsetup: {system: lots}\n", writer: known{member: true}, want: Stranger},
		"of the club about something else":    {text: "command: help\n", writer: known{solos: true, member: true}, want: Stranger},
		"for a game of another kind":          {text: "command: new\nkey: K7QF-2M9D\nsetup: {game: g}\n", writer: known{maker: true, solos: true, key: "K7QF-2M9D"}, want: Command},
		"to join":                             {text: "command: join\nname: Ada\n", writer: known{joins: true}, want: Join},
		"to join, where nobody may":           {text: "command: join\nname: Ada\n", want: Stranger},
		"to join, with a key":                 {text: "command: join\nkey: ABCD-EFGH\n", writer: known{joins: true}, want: Stranger},
		"that shows an address":               {text: "command: address\nplayer: M-0001\nconfirm: ABCD-EFGH\n", want: Join},
		"about an address, of a stranger":     {text: "command: address\naddress: a@b.example\n", want: Stranger},
		"of a member":                         {text: "command: record\nkey: M2M2-M2M2\n", writer: known{onRoll: true, memberKey: "M2M2-M2M2"}, want: Member},
		"of a member, with a wrong key":       {text: "command: record\nkey: M2M2-M2M3\n", writer: known{onRoll: true, memberKey: "M2M2-M2M2"}, want: Order},
		"with the key of a member, forged":    {text: "command: record\nkey: M2M2-M2M2\n", writer: known{memberKey: "M2M2-M2M2"}, want: Stranger},
		"with the office's key, of a player":  {text: "command: list\nkey: K7QF-2M9D\n", writer: known{player: true, key: "K7QF-2M9D"}, want: Order},
	} {
		m := c.letter
		m.Parts = []mail.Part{{Kind: mail.Plain, Text: c.text}}
		if c.file != "" {
			m.Parts = append(m.Parts, mail.Part{Kind: mail.Attachment, Name: "orders.yaml", Text: c.file})
		}
		l := &Letter{Mail: &m, From: "a@x.example"}
		d, err := l.Decide(c.writer)
		if err != nil || d.Do != c.want {
			t.Errorf("%s: %d, %v, want %d", name, d.Do, err, c.want)
		}
		if kept := c.want == NoFile || c.want == Unreadable; l.Unread != kept {
			t.Errorf("%s: kept as unread: %v", name, l.Unread)
		}
	}
	lost := errors.New("the disk is gone")
	l := &Letter{Mail: &mail.Letter{}}
	if _, err := l.Decide(known{err: lost}); !errors.Is(err, lost) {
		t.Errorf("a store that can't be read: %v", err)
	}
}
