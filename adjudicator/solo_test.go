package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/mail"
)

const cleaAt = "clea@play.example"

// alone opens an office whose club may play against the bot, twice at once, with one game of
// others in it.
func alone(t *testing.T) *testOffice {
	h := newTestOffice(t, func(h *testOffice) {
		h.opt.SoloGames, h.opt.Club, h.opt.AnswersPerHour = 2, []log.Person{{Name: "Clea", Address: "Clea@play.example", Language: "it"}}, 30
	})
	h.newGame(twoSides)
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.deliver(address)
	}
	return h
}

const soloForm = "command: new\nsetup:\n  system: lots\n  options: {rounds: 3}\n"

// soloID is the game of a code.
func soloID(code string) string {
	return "solo-" + strings.ToLower(strings.ReplaceAll(code[strings.Index(code, ": ")+2:], "-", ""))
}

// begin asks for a game against the bot and sends the code back.
func (h *testOffice) begin(address, form string) (*mail.Letter, string) {
	h.Helper()
	h.write(address, form, mail.Processed)
	asked := h.one(h.deliver(address))
	code := confirmLine.FindString(wordsOf(asked))
	if code == "" {
		h.Fatalf("no code in\n%s", wordsOf(asked))
	}
	h.clock.move(time.Minute)
	h.write(address, form+code+"\n", mail.Processed)
	return asked, code
}

// A player of a game, and somebody on the club's list, play against the bot by letter, with no
// master: nothing begins before the code has come back, and nobody else gets a letter.
func TestAGameAgainstTheBotByLetter(t *testing.T) {
	h := alone(t)
	for _, who := range []struct{ address, say string }{{redAt, "against the bot"}, {cleaAt, "contro il bot"}} {
		asked, code := h.begin(who.address, soloForm)
		h.says(asked, who.say)
		l := h.one(h.deliver(who.address))
		id := soloID(code)
		g := h.record(id)
		if !g.Solo || g.Seat("red").Person.Address != who.address || g.Seat("blue").Person.Bot != log.SensibleBot {
			t.Fatalf("the game is %+v", g)
		}
		h.write(who.address, fill(between(wordsOf(l)), "{bid: R-1}"), mail.Processed)
		if g := h.record(id); g.Stop < 2 || !g.Paused.IsZero() {
			t.Errorf("the game is at stop %d, paused %s", g.Stop, g.Paused)
		}
		h.write(who.address, soloForm+code+"\n", mail.Processed) // the code is used: another question
		h.lacks(h.last(who.address), "solo-")
	}
	h.write(redAt, "command: new\nsetup: {system: lots, seats: {red: {bot: random}}}\n", mail.Processed)
	h.silent(blueAt)
	h.silent(gmAt)
}

// A stranger gets nothing, and neither does anybody whom a letter names. A forger who writes
// from a player's address reads no code, and the player is told that nothing begins.
func TestNobodyUsesGamesAgainstTheBotToWriteToStrangers(t *testing.T) {
	h := alone(t)
	h.write("stranger@far.example", soloForm, mail.Rejected)
	h.silent("stranger@far.example")
	for _, form := range []string{
		soloForm + "  seats: {blue: {name: Victim, address: victim@far.example}}\n",
		soloForm + "  seats: {blue: victim@far.example}\n",
		soloForm + "  seats: [victim@far.example]\n",
		soloForm + "  gm: {name: Victim, address: victim@far.example}\n",
		soloForm + "  reserves: [{name: Victim, address: victim@far.example}]\n",
		soloForm + "  seats: {red: {bot: sensible}, blue: {bot: sensible}}\n",
		soloForm + "  seed: mine\n",
	} {
		h.write(cleaAt, form, mail.Rejected)
		h.deliver(cleaAt)
		h.clock.move(time.Hour)
	}
	h.silent("victim@far.example")
	h.write(redAt, soloForm, mail.Processed) // the forger
	h.says(h.one(h.deliver(redAt)), "nothing begins")
	for i := range 20 {
		h.write(redAt, soloForm+fmt.Sprintf("confirm: AAAA-%04d\n", i+2222), mail.Processed)
	}
	if err := h.office.read(func(tx store.Reader) error {
		for _, id := range append(tx.GamesOf(redAt, 100), tx.GamesOf(cleaAt, 100)...) {
			if id != "lot-1" {
				t.Errorf("there is a game %s", id)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if n := len(h.deliver(redAt)); n > 3 {
		t.Errorf("a forger has the office write %d letters in an hour", n)
	}
}

// Whoever wants to begin thousands of games has as many at once as he may. He can't begin
// more in a day by resigning them.
func TestNobodyBeginsThousandsOfGames(t *testing.T) {
	h := alone(t)
	for range 2 {
		_, code := h.begin(cleaAt, soloForm)
		h.deliver(cleaAt)
		id := soloID(code)
		h.write(cleaAt, command(h, id, "red", "command: resign"), mail.Processed)
		h.deliver(cleaAt)
		h.clock.move(time.Hour)
	}
	for range 50 {
		h.write(cleaAt, soloForm, mail.Rejected)
	}
	if n := len(h.deliver(cleaAt)); n == 0 || n > 10 {
		t.Errorf("%d answers", n)
	}
	h.clock.move(25 * time.Hour)
	h.begin(cleaAt, soloForm)
}

// An office whose configuration says nothing of such games has none.
func TestNoGamesAgainstTheBotUnlessConfigured(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.write(redAt, soloForm, mail.Rejected)
}
