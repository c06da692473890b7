package adjudicator

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/store"
	"berthier/mail"
)

// sideGame is a game that two play outside of any league, like those of the league.
func (l *leak) sideGame(id, red, blue string) {
	l.Helper()
	l.office.opt.Repeatable = false // nobody chooses its dice
	l.newGame(fmt.Sprintf("game: %s\nsystem: lots\noptions: {rounds: 3}\nseats: {red: {name: R, address: %s@play.example}, blue: {name: B, address: %s@play.example}}\ngm: {address: gm@club.example}\ndeadline: 200d\n", id, red, blue))
	l.office.opt.Repeatable = true
}

// entriesStory is a league that takes entries, by word of its secretary and up to a date that can't be kept.
var entriesStory = leakStory{
	text:    strings.NewReplacer("[secretary@club.example]", "[sam@play.example]", "open: anybody", "open: confirm\nentry: {abandoned: limit}").Replace(aquila),
	files:   lotsFiles,
	members: []string{"ada", "bea", "cara", "dora", "sam"},
	happens: func(l *leak) {
		l.running("old-1", "ada@play.example", foeAt, "")
		l.write("ada@play.example", command(l.testOffice, "old-1", "red", "command: resign"), mail.Processed)
		for _, id := range []string{"old-2", "old-3"} {
			l.running(id, "ada@play.example", foeAt, "")
			l.playOut(id)
		}
		l.sideGame("side-1", "ada", "bea")
		l.hides("side-1")
		l.strangers()
		for _, name := range []string{"ada", "bea", "cara"} {
			l.about(name, "enter", "deadlines: steady")
		}
		l.asksAll("ada", "cara")
		l.secretary("admit", "members: [M-0001]")
		l.passTo("2026-03-12") // the list can't be closed, nor can play begin
		l.latest("sam@play.example", "it stays open")
		l.secretary("postpone", "until: 2026-03-25", "reason: few")
		l.secretary("admit", "members: [M-0002]")
		l.passTo("2026-03-22")
		l.latest("sam@play.example", "was closed by its date")
		l.about("dora", "enter")
		l.secretary("admit", "members: [M-0004]")
		l.about("bea", "withdraw")
		l.asksAll("ada", "dora")
		l.passTo("2026-03-27")
		l.latest("sam@play.example", "it does not begin")
		l.pass(7 * day)
		l.secretary("postpone", "until: 2026-05-20", "reason: few")
		l.about("cara", "pause-entries")
		l.about("cara", "pause-entries", "cancel: yes")
		l.pass(7 * day)
	},
}

// passTo lets time pass until a day begins.
func (l *leak) passTo(date string) {
	l.Helper()
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		l.Fatal(err)
	}
	l.pass(at.Sub(l.clock.Now()))
}

// strangers join, and members say where they are reached and when they are away.
func (l *leak) strangers() {
	l.Helper()
	for _, form := range []string{"command: enter\nleague: aquila\nname: Eva\ngames: 9\n", "command: join\nname: Fay\n"} {
		at := strings.ToLower(form[strings.Index(form, "name: ")+6:][:3]) + "@far.example"
		l.write(at, form, mail.Processed)
		l.settle()
		l.write(at, l.backIn(l.latest(at, "confirm: ")), mail.Processed)
		l.settle()
	}
	l.latest("eva@far.example", "That was not possible")
	l.writes("dora", "command: address\naddress: dora@work.example\n")
	l.write("dora@work.example", l.backIn(l.latest("dora@work.example", "confirm: ")), mail.Processed)
	l.settle()
	for _, command := range []string{"address\naddress: dora@work.example", "address\naddress: dora@play.example", "address\naddress: dora@work.example\ncancel: yes", "address\naddress: cara@play.example",
		"vacation\nfrom: 2026-08-01\nuntil: 2026-08-10", "vacation\ncancel: yes", "new-key", "help", "member\nweekly: no\nclub: Old Guard", "member\nweekly: yes\npublic-name: yes", "record"} {
		l.writes("dora", "command: "+command+"\n")
	}
	l.monday()
	l.settle()
	l.write("dora@play.example", l.keyOf("dora")+"\ncommand: member\nweekly: yes\n", mail.Processed)
	l.takes("dora@play.example", "unsubscribe "+(club{l.office}).stopCode(l.memberAt("dora@play.example")), "", "")
	l.settle()
}

