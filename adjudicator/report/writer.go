package report

import (
	"log/slog"
	"strconv"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Keys gives the keys of those who take part in a game.
type Keys interface {
	Seat(g *game.State, s *game.Seat) string
	GM(g *game.State) string
	Master(g *game.State, p log.Person) string
}

// An Office is what the letters of an office have in common.
type Office struct {
	Words *templates.Words
	Keys  Keys
	Sign  func(*log.Export) // signs the log of a game that is over; nil: nobody does
	From  string            // the address that letters come from
	// HelpURL is where the guide and the rules can be read; "": nowhere but by letter.
	HelpURL string
	// Calendar is what calendars know the deadline of a seat's stop by.
	Calendar func(game string, side engine.Side, stop int) string
	// MayTry tells whether a draft may be played out so often more, and counts it; whose the
	// draft is names the game and the seat, or the game master.
	MayTry func(whose string, now time.Time, runs int) bool
	// Logger is told what had to be left out of a letter that goes out all the same.
	Logger *slog.Logger
}

// A Writer writes letters about one game as it stands in a turn. It changes nothing of it.
type Writer struct {
	*Office
	turn     *game.Turn
	past     *past.History
	finished *finished
	shown    *shown
	reader   *log.Person // who reads the answers to the game master's letter; nil: the game master
	gains    bool        // he gains or loses by the game, as an umpire of its league
}

// ReadBy sets for whom the answers to the game master's letter are written (nil: the game master), and whether he gains or loses by the game.
func ReadBy(w *Writer, p *log.Person, gains bool) { w.reader, w.gains = p, gains }

// shown are the pages of the reports that were written and are not yet committed, by the
// books of their players.
type shown struct{ pages map[engine.Side]*Shown }

// finished is what letters tell of a finished game, made once for all of them: its page, by
// language, and its course.
type finished struct {
	pages  map[string][]byte
	course *told
}

// Of gives the writer for a turn and the past that goes with it.
func (o *Office) Of(t *game.Turn, p *past.History) *Writer {
	return &Writer{Office: o, turn: t, past: p, finished: &finished{pages: map[string][]byte{}}, shown: &shown{map[engine.Side]*Shown{}}}
}

// then is the writer for the game as it stood when something was told.
func (w *Writer) then(e game.Told) *Writer {
	t := &game.Turn{Loaded: e.At, Around: w.turn.Around, Entries: w.turn.Entries[:e.Entries], Checkpoints: w.turn.Checkpoints[:e.Kept],
		Answers: e.Answers, Readings: e.Readings}
	return &Writer{Office: w.Office, turn: t, past: w.past.In(t), finished: w.finished, shown: w.shown}
}

// Heading is what stands on all letters to a seat. A player gets the hash of a
// log entry without its number, which would tell how much the other side has
// written in between; when the game is over, with it. For the same reason it is the last entry's only in a
// report and when that entry is about him: otherwise two letters with different
// hashes would tell that the other side has written.
func (w *Writer) Heading(s *game.Seat) templates.Heading {
	return templates.Heading{
		Reader: readerOf(s.Person), Game: w.turn.Game.ID, Title: w.turn.Game.Title, System: w.turn.Game.System,
		Side: s.Side, Spell: spellWith(w.turn.View(s.Side).Spell, w.Keywords()), Entry: int(s.Entry), Hash: s.Hash, Now: w.turn.Now,
		News: w.restored(s), Help: w.HelpURL, Words: w.Keywords(),
	}
}

// spellWith names things as a game does, keywords of order files as its vocabulary does, and
// commands and keywords that only the office knows as the office does. Nil: there is no game.
func spellWith(theGame func(kind, id, language string) string, words *orders.Words) func(kind, id, language string) string {
	return func(kind, id, language string) string {
		if kind == phrase.KindCommand {
			return game.Vocabulary.Spell(id, language)
		}
		name := id
		if theGame != nil {
			name = theGame(kind, id, language)
		}
		inFile := kind == phrase.KindKeyword || kind == phrase.KindOrders
		if inFile && name == id && words != nil {
			name = words.Spell(id, language)
		}
		if inFile && name == id {
			return game.Vocabulary.Spell(id, language)
		}
		return name
	}
}

// readerOf is a person as the reader of a letter.
func readerOf(p log.Person) templates.Reader {
	return templates.Reader{Name: p.Name, Language: p.Language, Zone: timing.Zone(p.Zone)}
}

// GMHeading is what stands on answers to the game master's letter.
func (w *Writer) GMHeading() templates.Heading {
	return masterHeading(w, masterOf(w), w.gains)
}

// masterOf is who reads answers to the game master's letter.
func masterOf(w *Writer) log.Person {
	if w.reader != nil {
		return *w.reader
	}
	return w.turn.Game.GM
}

// masterHeading is what stands on letters to somebody who looks after the game. One who plays, and may not
// see what is hidden, or gains by the game, does not get the end of the log: it would tell him when the
// other players write.
func masterHeading(w *Writer, p log.Person, gains bool) templates.Heading {
	h := templates.Heading{
		Reader: readerOf(p), Game: w.turn.Game.ID, Title: w.turn.Game.Title, System: w.turn.Game.System,
		Side: engine.GM, Spell: spellWith(w.turn.View(engine.GM).Spell, w.Keywords()), Entry: int(w.turn.Last.Seq), Hash: w.turn.Hash(), Now: w.turn.Now, Help: w.HelpURL, Words: w.Keywords(),
	}
	if _, blind := w.turn.Blind(p.Address); blind || gains {
		h.Entry, h.Hash = 0, ""
	}
	return h
}

// Owed is what a seat owes, as letters tell it; nil if nothing. A letter with a template
// needs a serial number of its own ([game.Seat.NewSerial]): whoever queues it sees to that.
func (w *Writer) Owed(s *game.Seat, template bool) *templates.Owed {
	if s.Owes == nil {
		return soon(w, s, template)
	}
	o := &templates.Owed{
		Stop: s.Owes.Stop, Decision: s.Owes.Decision, Deadline: s.Owes.Deadline, Answered: s.Owes.Answer != nil, Waits: s.Owes.Waits,
		Calendar: templates.Calendar{UID: w.Calendar(w.turn.Game.ID, s.Side, s.Owes.Stop), Organizer: w.From, Sequence: s.Owes.Moves},
	}
	if template {
		o.Template = w.Template(s)
		withJoined(w, s, o)
		o.Names = nameUnits(w.turn.View(s.Side), o.Template, s.Person.Language)
	}
	return o
}

// Keywords are those of the game's order files, in every language; nil if its ruleset does not tell.
func (w *Writer) Keywords() *orders.Words {
	if shaped, ok := w.turn.Rules.(engine.Shaped); ok {
		return shaped.Keywords()
	}
	return nil
}

// envelope are the first lines of an order file of a seat: whose it is, and for what.
func envelope(w *Writer, s *game.Seat) *orders.Node {
	file := orders.Mapping().
		Set("game", orders.Text(w.turn.Game.ID)).
		Set("side", orders.Text(string(s.Side)))
	if s.Owes != nil {
		file.Set("stop", stopNode(s.Owes))
	}
	return file.Set("key", orders.Text(w.Keys.Seat(w.turn.Game, s))).
		Set("serial", orders.Number(s.Serial))
}

// Head are those lines as they stand in a file that is given back, in its player's language.
func (w *Writer) Head(s *game.Seat) []string {
	head, language := envelope(w, s), s.Person.Language
	if s.Owes != nil {
		stop := phrase.Say("letter.stop-name", phrase.Name("stop", "stop", s.Owes.Decision.Kind))
		head = head.FileIn(language, w.Keywords(), w.Words.Say(language, stop, w.turn.View(s.Side).Spell))
	}
	return strings.Split(strings.TrimSuffix(head.Encode(), "\n"), "\n")
}

// Template is the whole order file of what a seat owes, ready to fill in.
func (w *Writer) Template(s *game.Seat) *orders.Node {
	file := envelope(w, s)
	body := w.turn.Rules.Template(w.turn.View(s.Side), s.Owes.Decision)
	if body != nil {
		for _, p := range body.Pairs {
			file.Pairs = append(file.Pairs, orders.Pair{Key: p.Key, Value: p.Value})
		}
		file.Below, file.Spare = body.Below, body.Spare
	}
	drafted(w, s, file)
	return file
}

// stopNode is a stop as order files write it: its number and name.
func stopNode(o *game.Owes) *orders.Node {
	return orders.Text(strconv.Itoa(o.Stop) + " " + o.Decision.Kind)
}

// waits tells whether the game waits for others, as far as a seat may know: it does
// if it goes on and the seat itself owes nothing. To a seat that owes an answer
// nothing is said of others: whether they are asked, too, may hang on standing
// orders, which are secret.
func waits(w *Writer, s *game.Seat) bool { return w.turn.Game.Phase == game.Running && s.Owes == nil }

// form begins a letter to the office that somebody can fill in and send: about the game,
// with a key of his, and a command.
func (w *Writer) form(key, command string) *orders.Node {
	return orders.Mapping().Set("game", orders.Text(w.turn.Game.ID)).Set("key", orders.Text(key)).Set("command", orders.Text(command))
}
