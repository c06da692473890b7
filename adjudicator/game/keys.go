package game

import (
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// KeyChanged is that a seat, or a game master, has another key: the old one, which somebody
// may have seen, is worth nothing from now on. Its holder is told, with what he owes under it.
type KeyChanged struct {
	Side   engine.Side // engine.GM: the game master's
	Master string      // the address of a further game master, whose key it is; "": no such one's
	By     string
	Line   string     // code of what tells him why
	Re     *Reference // the letter that asked for it, if it was his own
}

func (k KeyChanged) happen(t *Turn) error {
	n := Notice{Re: k.Re, Subject: phrase.Say("office.new-key.subject"), Lines: []phrase.Phrase{phrase.Say(k.Line), phrase.Say("office.new-key.old")}, Key: true}
	if p := t.Game.Master(k.Master); p != nil {
		t.Game.newKeyFor(p.Address)
		if err := t.Log(log.Entry{Kind: log.KindKey, Seat: engine.GM, By: k.By, Data: map[string]any{"further": t.Game.KeysGiven}}); err != nil {
			return err
		}
		t.Tell(engine.GM, *p, n)
		return nil
	}
	s, keys := t.Game.Seat(k.Side), &t.Game.Keys
	if s != nil {
		keys = &s.Keys
	}
	*keys++
	if err := t.Log(log.Entry{Kind: log.KindKey, Seat: k.Side, By: k.By, Data: map[string]any{"keys": *keys}}); err != nil {
		return err
	}
	if s == nil {
		t.Tell(engine.GM, t.Game.GM, n)
		return nil
	}
	s.NewSerial()
	n.Owed, n.Template = true, true
	t.toSeat(s, n)
	return nil
}

// KeyRegistered is that the letters of a seat, or of the game master, are signed with a key
// from now on.
type KeyRegistered struct {
	Side        engine.Side // engine.GM: the game master's
	PGP         string      // the public key, armoured
	Fingerprint string
}

func (k KeyRegistered) happen(t *Turn) error {
	if s := t.Game.Seat(k.Side); s != nil {
		s.Person.PGP = k.PGP
		t.TellSeat(s, phrase.Say("office.public-key.subject"), phrase.Say("office.public-key.what", phrase.Literal("fingerprint", k.Fingerprint)))
	} else {
		t.Game.GM.PGP = k.PGP
	}
	return t.Log(log.Entry{Kind: log.KindKey, Seat: k.Side, By: log.ByGM, Data: map[string]any{"public": true}, Private: map[string]any{"pgp": k.PGP}})
}