// seasonStory is a season in two divisions, in which members withdraw, resign, protest, appeal and take sides over, secretaries rule and
// change the set-up, an umpire is silent, and a result is contested after it was final.
var seasonStory = leakStory{
	text: strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, sam@play.example]", "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 8w, pause: 1w", "open: anybody", "open: anybody\nabsence: 5d", "brisk: 2d", "brisk: 200d", "steady: 4d", "steady: 200d",
		"[{id: first, size: 4, system: lots, template: lots.yaml}]", "[{id: first, size: 3, system: lots, template: lots.yaml}, {id: second, size: 3, system: lots, template: lots.yaml}]\nmoves: {up: 1, down: 1}").Replace(aquila),
	files:   map[string]string{"lots.yaml": "options: {rounds: 3}\n"},
	members: []string{"ada", "bea", "cara", "dora", "eva", "fay", "gia", "hal", "sam"},
	happens: func(l *leak) {
		l.enter("ada", "bea", "cara", "dora", "eva", "fay", "gia", "hal")
		l.sideGame("old-1", "ada", "bea")
		l.about("ada", "bring", "about: old-1")
		l.about("bea", "bring", "about: old-1")
		l.pass(9 * day)
		l.latest(secretaryAt, "has begun by its date")
		one := l.league().Divisions[0].Playing[0]
		l.hides(one)
		l.pass(7 * day) // a week's letters
		l.away(l.named(l.seasonNow().Game(one).Entries[1]))
		l.asksAll("ada", "dora", "gia", "hal")
		l.changed()
		l.protested(one)
		l.vacated(l.league().Divisions[1].Playing)
		l.ruledOn(l.league().Divisions[0].Playing[1])
		l.silentUmpire(one)
		l.leaves()
		l.pass(7 * day)
		l.asksAll("ada", "dora", "gia", "hal")
		l.settles(one)
	},
}

// away: somebody says that he is away for longer than the league allows, and takes it back.
func (l *leak) away(name string) {
	l.Helper()
	for _, lines := range []string{"from: 2026-08-01\nuntil: 2026-08-09", "from: 2026-09-01\nuntil: 2026-09-05", "cancel: yes"} {
		l.writes(name, "command: vacation\n"+lines+"\n")
	}
}

// protested: a player protests, and a secretary answers.
func (l *leak) protested(id string) {
	l.Helper()
	who := l.named(l.seasonNow().Game(id).Entries[1])
	l.about(who, "protest", "about: "+id, "reason: he had help")
	l.pass(7 * day)
	l.secretary("dismiss", "about: "+id, "reason: he had not")
}

// vacated: sides of three games need players, of which nobody takes one, one is taken, and one is no longer needed.
func (l *leak) vacated(games []string) {
	l.Helper()
	waits := l.seasonNow().Waiting()
	leaves := func(id string) {
		l.resigns(id, l.record(id).Seats[0].Person.Address)
		l.settle()
	}
	l.pass(nextWeekly(l.clock.Now()).Sub(l.clock.Now()) - 12*time.Hour)
	leaves(games[0])
	l.about(l.named(waits[1]), "accept", "offer: "+games[0]) // it is not his turn
	l.pass(day)
	l.about(l.named(waits[0]), "decline", "offer: "+games[0])
	l.pass(8 * day)
	leaves(games[1])
	l.about(l.named(waits[0]), "accept", "offer: "+games[1])
	leaves(games[2])
	l.pass(day)
	l.decide(games[2])
	l.about(l.named(waits[1]), "pause-entries")
	l.pass(7 * day)
	l.about(l.named(waits[1]), "pause-entries", "cancel: yes")
}

