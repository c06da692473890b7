package play

import (
	"io/fs"
	"sync"

	"berthier/orders"
)

// Names are what the things of a game are called, by language: the catalogues
// words/names.en.yaml and words/names.it.yaml of a ruleset, whose codes are
// PREFIX.name.KIND.ID.
type Names struct {
	files  fs.FS
	prefix string
	once   sync.Once
	words  map[string]map[string]string
}

// NewNames reads names from a ruleset's files. A fault in them is a programmer's mistake.
func NewNames(files fs.FS, prefix string) *Names { return &Names{files: files, prefix: prefix} }

// Of looks a name up; English stands in for languages that have none.
func (n *Names) Of(kind, id, language string) (string, bool) {
	n.once.Do(n.load)
	code := n.prefix + ".name." + kind + "." + id
	if s, ok := n.words[language][code]; ok {
		return s, true
	}
	s, ok := n.words["en"][code]
	return s, ok
}

func (n *Names) load() {
	n.words = map[string]map[string]string{}
	for _, language := range []string{"en", "it"} {
		file := "words/names." + language + ".yaml"
		data, err := fs.ReadFile(n.files, file)
		if err != nil {
			panic("play: " + err.Error())
		}
		var words map[string]string
		if err := orders.Unmarshal(data, &words); err != nil {
			panic("play: " + file + ": " + err.Error())
		}
		n.words[language] = words
	}
}

// InLanguage picks a name from scenario data: the one in the language, else the English
// one, else the id.
func InLanguage(name map[string]string, language, id string) string {
	for _, l := range []string{language, "en"} {
		if s := name[l]; s != "" {
			return s
		}
	}
	return id
}
