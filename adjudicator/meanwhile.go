package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders/phrase"
)

// beforehand judges an order file for a stop that a seat is asked about meanwhile, in the
// game as it would stand then, and keeps it sealed if it is good.
func beforehand(req *request, s *game.Seat, then *game.Loaded) error {
	file := req.form()
	file.Loaded = then
	seat := then.Game.Seat(s.Side)
	game.Kept(seat, s.Soon.Filed)
	answer, problems := file.Orders(seat, req.problems)
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	print := printOfVerdict("beforehand", seat.Owes.Stop, game.PrintOf(answer), nil)
	say := "office.meanwhile.draft"
	req.done("draft", mail.Processed)
	if !req.doc.Draft {
		req.done("beforehand", mail.Processed)
		say = "office.meanwhile.kept"
		taken := req.taken(seat)
		if err := req.Do(game.Beforehand{File: req.file(s, false, taken), Text: req.doc.Source, Sent: file.Sent(), Serial: req.doc.Serial}); err != nil {
			return err
		}
	}
	if tell, _, _ := req.tellOf(s, print, req.doc.Draft); !tell {
		return nil
	}
	ref := req.intake.reference()
	return req.Do(game.ToldOfFile{Side: s.Side, Re: &ref, Lines: []phrase.Phrase{phrase.Say(say, phrase.Within("stop", game.SayStop(seat.Owes)))}, Normal: answer.Orders().Encode()})
}
