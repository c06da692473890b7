package adjudicator

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders/phrase"
	"berthier/templates"
)

// errTried undoes what was tried.
var errTried = errors.New("it was tried")

// A tryout is what follows when a seat answers: what the seat is told, what it sees then, who is
// asked what, and which letters go out to the seat, in their order, each with its time.
type tryout struct {
	told, view string
	soon       bool // the seat is asked something meanwhile
	letters    []string
}

// tries lets a seat answer in its game as it would be with another position, in which each
// other seat has filed something ahead. Nothing of it stays.
func (h *match) tries(d engine.Decision, answer engine.Answer, p engine.Position, files string) (out tryout) {
	h.Helper()
	err := h.office.change(h.Context(), h.id, func(tr *transaction) error {
		tr.Place(p)
		for _, s := range tr.Game.Seats {
			if s.Side != d.Side && files != "" {
				s.Ahead = &log.Ahead{Filed: ahead.File(tr.Rules, p, s.Side, files), Entry: tr.Last.Seq, Sent: tr.Now, Epoch: s.Epoch}
			}
		}
		text := answer.Orders().Encode()
		before := len(tr.Entries)
		file := game.File{Side: d.Side, Taken: log.Taken{SeatStop: tr.Game.Seat(d.Side).Owes.Stop, File: text, Final: true}}
		if err := errors.Join(tr.Do(game.Answered{File: file, Text: text, Sent: tr.Now, Answer: answer}), tr.Do(game.Settled{})); err != nil {
			return err
		}
		for _, e := range tr.Entries[before:] {
			var body struct{ Data log.Resolved }
			if err := json.Unmarshal(e.Body, &body); err != nil {
				return err
			}
			var told []phrase.Phrase
			for _, event := range body.Data.Events {
				if say, ok := event.For(d.Side); ok {
					told = append(told, say)
				}
			}
			out.told += fmt.Sprint(told)
		}
		view, err := tr.Position.View(d.Side).Marshal()
		out.view, out.soon = string(view), tr.Game.Seat(d.Side).Soon != nil
		tr.carry()
		for _, l := range tr.outgoing {
			if l.Seat == d.Side {
				out.letters = append(out.letters, fmt.Sprint(l.Kind, l.Due.Sub(tr.Now), allOf(h.TB, *l.Letter)))
			}
		}
		if tr.Game.Stop > 6 && tr.Game.Stop%4 > 0 {
			return errors.Join(err, errTried) // to write a whole history takes long
		}
		asked, wrong := h.asks(tr, tr.Game.Seat(d.Side))
		out.letters = append(out.letters, asked...)
		return errors.Join(err, wrong, errTried)
	})
	if !errors.Is(err, errTried) {
		h.Fatal(err)
	}
	return out
}

// asks gives the letters by which a seat is told how the game stands and how it went: status, the
// report once more, and the history, with their pictures and plots.
func (h *match) asks(tr *transaction, s *game.Seat) (all []string, err error) {
	told, err := tr.letters.ToldAgain(s)
	history, wrong := tr.letters.History(s, nil)
	all = append(all, allOf(h.TB, h.office.words.Notice(tr.letters.Status(s))), allOf(h.TB, tr.letters.Report(s, told)))
	for _, n := range history {
		all = append(all, allOf(h.TB, h.office.words.Notice(n)))
	}
	return all, errors.Join(err, wrong)
}

// allOf is all of a letter: its words, its pictures with all marks and labels, and its files;
// but for hashes and keys, which say nothing.
func allOf(t testing.TB, l templates.Letter) string {
	rest, err := json.Marshal(l.Scenes)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range l.Files {
		rest = append(append(rest, "\n"+f.Name+"\n"...), f.Data...)
	}
	return veilHashes.ReplaceAllString(l.Subject+"\n"+l.Text+l.HTML, "") + "\n" + string(rest)
}

// Nothing that is hidden from a seat decides which letters go out to it, when, in which
// order, and what they say: neither the units and hands of others, nor what they have filed
// ahead for stops that do not come, at any pace. A seat answers in the game as it is, and in
// one that is made up from what it sees. As long as it is told and shown the same, its
// letters are the same, with stories, pictures, plots and files, and so is what it is asked
// meanwhile, and what it is told if it asks for the status, the report or the history.
func TestWhichLettersGoOutTellsNothing(t *testing.T) {
	if raceEnabled {
		return // whole games by letter: the run without the race detector plays them
	}
	least := map[string]int{"napoleon postal": 5, "napoleon every-decision": 5, "waterloo every-decision": 24, "waterloo by-plan": 10}
	if fullSamples {
		least["waterloo, three players by-plan"] = 24
	}
	for _, played := range matches {
		for _, pace := range []string{"postal", "every-decision", "by-plan"} {
			stops := least[played.name+" "+pace]
			if fullSamples {
				stops = max(stops, 12)
			} else if stops == 0 {
				continue
			}
			t.Run(played.name+" "+pace, func(t *testing.T) {
				t.Parallel()
				h := sit(t, played.rules, played.options, played.sides, masterOfHisOwn+"pace: "+pace+"\nsecond-thoughts: none\n")
				compared, soon := 0, 0
				sheet, _ := ahead.Sheet(played.rules)
				kinds := sheet.AheadKeys()
				for stop := range stops {
					position := h.position()
					owed := position.Owed()
					if _, over := position.Outcome(); over {
						break
					}
					if d := owed[0]; len(owed) == 1 {
						view := position.View(d.Side)
						answer := pondered(h, view, d, stop)
						other, err := played.rules.(engine.Sampler).Sample(view, d, rand.New(rand.NewPCG(uint64(stop), 7)))
						if err != nil {
							t.Fatal(err)
						}
						if !slices.Equal(other.Owed(), owed) {
							h.answerStop(nil) // in the other world a side has not answered yet
							continue
						}
						one := h.tries(d, answer, position.Clone(), "")
						two := h.tries(d, answer, other, kinds[stop%len(kinds)]+": default\n")
						if one.told == two.told && one.view == two.view {
							if compared++; one.soon {
								soon++
							}
							if !slices.Equal(one.letters, two.letters) {
								t.Fatalf("stop %d: %s, who answers %s, gets other letters where what is hidden is otherwise: %s", stop, d.Side, d.Kind,
									diffLine([]byte(strings.Join(one.letters, "\n=====\n")), []byte(strings.Join(two.letters, "\n=====\n"))))
							}
						}
					}
					h.answerStop(nil)
				}
				t.Logf("%d moments were compared, at %d of which something was asked meanwhile", compared, soon)
				if compared == 0 || pace == "every-decision" && played.name == "waterloo" && soon == 0 {
					t.Error("too little was compared")
				}
			})
		}
	}
}
