package templates

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// Languages are those in which the program writes, the first being the one for
// readers of any other.
var Languages = []string{"en", "it"}

//go:embed words/*.yaml
var office embed.FS

// Spell names a thing of a game in a language, as [engine.View] does: the
// "unit" F-03, the "side" french, the "stop" battle-turn, the place that a
// decision is "at".
type Spell = func(kind, id, language string) string

// Words are the catalogues of all that is said: the office's own and those of
// the rulesets. They don't change once made, so that many may read them at once.
type Words struct {
	languages map[string]map[string]entry
}

// An entry of a catalogue.
type entry struct {
	file     string // where it stands, for error messages
	text     string
	sentence sentence
}

// New reads the catalogues: the office's, which are part of the program, and
// those of each ruleset, by its id. A file is of the language that its name ends
// in: en.yaml, battle.it.yaml. It maps codes to sentences. A code may stand in
// two files only with the same sentence. All faults come at once, each with its
// file and code.
//
// A ruleset need not have every language: its phrases are then said in the
// first, and [Words.Check] tells.
func New(system map[string]fs.FS) (*Words, error) {
	w := &Words{languages: map[string]map[string]entry{}}
	own, err := fs.Sub(office, "words")
	if err != nil {
		return nil, fmt.Errorf("open the office's words: %w", err)
	}
	var faults []error
	for _, language := range Languages {
		w.languages[language] = map[string]entry{}
		faults = append(faults, w.loadAll(language, own, "office"))
		for _, id := range slices.Sorted(maps.Keys(system)) {
			if system[id] != nil {
				faults = append(faults, w.loadAll(language, system[id], id))
			}
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return w, nil
}

// loadAll reads all files of a language. From says whose files they are.
func (w *Words) loadAll(language string, files fs.FS, from string) error {
	var faults []error
	found := false
	for _, pattern := range []string{language + ".yaml", "*." + language + ".yaml"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return fmt.Errorf("list words of %s: %w", from, err)
		}
		for _, name := range names {
			found = true
			faults = append(faults, w.load(language, files, name, from+"/"+name))
		}
	}
	if !found && language == Languages[0] {
		return fmt.Errorf("read words of %s: no file %s.yaml", from, language)
	}
	return errors.Join(faults...)
}

// load reads one file.
func (w *Words) load(language string, files fs.FS, file, name string) error {
	data, err := fs.ReadFile(files, file)
	if err != nil {
		return fmt.Errorf("read words %s: %w", name, err)
	}
	var sentences map[string]string
	if err := orders.Unmarshal(data, &sentences); err != nil {
		return fmt.Errorf("read words %s: %w", name, err)
	}
	var faults []error
	for _, code := range slices.Sorted(maps.Keys(sentences)) {
		text := strings.Join(strings.Fields(sentences[code]), " ")
		if other, twice := w.languages[language][code]; twice && other.text != text {
			faults = append(faults, fmt.Errorf("read words %s: %s stands in %s too, with another sentence", name, code, other.file))
			continue
		}
		s, err := parseSentence(text)
		if err != nil {
			faults = append(faults, fmt.Errorf("read words %s: %s: %w", name, code, err))
			continue
		}
		w.languages[language][code] = entry{name, text, s}
	}
	return errors.Join(faults...)
}

// find looks a code up in a language, or else in the first.
func (w *Words) find(language, code string) (sentence, bool) {
	if e, ok := w.languages[language][code]; ok {
		return e.sentence, true
	}
	e, ok := w.languages[Languages[0]][code]
	return e.sentence, ok
}

// Has tells whether a code has a sentence in the first language.
func (w *Words) Has(code string) bool {
	_, ok := w.languages[Languages[0]][code]
	return ok
}

// Language gives the language of the program for a language tag: "it" for
// "it-CH", the first for those that the program does not write.
func Language(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if slices.Contains(Languages, tag) {
		return tag
	}
	return Languages[0]
}

// Say puts a phrase into words, on one line and without control characters,
// whatever it was filled with. Spell names the things of the game; nil gives
// their ids. A code that no catalogue has is said as the code itself with what
// it was given, in brackets.
func (w *Words) Say(language string, p phrase.Phrase, spell Spell) string {
	if p.IsZero() {
		return ""
	}
	v := voice{words: w, language: Language(language), spell: spell}
	if s, ok := w.find(v.language, p.Code); ok && len(s) == 1 && s[0].place == "" {
		return s[0].text // nothing is to be filled in
	}
	v.out.Grow(64)
	v.phrase(p)
	return v.out.String()
}

// Value puts the value of a table's cell, or of a label, into words.
func (w *Words) Value(language string, value phrase.Value, spell Spell) string {
	v := voice{words: w, language: Language(language), spell: spell}
	v.value(value, fill)
	return v.out.String()
}

// Check compares the languages: every code must be in all of them, with the
// same places. It is for tests of the catalogues.
func (w *Words) Check() []error {
	var faults []error
	all := map[string]bool{}
	for _, language := range Languages {
		for code := range w.languages[language] {
			all[code] = true
		}
	}
	for _, code := range slices.Sorted(maps.Keys(all)) {
		var first *entry
		for _, language := range Languages {
			e, ok := w.languages[language][code]
			switch {
			case !ok:
				faults = append(faults, fmt.Errorf("%s has no sentence in %s", code, language))
			case e.text == "":
				faults = append(faults, fmt.Errorf("%s is empty in %s", code, e.file))
			case first == nil:
				first = &e
			case !slices.Equal(first.sentence.places(), e.sentence.places()):
				faults = append(faults, fmt.Errorf("%s has the places %v in %s and %v in %s",
					code, first.sentence.places(), first.file, e.sentence.places(), e.file))
			}
		}
	}
	return faults
}
