package adjudicator

import (
	"context"
	"errors"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// forGame takes in a letter of somebody who takes part in a game, if it has the proof
// that the game demands.
func (it *arrival) forGame(ctx context.Context, games []string, game string, doc *orders.Document, problems orders.Problems) (mail.Folder, error) {
	gains, err := umpireGains(it.office, game, it.From) // outside, since a league is not asked while one of its games is changed
	if err != nil {
		return mail.Leave, err
	}
	list, err := listFor(it, doc)
	if err != nil {
		return mail.Leave, err
	}
	return it.proven(ctx, games, game, func(tr *transaction) (*request, error) {
		id, ok := it.office.keys.Whose(tr.Game, it.From, doc)
		if !ok {
			return nil, intake.ErrNotTheirs
		}
		public := tr.Game.SignsFor(id.Master)
		tr.reader = id.Master
		report.ReadBy(tr.letters, tr.reader, gains)
		if !id.Gm {
			public = tr.Game.Seat(id.Seat).Person.PGP
		}
		doc, problems, err := it.Prove(tr.Game.ProofLevel(), public, doc, problems)
		if err != nil {
			return nil, err
		}
		return &request{transaction: tr, intake: it, doc: doc, problems: problems, who: *id, gains: gains, games: list}, nil
	})
}

// proven does in a game what a letter says, as the request that is made of it once it
// is proven; a letter that is not is answered. Whoever makes the request asks prove.
func (it *arrival) proven(ctx context.Context, games []string, game string, requests func(*transaction) (*request, error)) (mail.Folder, error) {
	folder, err := it.receive(ctx, game, requests)
	if errors.Is(err, intake.ErrAskDomain) { // outside, so that the game does not wait for the DNS
		if err := askDomain(ctx, it); err != nil {
			return mail.Leave, err
		}
		folder, err = it.receive(ctx, game, requests)
	}
	var unproven *intake.UnprovenError
	if errors.As(err, &unproven) {
		return it.unproven(ctx, games, unproven.Code)
	}
	return folder, err
}

// askDomain finds out whether the letter's domain is proven. If the context ends meanwhile nothing is found out, and the letter
// has to come again: that is the error.
func askDomain(ctx context.Context, it *arrival) error {
	it.Domain, it.Asked = it.Mail.ProveDomain(ctx, it.office.opt.LookupTXT), true
	return ctx.Err()
}

// receive does in a game what a letter says, as the request that is made of it.
func (it *arrival) receive(ctx context.Context, game string, requests func(*transaction) (*request, error)) (folder mail.Folder, err error) {
	what := ""
	err = it.office.change(ctx, game, func(tr *transaction) error {
		req, err := requests(tr)
		if err != nil {
			return err
		}
		tr.Who = it.From
		if err := req.receive(); err != nil {
			return err
		}
		folder, what = req.folder, req.what
		return it.mark(&tr.also, game, what, folder)
	})
	if err == nil {
		it.office.log.Info("letter taken in", "what", what, "game", game, "msg_id", it.Mail.MessageID)
	}
	return folder, err
}

// A request is a letter in the game that it belongs to.
type request struct {
	*transaction
	gains    bool            // its writer is the umpire of a league, and gains or loses by the game
	games    []report.Listed // that its writer looks after, if it asks for them
	intake   *arrival
	doc      *orders.Document
	problems orders.Problems // of the envelope
	who      intake.Who
	folder   mail.Folder
	what     string
	faults   orders.Problems // for which the letter was refused
	repeats  bool            // it orders what is in force already
	refiled  *log.Refiled    // it is a letter that the game master filed again
}

func (req *request) done(what string, folder mail.Folder) { req.what, req.folder = what, folder }

// receive does what the letter says.
func (req *request) receive() error {
	req.problems = append(req.problems, wrongGame(req.doc, req.Game.ID)...)
	if req.who.Gm {
		return req.fromGM()
	}
	s := req.Game.Seat(req.who.Seat)
	if err := req.Do(game.Wrote{Side: s.Side}); err != nil {
		return err
	}
	if req.doc.Command != "" {
		return req.command(s)
	}
	return req.answer(s, false)
}

// form is the letter as it is read for this game.
func (req *request) form() *intake.File {
	return &intake.File{Loaded: req.Loaded, Doc: req.doc, Letter: &req.intake.Letter, Now: req.Now, Seat: req.who.Seat, Languages: templates.Languages, Clean: templates.Clean}
}

// fault is a problem at a key of the file.
func (req *request) fault(key string, why phrase.Phrase) orders.Problem {
	return (&intake.File{Doc: req.doc}).Fault(key, why)
}

// value gives the value of a key of the file, nil if it has none.
func (req *request) value(key string) *orders.Node { return req.doc.Field(key) }
