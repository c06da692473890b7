package engine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"berthier/orders/phrase"
)

// Dice are where all chance of a game comes from.
type Dice interface {
	// Roll gives a whole number from 1 to sides, each as likely as the other.
	// The purpose says what it is for: it is recorded with the result.
	Roll(sides int, purpose phrase.Phrase) int
}

// A Roll is one result with its purpose.
type Roll struct {
	Sides   int           `json:"d"`
	Result  int           `json:"r"`
	Purpose phrase.Phrase `json:"for"`
}

// A Recorder passes rolls on and remembers them.
type Recorder struct {
	Dice  Dice
	Rolls []Roll
}

// Roll implements [Dice].
func (r *Recorder) Roll(sides int, purpose phrase.Phrase) int {
	n := r.Dice.Roll(sides, purpose)
	r.Rolls = append(r.Rolls, Roll{Sides: sides, Result: n, Purpose: purpose})
	return n
}

// FixedDice give the results of a list in order, as a conformance case fixes
// them. A roll past the end, or a result that the die does not have, is
// remembered as a fault and gives 1.
type FixedDice struct {
	Results []int
	Used    int
	Faults  []string
}

// Roll implements [Dice].
func (f *FixedDice) Roll(sides int, purpose phrase.Phrase) int {
	if f.Used >= len(f.Results) {
		f.Faults = append(f.Faults, fmt.Sprintf("no die left for roll %d (%s)", f.Used+1, purpose.Code))
		f.Used++
		return 1
	}
	n := f.Results[f.Used]
	f.Used++
	if n < 1 || n > sides {
		f.Faults = append(f.Faults, fmt.Sprintf("die %d is %d, but the roll (%s) has %d sides", f.Used, n, purpose.Code, sides))
		return 1
	}
	return n
}

// RuledDice pass rolls on, but some results are replaced: those that a game
// master has ruled on. The die is rolled all the same, so that the rolls after it
// are the ones they would have been.
type RuledDice struct {
	Dice    Dice
	Results map[int]int // by the number of the roll, from 1 on
	Faults  []string    // results that the die does not have; the roll then stands
	rolled  int
}

// Roll implements [Dice].
func (r *RuledDice) Roll(sides int, purpose phrase.Phrase) int {
	n := r.Dice.Roll(sides, purpose)
	r.rolled++
	ruled, ok := r.Results[r.rolled]
	if !ok {
		return n
	}
	if ruled < 1 || ruled > sides {
		r.Faults = append(r.Faults, fmt.Sprintf("roll %d (%s) has %d sides, not a %d", r.rolled, purpose.Code, sides, ruled))
		return n
	}
	return ruled
}

// Rolled is how many rolls there were.
func (r *RuledDice) Rolled() int { return r.rolled }

// SeededDice draw the rolls of one stop from a secret seed: block i is
// HMAC-SHA-256(seed, game ‖ 0 ‖ stop ‖ orders ‖ i), read four bytes at a time, with
// rejection so that every face is equally likely. Anyone who has the seed and
// the log can check every roll.
type SeededDice struct {
	seed   []byte
	stop   []byte // game, stop and hash of the stop's orders
	block  uint64
	unused []byte
}

// NewSeededDice are the dice of one stop of a game. Orders is the hash of what
// the sides answered there.
func NewSeededDice(seed []byte, game string, stop int, orders [sha256.Size]byte) *SeededDice {
	s := append([]byte(game), 0)
	s = binary.BigEndian.AppendUint64(s, uint64(stop))
	s = append(s, orders[:]...)
	return &SeededDice{seed: seed, stop: s}
}

// stopDiceMark begins what the dice of [NewStopDice] are made of, so that no other
// use of the seed can ever make the same.
const stopDiceMark = "berthier dice 2"

// NewStopDice are the dice of one stop of a game since scheme 2: block i is
// HMAC-SHA-256(seed, "berthier dice 2" ‖ 0 ‖ game ‖ 0 ‖ place ‖ words ‖ answers ‖ i).
// Place counts the stops of the branch of play: the first is 1, and what is rolled before
// it has place 0. Words is the hash of the players' words for luck, answers the hash of
// what the sides answered there. Whoever has the log can work all of it out: there is
// nothing in it that an office may choose once the seed is drawn.
func NewStopDice(seed []byte, game string, place int, words, answers [sha256.Size]byte) *SeededDice {
	s := append([]byte(stopDiceMark), 0)
	s = append(append(s, game...), 0)
	s = binary.BigEndian.AppendUint64(s, uint64(place))
	s = append(append(s, words[:]...), answers[:]...)
	return &SeededDice{seed: seed, stop: s}
}

// BotChance is the seed for the random choices of a bot at one stop. Like the dice it
// comes from the game's seed, so that whoever has the seed can ask the bot again.
func BotChance(seed []byte, game string, place int, words [sha256.Size]byte, side Side) [sha256.Size]byte {
	mac := hmac.New(sha256.New, seed)
	for _, part := range []string{"berthier bot 2", game, string(side)} {
		mac.Write(append([]byte(part), 0))
	}
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(place)))
	mac.Write(words[:])
	return [sha256.Size]byte(mac.Sum(nil))
}

// Roll implements [Dice].
func (d *SeededDice) Roll(sides int, _ phrase.Phrase) int {
	n := uint32(sides)
	limit := (1<<32 - 1) - (1<<32)%uint64(n) // the last value of the last whole run of faces
	for {
		if v := d.next(); uint64(v) <= limit {
			return int(v%n) + 1
		}
	}
}

func (d *SeededDice) next() uint32 {
	if len(d.unused) < 4 {
		mac := hmac.New(sha256.New, d.seed)
		mac.Write(d.stop)
		mac.Write(binary.BigEndian.AppendUint64(nil, d.block))
		d.unused = mac.Sum(nil)
		d.block++
	}
	v := binary.BigEndian.Uint32(d.unused)
	d.unused = d.unused[4:]
	return v
}