// ruledOn: a secretary rules on a game and takes it back; its umpire rules, and somebody appeals.
func (l *leak) ruledOn(id string) {
	l.Helper()
	both := l.seasonNow().Game(id).Entries
	entry := both[0]
	l.secretary("forfeit", "about: "+id, "members: ["+entry+"]", "reason: r")
	l.about("sam", "secretary", "act: cancel", "about: "+id, "reason: r", "confirm: AAAA-BBBB")
	l.pass(7 * day)
	l.secretary("overrule", "about: "+id, "reason: r")
	l.pass(7 * day)
	l.secretary("forfeit", "about: "+id, "members: ["+strings.Join(both, ", ")+"]", "reason: r")
	l.asksAll(l.named(both[0]), l.named(both[1]))
	l.secretary("overrule", "about: "+id, "reason: r")
	other := l.league().Divisions[0].Playing[2]
	l.decide(other)
	l.about(l.named(entry), "appeal", "about: "+other, "reason: r")
	l.about(l.named(l.seasonNow().Game(other).Entries[1]), "appeal", "about: "+other, "reason: r")
}

// silentUmpire: something waits in a game, until another umpire has it; who would give it back finds nobody.
func (l *leak) silentUmpire(id string) {
	l.Helper()
	disputes := func(of []uint64) {
		l.must("", l.office.change(context.Background(), id, func(tr *transaction) error { tr.Game.Disputes = of; return nil }))
		l.settle()
	}
	disputes([]uint64{1}) // it has waited since the game was made
	for range 3 {
		l.behind(store.Change{Wake: map[string]time.Time{leaguePrefix + "aquila": l.clock.Now()}})
		l.pass(day)
	}
	l.pass(14 * day)
	disputes(nil)
	l.write(l.umpiresOf(id)[0], fmt.Sprintf("game: %s\nkey: %s\ncommand: hand-over\n", id, l.office.keys.GM(l.record(id))), mail.Processed)
	l.settle()
	l.pass(time.Hour)
}

// changed: the set-up becomes another, and what was to count later is taken back; the season gets more time.
func (l *leak) changed() {
	l.Helper()
	l.secretary("change", "reason: r", "setup:", "  title: Aquila's", "  moves: {up: 0, down: 1}")
	l.secretary("change", "reason: r", "setup:", "  moves: {up: 1, down: 1}")
	l.secretary("extend", "until: 2026-07-20", "reason: r")
}

// leaves: somebody withdraws, a secretary takes somebody out, and two turn out to be one.
func (l *leak) leaves() {
	l.Helper()
	d, waits := l.seasonNow().Divisions[1], l.seasonNow().Waiting()
	l.secretary("merge", fmt.Sprintf("members: [%s, %s]", waits[1], waits[0]), "reason: r")
	l.about(l.named(d.Members[2]), "withdraw")
	l.secretary("withdraw", "members: ["+d.Members[1]+"]", "reason: r")
	l.secretary("cancel", "about: "+l.league().Divisions[0].Playing[1], "reason: r")
}

// settles: the season's time ends, but for one game, which has more; results are final, one is contested and corrected, and the
// season is closed.
func (l *leak) settles(id string) {
	l.Helper()
	l.pass(l.seasonNow().Until.Sub(l.clock.Now()) - 5*day)
	l.secretary("extend", "about: "+id, "reason: r")
	l.pass(27 * day)
	if v := l.league(); v.Phase != season.Settling {
		l.Fatalf("the season is %s: %+v", v.Phase, v.Divisions)
	}
	l.pass(22 * day)
	var contested string
	for _, p := range l.seasonNow().Divisions[0].Pairings {
		if id := p.Games[0].ID; l.record(id).Phase == game.Over {
			contested = id
		}
	}
	if _, err := l.office.Clerk().Rule(context.Background(), contested, "command: rule\noutcome: draw\nreason: r\n", "", true); err != nil {
		l.Fatal(err)
	}
	l.pass(8 * day)
	if _, err := l.office.Secretary().Rule(context.Background(), "aquila", LeagueRuling{Kind: "correct", Game: contested, By: secretaryAt, Reason: "r"}, "", true); err != nil {
		l.Fatal(err)
	}
	l.secretary("correct", "about: "+contested, "reason: r")
	l.pass(15 * day)
	l.asksAll("ada", "dora")
	l.secretary("end")
	l.pass(8 * day)
	l.latest(secretaryAt, "is announced")
	l.asksAll("ada", "dora")
}

