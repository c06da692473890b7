package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/shape"
	"berthier/orders"

	"github.com/emersion/go-message"
	"gopkg.in/yaml.v3"
)

// italianSides are the sides that read Italian, of each ruleset.
var italianSides = map[string]string{"enemy-mistakes": "red", "hfg": "allied", "napoleon": "allied", "waterloo": "anglo"}

// answeredInItalian is how many stops of each game the player answers.
var answeredInItalian = map[bool]int{false: 12, true: 24}[fullSamples]

// TestItalianLettersAreItalian plays a game of each ruleset with a player who reads Italian: he
// answers in Italian, sends faulty files and drafts, gives policies and every command, and no
// letter to him may have an English word; and each unit of an order file stands in it with its
// name once. English are the words of the English catalogues and
// the keywords of order files, without those that the Italian ones have, too.
func TestItalianLettersAreItalian(t *testing.T) {
	withoutRace(t)
	for system := range rulesets {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			s := sitDown(t, folder, system, "every-decision")
			writeInItalian(t, s)
			units := unitNames(t, s.view)
			if err := s.close(); err != nil {
				t.Fatal(err)
			}
			english, ids := englishWords(t, system), idsInScenarios(t, system)
			letters, err := filepath.Glob(filepath.Join(folder, "letters", "*-to-player.eml"))
			if err != nil || len(letters) < answeredInItalian {
				t.Fatalf("%d letters: %v", len(letters), err)
			}
			said, files := map[string]string{}, 0
			for _, name := range letters {
				texts := textsOf(t, name)
				if bare := units.bareInText(texts[1]); len(bare) > 0 {
					t.Errorf("the text of %s has %v in its order file, and nowhere with their names:\n%s", filepath.Base(name), bare, texts[1])
				}
				for _, text := range texts {
					if strings.HasPrefix(text, "# ===== ") && !strings.Contains(text, "#   ^") { // not one that is given back
						files++
						if bare := units.bare(text); len(bare) > 0 {
							t.Errorf("the order file of %s tells %v nowhere with their names:\n%s", filepath.Base(name), bare, text)
						}
					}
					for line := range strings.Lines(text) {
						for _, word := range english.in(line, ids) {
							if said[word] == "" {
								said[word] = filepath.Base(name) + ": " + strings.TrimSpace(line)
							}
						}
					}
				}
			}
			if files < answeredInItalian {
				t.Errorf("only %d letters have an order file", files)
			}
			for _, word := range slices.Sorted(maps.Keys(said)) {
				t.Errorf("%s stands in a letter to an Italian: %s", word, said[word])
			}
		})
	}
}

