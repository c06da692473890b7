package orders

import "testing"

const sampleFile = `game: ligny-7
side: french
stop: 12 move
key: K7QF-2M9D
serial: 44
# Your units: F-01 leader at Charleroi, F-02 infantry 3 at Charleroi,
# F-03 infantry 3 at Charleroi, F-07 cavalry 2 at Charleroi, F-09 infantry 4
# at Beaumont. Roads from Charleroi: Ligny (main, 8), Quatre Bras (main, 8),
# Thuin (secondary, 6), Fosse (secondary, 6).
orders:
  - move: {from: Charleroi, to: Ligny, units: [F-03, F-07]}  # main road
  - move: {from: Thuin, to: Charleroi, units: [F-01, F-02, F-05]}
  - forced: [F-09]
standing:
  - retreat_to: {at: Ligny, towns: [Charleroi]}
  - casualties: {lose_first: [infantry, F-14], spare: [leader, horse-artillery]}
  - supply_losses: [A-15, A-16]
  - plan: {at: Ligny, role: attacker, turns: 3, use: assault, pos: left}
note: I shall be away on Monday.
final: no
`

func BenchmarkParse(b *testing.B) {
	words := NewWords(Common)
	b.SetBytes(int64(len(sampleFile)))
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := Parse(sampleFile, words); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

// BenchmarkParseMangled reads the same file after a word processor had it.
func BenchmarkParseMangled(b *testing.B) {
	words := NewWords(Common)
	text := mangle(sampleFile)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, problems := Parse(text, words); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	d, problems := Parse(sampleFile, nil)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	for b.Loop() {
		d.Root.Encode()
	}
}

func BenchmarkFindQuoted(b *testing.B) {
	letter := "Hello,\n\nhere it is.\n\nOn Friday Berthier wrote:\n" + quoteMail(Frame("en", sampleFile)+"\nHow to answer\n=====\n", "> ")
	parts := []Part{{Kind: Plain, Text: letter + "Bob\n"}}
	b.SetBytes(int64(len(letter)))
	for b.Loop() {
		Find(parts)
	}
}