// takenBackStory is a season in which secretaries take back what they have done, have members forgotten and read the log, and a player
// becomes family of his umpire.
var takenBackStory = leakStory{
	text: strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, sam@play.example]", "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 12w", "brisk: 2d", "brisk: 200d",
		"of: [gm@club.example, other@club.example]", "of: [cara@play.example, gm@club.example], never: [family]").Replace(aquila),
	files:   map[string]string{"lots.yaml": "options: {rounds: 3}\n"},
	members: []string{"ada", "bea", "cara", "dora", "eva", "gia", "sam"},
	happens: func(l *leak) {
		l.enter("ada", "bea", "dora", "eva", "gia")
		gia := l.memberAt("gia@play.example").ID
		l.secretary("withdraw", "members: ["+gia+"]", "reason: r")
		l.secretary("overrule", "overrules: withdraw", "members: ["+gia+"]", "reason: r")
		l.forgotten()
		l.start()
		one := l.league().Divisions[0].Playing[0]
		l.hides(one)
		l.about("ada", "table", "season: 7")
		l.about("ada", "withdraw", "season: 7")
		l.about("sam", "withdraw")
		l.about("sam", "secretary", "act: export")
		l.secretary("extend", "until: "+l.seasonNow().Until.AddDate(0, 0, 20).Format(time.DateOnly), "reason: r")
		l.secretary("overrule", "overrules: extend", "reason: r")
		l.secretary("extend", "about: "+one, "reason: r")
		l.secretary("overrule", "overrules: extend", "about: "+one, "reason: r")
		l.about(l.named(l.seasonNow().Game(one).Entries[1]), "protest", "about: "+one, "reason: he had help")
		l.secretary("dismiss", "about: "+one, "reason: he had not")
		l.secretary("overrule", "overrules: dismiss", "about: "+one, "reason: r")
		l.writes("ada", "command: member\nfamily: ["+l.memberAt("cara@play.example").ID+"]\n")
		l.pass(8 * day)
		l.asksAll("ada", "bea")
	},
}

// forgotten: two who have withdrawn are to be forgotten; one of them plays again, before it is done. A letter that waits, and that
// nobody can read, may have the name still.
func (l *leak) forgotten() {
	l.Helper()
	id, err := l.store.Reserve(l.Context(), 1)
	if err != nil {
		l.Fatal(err)
	}
	l.spoilt = true
	l.behind(store.Change{Outgoing: []store.Outgoing{{ID: id, Due: l.clock.Now().AddDate(9, 0, 0), Body: []byte{99, 1, 2}}}})
	l.about("dora", "withdraw")
	l.about("eva", "withdraw")
	l.secretary("forget", "members: ["+l.memberAt("dora@play.example").ID+"]", "reason: r")
	l.about("sam", "secretary", "act: forget", "members: ["+l.memberAt("eva@play.example").ID+"]", "reason: r")
	shown := l.latest("sam@play.example", "confirm: ")
	l.clock.move(time.Minute)
	if _, err := l.office.Take(context.Background(), l.letter("sam@play.example", l.keyOf("sam")+"\n"+l.backIn(shown))); err != nil {
		l.Fatal(err)
	}
	l.sideGame("side-1", "eva", "bea")
	l.settle()
}

// ladderStory is a ladder whose umpire belongs to a player's club.
var ladderStory = leakStory{
	text:    strings.NewReplacer("most-at-once: 3", "most-at-once: 1", "size: 4", "size: 8, form: ladder", "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 12w", "brisk: 2d", "brisk: 90d", "of: [gm@club.example, other@club.example]", "of: [gia@play.example], never: [same-club]").Replace(aquila),
	files:   map[string]string{"lots.yaml": "options: {rounds: 3}\n"},
	members: []string{"ada", "bea", "cara", "dora", "gia"},
	happens: func(l *leak) {
		for _, name := range l.names() {
			l.writes(name, "command: member\nclub: Old Guard\n")
			l.deliver(name + "@play.example")
		}
		l.enter("ada", "bea", "cara", "dora")
		l.start()
		climbs := func(low, high int) string {
			places := season.Ladder(l.seasonNow(), "first")
			l.about(l.named(places[low]), "challenge", "against: "+places[high])
			playing := l.league().Divisions[0].Playing
			return playing[len(playing)-1]
		}
		l.hides(climbs(2, 0))
		other := climbs(3, 1)
		climbs(1, 0) // it waits until both of them have a game free
		l.asksAll("ada", "bea", "cara", "dora")
		l.pass(7 * day)
		l.decide(other)
		l.pass(7 * day)
		l.asksAll("ada", "bea", "cara", "dora")
	},
}