// sitDown begins a game for a player who reads Italian.
func sitDown(t *testing.T, folder, system, pace string) *sitting {
	t.Helper()
	set, err := playCommand{Game: system, Side: italianSides[system], Bot: "sensible", Pace: pace, Language: "it"}.setup()
	if err != nil {
		t.Fatal(err)
	}
	keepFile(t, filepath.Join(folder, setupName), set)
	s, err := openSitting(t.Context(), folder, rand.NewChaCha8([32]byte{18, 15}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writeInItalian answers stops of a game as a player does who writes Italian, and sends whatever
// else he may send.
func writeInItalian(t *testing.T, s *sitting) {
	t.Helper()
	send := func(text string) {
		if _, err := s.handIn(t.Context(), text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	sheet, _ := ahead.Sheet(s.rules)
	chance := rand.New(rand.NewPCG(1815, 7))
	for n := 0; n < answeredInItalian && !s.over; n++ {
		if s.owes == nil {
			t.Fatal("nobody is asked, and the game goes on")
		}
		body := s.rules.Sensible(s.view, *s.owes, chance).Orders().FileIn("it", sheet.Vocabulary, "").Encode()
		if n%4 == 1 {
			send("banana: 3\n" + strings.Replace(body, "A-", "Z-", 1))
			send(strings.Replace(body, "]", "", 1))
			send("bozza: sì\nipotesi: 20\n" + body)
		}
		if n%8 == 2 {
			send(strings.Replace(body, "ordini", "odrini", 1))
		}
		if s.owes != nil {
			send("ora: sì\n" + body)
		}
	}
	for _, command := range orders.Commands {
		if command == "resign" || command == "rules" { // the game would be over; rules are in English: see the next test
			continue
		}
		send("comando: " + orders.Keyword(command, "it"))
	}
	for _, text := range []string{"direttive: chiedi", "direttive: {no: sì}", "permanenti: nessuno", "in-anticipo: nessuno", "ok", "predefinito", "buongiorno", "comando: conquista"} {
		send(text)
	}
}

// TestClausesInEnglishAreSaidToBe asks in Italian for the rules of each system, all and one. Clauses are in
// English: the letter says so in Italian, and has the rulebook's words for their terms.
func TestClausesInEnglishAreSaidToBe(t *testing.T) {
	withoutRace(t)
	for system, rules := range rulesets {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			s := sitDown(t, t.TempDir(), system, "postal")
			var long engine.Clause
			for _, c := range rules.(engine.Documented).Clauses() {
				if len(c.Text) > len(long.Text) {
					long = c
				}
			}
			for ask, want := range map[string]string{"": "'clausola: ", "\nclausola: " + long.ID: long.ID} {
				if _, err := s.handIn(t.Context(), "comando: regole"+ask); err != nil {
					t.Fatal(err)
				}
				texts := textsOf(t, filepath.Join(s.folder, "letters", fmt.Sprintf("%04d-to-player.eml", s.sent)))
				for _, part := range []string{want, "Le clausole e i loro titoli sono in inglese.", "Nel regolamento"} {
					if !strings.Contains(texts[1], part) {
						t.Errorf("%q is not in the letter:\n%s", part, texts[1])
					}
				}
			}
			if err := s.close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// textsOf are the texts of a letter: its subject, its text and the texts that go with it.
func textsOf(t *testing.T, name string) []string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	entity, err := message.Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := entity.Header.Text("Subject")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{subject}
	err = entity.Walk(func(_ []int, part *message.Entity, err error) error {
		if kind, _, _ := part.Header.ContentType(); err != nil || kind != "text/plain" && kind != "application/yaml" {
			return err
		}
		text, err := io.ReadAll(part.Body)
		texts = append(texts, string(text))
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return texts
}

// named are the names of the units of a game by their ids.
type named map[string]string

// unitNames are those that a view knows.
func unitNames(t *testing.T, view engine.View) named {
	t.Helper()
	namer, ok := view.(engine.Namer)
	if !ok {
		t.Fatalf("%T does not name its units", view)
	}
	names := named{}
	for _, unit := range namer.Names("unit") {
		if name := view.Spell("unit", unit.ID, "it"); strings.HasPrefix(name, unit.ID+" ") { // a garrison is called as its town
			names[unit.ID] = name
		}
	}
	if len(names) == 0 && len(namer.Names("unit")) > 0 { // the pieces of some games are called by their ids alone
		t.Fatal("no unit has a name")
	}
	return names
}

// bare are the ids that an order file tells and that stand nowhere in it with their names.
func (names named) bare(file string) (ids []string) {
	file = strings.Join(strings.Fields(strings.ReplaceAll(file, "##", "")), " ")
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(file, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '/' }) {
		words[word] = true
	}
	for _, id := range slices.Sorted(maps.Keys(names)) {
		if words[id] && !strings.Contains(file, names[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// bareInText are the ids in the order file of a letter's text that stand nowhere in the letter with their names.
func (names named) bareInText(letter string) (ids []string) {
	_, file, _ := strings.Cut(letter, "\n# ===== ORDINI ")
	file, _, whole := strings.Cut(file, "\n# ===== FINE")
	if !whole || strings.Contains(file, "#   ^") { // one that is given back has the player's own words
		return nil
	}
	letter = strings.Join(strings.Fields(strings.ReplaceAll(letter, "##", "")), " ")
	for _, id := range names.bare(file) {
		if words := strings.Fields(names[id]); !strings.Contains(letter, strings.Join(words[:min(2, len(words))], " ")) { // the first of several names will do
			ids = append(ids, id)
		}
	}
	return ids
}

// english are words that are English and not Italian.
type english map[string]bool

// aWord is a word of small letters, as names of things are not.
var aWord = regexp.MustCompile(`[\pL\d_.@-]*\pL[\pL\d_.@-]*`)

// in are the English words of a line. Names of files, addresses and ids have a dot, a dash before
// figures, or figures; or they are ids of two words and more, which stand in files of every language.
func (e english) in(line string, ids map[string]bool) []string {
	var found []string
	for _, word := range aWord.FindAllString(line, -1) {
		word = strings.Trim(word, ".-")
		if strings.ContainsAny(word, "._@0123456789") || ids[strings.ToLower(word)] {
			continue
		}
		for _, part := range strings.Split(word, "-") {
			if e[part] {
				found = append(found, part)
			}
		}
	}
	return found
}

// englishWords are the words of the English catalogues and the keywords of order files, without
// those that are Italian as well, and those of names of the game.
func englishWords(t *testing.T, system string) english {
	t.Helper()
	e := english{}
	sheet, _ := ahead.Sheet(rulesets[system])
	keywords := slices.Concat(sortedKeys(orders.Common), sortedKeys(orders.Cases), orders.Commands, rulesets[system].About().Stops)
	for _, body := range []shape.Shape{sheet.Standing, sheet.Policies, sheet.Conditions} {
		keywords = append(keywords, shape.Keywords(body)...)
	}
	for _, form := range sheet.Stops {
		keywords = append(keywords, shape.Keywords(form)...)
	}
	each := func(text string, do func(string)) {
		for _, word := range regexp.MustCompile(`\pL+`).FindAllString(text, -1) {
			do(strings.ToLower(word))
		}
	}
	add := func(word string) { e[word] = len(word) > 2 }
	drop := func(word string) { delete(e, word) }
	for _, keyword := range keywords {
		each(keyword, add)
	}
	for _, text := range catalogueTexts(t, system, "en") {
		each(text, add)
	}
	for _, text := range catalogueTexts(t, system, "it") {
		each(text, drop)
	}
	for _, keyword := range keywords {
		each(sheet.Vocabulary.Spell(keyword, "it")+" "+orders.Keyword(keyword, "it"), func(word string) {
			if !strings.Contains(keyword, word) {
				drop(word)
			}
		})
	}
	position, err := rulesets[system].New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range position.Sides() {
		each(string(side)+" "+system, drop)
	}
	for _, name := range nameInScenario.FindAllStringSubmatch(scenarioTexts(t, system), -1) {
		each(name[1], drop)
	}
	return e
}

// idsInScenarios are the ids of two words and more in the scenarios of a ruleset, guard-horse, and those of troops and their
// commands, of one word, too: General Hill is no hill.
func idsInScenarios(t *testing.T, system string) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	for _, id := range regexp.MustCompile(`\bid: ([a-z]+(?:-[a-z]+)+)[,}]`).FindAllStringSubmatch(scenarioTexts(t, system), -1) {
		ids[id[1]] = true
	}
	for _, id := range regexp.MustCompile(`\{id: ([a-z]+), (?:command|side): `).FindAllStringSubmatch(scenarioTexts(t, system), -1) {
		ids[id[1]] = true
	}
	return ids
}

// nameInScenario finds names of units and places.
var nameInScenario = regexp.MustCompile(`name: *("[^"]*"|[^,}\n]*)`)

// scenarioTexts are the scenarios of a ruleset.
func scenarioTexts(t *testing.T, system string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", folderOf(system), "scenarios", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios of %s: %v", system, err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

// place finds what a sentence of a catalogue has filled in.
var place = regexp.MustCompile(`\{[\w-]+`)

// folderOf is the folder of a ruleset's package.
func folderOf(system string) string {
	return filepath.FromSlash(strings.TrimPrefix(reflect.TypeOf(rulesets[system]).PkgPath(), "berthier/"))
}

// catalogueTexts are the sentences of a language, of the office and of a ruleset.
func catalogueTexts(t *testing.T, system, language string) []string {
	t.Helper()
	var files, texts []string
	for _, folder := range []string{"templates", folderOf(system)} {
		found, err := filepath.Glob(filepath.Join("..", "..", folder, "words", "*."+language+".yaml"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no words in %s: %v", folder, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]string{}
		if err := yaml.Unmarshal(data, &said); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", file, err))
		}
		for _, text := range said {
			texts = append(texts, place.ReplaceAllString(text, " "))
		}
	}
	return texts
}
