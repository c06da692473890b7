package swissoracle

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
)

// letters are the players in a record, by their numbers.
const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz<>"

// Write writes tournaments, each as a line with its seed, players, rounds, points of a
// won, drawn and lost game, and initial colour; then a line for each round. In it are
// the games, each by the letters of White and Black and the result; "b:" and who has the
// bye, "z:" and who was away for nothing, "h:" and who was away for the points of a draw;
// "none" if the round could not be paired.
func Write(w io.Writer, records []Record) error {
	out := bufio.NewWriter(w)
	for _, r := range records {
		fmt.Fprintf(out, "tournament %d players %d rounds %d points %d %d %d initial %d\n",
			r.Seed, r.Players, r.Rounds, r.Win, r.Draw, r.Loss, r.Initial)
		for _, round := range r.Played {
			var line []string
			var games strings.Builder
			for i, g := range round.Games {
				games.Write([]byte{letters[g.White], letters[g.Black], byte(round.Results[i])})
			}
			if games.Len() > 0 {
				line = append(line, games.String())
			}
			if round.Bye >= 0 {
				line = append(line, "b:"+letters[round.Bye:round.Bye+1])
			}
			for _, list := range []struct {
				mark string
				who  []int
			}{{"z:", round.Zero}, {"h:", round.Half}} {
				if len(list.who) > 0 {
					for _, p := range list.who {
						list.mark += letters[p : p+1]
					}
					line = append(line, list.mark)
				}
			}
			if round.None {
				line = append(line, "none")
			}
			fmt.Fprintln(out, strings.Join(line, " "))
		}
	}
	return out.Flush()
}

// Read reads what Write wrote.
func Read(from io.Reader) ([]Record, error) {
	var records []Record
	lines := bufio.NewScanner(from)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if strings.HasPrefix(line, "tournament ") {
			var r Record
			if _, err := fmt.Sscanf(line, "tournament %d players %d rounds %d points %d %d %d initial %d",
				&r.Seed, &r.Players, &r.Rounds, &r.Win, &r.Draw, &r.Loss, &r.Initial); err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			records = append(records, r)
			continue
		}
		round, err := readRound(line)
		if err != nil || len(records) == 0 {
			return nil, fmt.Errorf("line %d, %q, is no round of a tournament: %v", number, line, err)
		}
		last := &records[len(records)-1]
		last.Played = append(last.Played, round)
	}
	return records, lines.Err()
}

func readRound(line string) (Round, error) {
	round := Round{Bye: -1}
	for word := range strings.FieldsSeq(line) {
		mark, who, marked := strings.Cut(word, ":")
		if word == "none" {
			round.None = true
			continue
		}
		if !marked {
			if len(word)%3 != 0 {
				return round, fmt.Errorf("%q is not three letters for each game", word)
			}
			for i := 0; i < len(word); i += 3 {
				white, black := strings.IndexByte(letters, word[i]), strings.IndexByte(letters, word[i+1])
				if white < 0 || black < 0 || !strings.ContainsRune("1=0+-~", rune(word[i+2])) {
					return round, fmt.Errorf("%q is no game", word[i:i+3])
				}
				round.Games = append(round.Games, Game{white, black})
				round.Results = append(round.Results, Result(word[i+2]))
			}
			continue
		}
		var players []int
		for i := range len(who) {
			p := strings.IndexByte(letters, who[i])
			if p < 0 {
				return round, fmt.Errorf("%q is no player", who[i])
			}
			players = append(players, p)
		}
		switch {
		case mark == "b" && len(players) == 1:
			round.Bye = players[0]
		case mark == "z":
			round.Zero = players
		case mark == "h":
			round.Half = players
		default:
			return round, fmt.Errorf("%q is neither b:, z: nor h: with players", word)
		}
	}
	return round, nil
}

// ReadFile reads a file that was packed with gzip.
func ReadFile(name string) ([]Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return Read(packed)
}