// playoffStory is two divisions of two: one game is played in another office, the other one decided, and then two play off.
var playoffStory = leakStory{
	text: strings.NewReplacer("brisk: 2d", "brisk: 90d", "[{id: first, size: 4, system: lots, template: lots.yaml}]",
		"[{id: first, size: 2, system: lots, template: lots.yaml}, {id: second, size: 2, system: lots, template: lots.yaml}]\nmoves: {up: 0, down: 0, playoff: {up: 1, down: 1}}\noffices: {eagle: "+hex.EncodeToString(eagleKey.Public().(ed25519.PublicKey))+"}").Replace(aquila),
	files:   lotsFiles,
	members: []string{"ada", "bea", "cara", "dora"},
	happens: func(l *leak) {
		l.enter("ada", "bea", "cara", "dora")
		l.start()
		l.hides(l.league().Divisions[0].Playing[0])
		first, second := l.league().Divisions[0].Playing[0], l.league().Divisions[1].Playing[0]
		l.pass(7 * day)
		l.asksAll("ada", "bea", "cara", "dora")
		l.importsInto(first)
		l.pass(7 * day)
		l.decide(second)
		l.latest(l.named(l.seasonNow().Divisions[1].Members[0])+"@play.example", "play-off")
		l.pass(7 * day)
		l.asksAll("ada", "bea", "cara", "dora")
	},
}

// eagleKey signs what the office of eagle exports.
var eagleKey = ed25519.NewKeyFromSeed([]byte("the office of eagle, in this test"[:ed25519.SeedSize]))

// importsInto has a game that was played in another office count in the place of one of the season.
func (l *leak) importsInto(id string) {
	l.Helper()
	other := newTestOffice(l.TB, func(o *testOffice) { o.opt.Repeatable = false })
	other.clock.move(l.clock.Now().Sub(other.clock.Now()) + time.Hour)
	players := l.record(id).Seats
	at := func(i int) string { name, _, _ := strings.Cut(players[i].Person.Address, "@"); return name }
	if players[0].Side != "red" {
		slices.Reverse(players)
	}
	x := other.gameElsewhere("good", at(0), at(1), "options: {rounds: 1}\n")
	x.Sign(eagleKey)
	if _, err := l.office.Secretary().Rule(context.Background(), "aquila", LeagueRuling{Kind: "import", Game: id, By: secretaryAt, Reason: "r", Text: textOf(l.TB, x)}, "", true); err != nil {
		l.Fatal(err)
	}
	l.settle()
}

// thrownStory is two divisions in which somebody resigns early the last game, on which it hangs who goes up.
var thrownStory = leakStory{
	text: strings.NewReplacer("[{id: first, size: 4, system: lots, template: lots.yaml}]", "[{id: first, size: 3, system: lots, template: lots.yaml}, {id: second, size: 3, system: lots, template: lots.yaml}]\nmoves: {up: 1, down: 1}",
		"brisk: 2d", "brisk: 90d", "steady: 4d", "steady: 90d").Replace(aquila),
	files:   map[string]string{"lots.yaml": "options: {rounds: 5}\n"},
	members: []string{"ada", "bea", "cara", "dora", "eva", "fay"},
	happens: func(l *leak) {
		l.enter("ada", "bea", "cara", "dora", "eva", "fay")
		l.start()
		first, second := l.league().Divisions[0].Playing, l.league().Divisions[1].Playing
		for _, id := range slices.Concat(first, second[1:]) {
			l.playOut(id)
		}
		l.sideGame("side-1", "ada", "bea")
		l.hides("side-1")
		l.answersBut(second[0], "")
		l.resigns(second[0], l.record(second[0]).Seats[0].Person.Address)
		l.pass(15 * day)
		l.asksAll("ada", "bea", "cara", "dora", "eva")
	},
}
