package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// playedGames are the games that are played at the machine: each system of the program, in its
// shortest form.
var playedGames = map[string][]string{
	"enemy-mistakes": {"--game", "enemy-mistakes", "--side", "red", "--option", "game=short"},
	"hfg":            {"--game", "hfg", "--side", "french", "--option", "sunset-pairs=6"},
	"napoleon":       {"--game", "napoleon", "--side", "french"},
	"waterloo":       {"--game", "waterloo", "--side", "anglo", "--option", "scenario-length=quick", "--language", "it"},
}

// TestEachSystemIsPlayedAtTheMachine holds the list above against the systems of the program.
func TestEachSystemIsPlayedAtTheMachine(t *testing.T) {
	for system := range rulesets {
		if playedGames[system] == nil {
			t.Errorf("no game of %s is played", system)
		}
	}
}

// TestAGameIsPlayedByOrders plays a whole game of each system against the bot by nothing but
// order files, each by a process of its own, ten of which are killed at some moment. The game
// goes on where it was, and holds in the end, with every letter that the player got. The
// short sample ends after the tenth death, and proves no more than that the game goes on.
func TestAGameIsPlayedByOrders(t *testing.T) {
	if raceEnabled {
		return // the processes run one after the other
	}
	for system, args := range playedGames {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "game")
			chance := rand.New(rand.NewPCG(1815, uint64(len(system))))
			if out, err := berthier(append([]string{"play", "--no-browser", "--out", folder}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			kills, stops, most := 0, 0, 4
			if fullSamples {
				most = 10
			}
			for ; ; stops++ {
				if stops > 300 {
					t.Fatal("the game does not end")
				}
				if kills == most && !fullSamples {
					return
				}
				next := func() *exec.Cmd {
					return berthier("play", "--resume", folder, "--json", "--orders", filepath.Join(folder, ordersName))
				}
				if kills < most && (fullSamples || chance.IntN(2) == 0) {
					kills++
					killed := next()
					if err := killed.Start(); err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Duration(chance.IntN(250)) * time.Millisecond)
					_ = killed.Process.Kill()
					_ = killed.Wait()
					// Whoever goes on sees at what stop the game is, and writes for that one.
					if out, err := berthier("play", "--no-browser", "--resume", folder).CombinedOutput(); err != nil {
						t.Fatalf("after a death: %v\n%s", err, out)
					}
				}
				cmd := next()
				var errout bytes.Buffer
				cmd.Stderr = &errout
				out, err := cmd.Output()
				var p played
				if jerr := json.Unmarshal(out, &p); jerr != nil {
					t.Fatalf("%v, %v\n%s%s", err, jerr, out, errout.Bytes())
				}
				if p.Over {
					break
				}
				if err != nil || p.Verdict != "taken" || p.Stop == 0 || p.Kind == "" {
					t.Fatalf("stop %d: %v\n%s%s", stops, err, out, errout.Bytes())
				}
			}
			if kills < most {
				t.Errorf("a game of %d stops met %d deaths, not %d", stops, kills, most)
			}
			if out, err := berthier("game", "verify", filepath.Join(folder, "game.yaml"), "--letters", filepath.Join(folder, "letters")).CombinedOutput(); err != nil {
				t.Errorf("after %d stops and %d deaths: %v\n%s", stops, kills, err, out)
			}
		})
	}
}

// berthier is a process of the program.
func berthier(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"berthier"}, args...), Env: os.Environ()}
}

// TestASittingAtTheMachine types what a newcomer types: a question, an order that is refused,
// the default; he leaves, and comes back to where he was.
func TestASittingAtTheMachine(t *testing.T) {
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "")
	folder := filepath.Join(t.TempDir(), "game")
	sitting := func(typed string, args ...string) string {
		t.Helper()
		cmd := berthier(append([]string{"play"}, args...)...)
		cmd.Stdin = strings.NewReader(typed)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	out := sitting("help\nundo\nwhy NAP-9.9\n- mvoe: {to: Ligny}\nundo\n?\n?why NAP-6.4\n?policies\n?why 1\n?why 99\n?nothing\n- move: {from: Atlantis, to: Ligny, units: all}\n\nok\ndefault\n?why 2\n"+
		"- move: {from: Philippeville, via: [Chimay], to: Beaumont, units: [F-17]}\n\nok\nA\n?why 4\n?why 10\nquit\n", "--out", folder)
	for _, want := range []string{
		"The bot plays Allied", "ok             sends the order file", "NAP-6.4", "There is no ?nothing", "were refused", "The game is kept",
		"orders for stop 1, deployment", "orders for stop 2, movement",
		"Nothing is typed yet", "Dropped: - mvoe: {to: Ligny}", "one more, or an empty line to send>", "^ There is no move here; possible are deploy or rest",
		"No report to you has an event 99", "2. The French have deployed. [NAP-4.0]", "answer with A or B", "by force: it rolls a die", "There is nothing to confirm",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the sitting does not say %q:\n%s", want, out)
		}
	}
	out = sitting("aiuto\nannulla\n?mappa\n?perché 99\n- mvoi: {a: Ligny}\nannulla\n- muovi: {da: Atlantide, a: Ligny, unità: tutte}\n\npredefinito\nesci\n", "--out", folder+"-it", "--language", "it")
	for _, want := range []string{
		"ok               invia il file di ordini com'è", "Non è ancora scritto nulla", "ordini per la domanda 2, movimento", "mostra il rapporto",
		"Nessun rapporto per te ha un evento 99", "un'altra riga, o una riga vuota per inviare>", "Tolta: - mvoi", "Gli ordini sono stati rifiutati",
		"La partita è conservata. Per proseguire: berthier play --resume",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the sitting in Italian does not say %q:\n%s", want, out)
		}
	}
	for _, english := range []string{"orders for", "The game", "Nothing", "Report:", "Order file:"} {
		if strings.Contains(out, english) {
			t.Errorf("the sitting in Italian says %q:\n%s", english, out)
		}
	}
	if out := sitting("quit\n", "--resume", folder); !strings.Contains(out, "orders for stop 3, movement") {
		t.Errorf("who comes back is not asked where he was:\n%s", out)
	}
	if out, err := berthier("play", "--resume", t.TempDir()).CombinedOutput(); err == nil || !strings.Contains(string(out), "hint: name a folder that berthier play has made") {
		t.Errorf("an empty folder: %v\n%s", err, out)
	}
	if out, err := berthier("play", "--side", "roman").CombinedOutput(); err == nil || !strings.Contains(string(out), "--seat is one of french, allied") {
		t.Errorf("a side that is none: %v\n%s", err, out)
	}
}

// TestALongLetterKeepsNoneWaiting takes out a letter that is longer than one that an office takes in, as a
// told history may be. What the player is shown is its text, and it is not offered again.
func TestALongLetterKeepsNoneWaiting(t *testing.T) {
	s := &sitting{folder: t.TempDir()}
	if err := os.Mkdir(s.path("letters"), 0o755); err != nil {
		t.Fatal(err)
	}
	raw := "From: " + demoOffice + "\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nwhat has happened\r\n--b\r\n" +
		"Content-Type: image/png\r\n\r\n" + strings.Repeat("x", mail.MaxLetter) + "\r\n--b--\r\n"
	if err := s.Send(t.Context(), demoOffice, playPlayer, []byte(raw)); err != nil {
		t.Fatal(err)
	}
	if len(s.fresh) != 1 || !strings.Contains(s.fresh[0].text, "what has happened") {
		t.Errorf("shown: %q", s.fresh)
	}
}
