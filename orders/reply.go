package orders

import (
	"slices"
	"strings"

	"berthier/orders/phrase"
)

// A Reply is a whole answer in one word, above the order file that the letter quotes.
type Reply string

// Whole answers in one word.
const (
	ReplyOK      Reply = "ok"      // the file that is quoted counts as it stands
	ReplyDefault Reply = "default" // the default of the stop of that file
	ReplyAsk     Reply = "ask"     // ask me the next question, whatever my policies say
	ReplyA       Reply = "a"       // of two files, the one that is marked so
	ReplyB       Reply = "b"
)

// replies are the spellings of the words that answer a letter.
var replies = NewWords(map[string][]string{
	"ok":      {"okay", "okey", "va bene", "d'accordo", "now", "ora", "subito"},
	"default": {"predefinito", "predefinita"},
	"ask":     {"chiedi"},
	"a":       nil,
	"b":       nil,
})

var replyWords = []string{"ok", "default", "ask", "a", "b"}

// longestReply is how long a line may be that is one word of answer.
const longestReply = 20

// own gives the lines of a part that its sender wrote himself.
func (p *partText) own() []string { return ownLines(p.lines()) }

// replyOf finds the word with which the sender's own words in a letter begin, if it is one
// that answers. Alone tells that nothing else stands there that could change its meaning: no
// more than people put below a letter.
func replyOf(parts []partText) (word Reply, alone bool) {
	for _, kind := range []PartKind{Plain, HTML} {
		written := false
		for i := range parts {
			part := &parts[i]
			if part.Kind != kind {
				continue
			}
			own := part.own()
			if len(own) == 0 {
				continue
			}
			if written { // words of his in another part of the letter
				return word, false
			}
			written = true
			if word = replyWord(own[0]); word == "" {
				return "", false
			}
			alone = true
			for _, line := range own[1:] {
				alone = alone && isClosing(line) && replyWord(line) == "" && !turns(line)
			}
		}
		if written {
			return word, alone
		}
	}
	return "", false
}

// turners are words that turn the meaning of what stands above them.
var turners = NewWords(map[string][]string{"not": {
	"no", "don't", "dont", "but", "wait", "except", "instead", "unless", "until", "after", "before", "if", "when", "then", "yet", "only", "without", "change", "hold", "stop",
	"non", "ma", "però", "aspetta", "attendi", "tranne", "invece", "salvo", "finché", "dopo", "prima", "se", "quando", "poi", "solo", "senza", "cambia", "ferma"}})

// turns tells whether a line may turn the meaning of the word above it.
func turns(line string) bool {
	for _, word := range strings.Fields(line) {
		if turners.Knows(word) {
			return true
		}
	}
	return false
}

// replyWord reads a line as a word that answers; "" if it is none.
func replyWord(line string) Reply {
	line = strings.TrimSpace(line)
	if len(line) > longestReply || strings.ContainsAny(line, ":?#") {
		return ""
	}
	key, ok := replies.Key(line, replyWords)
	if !ok {
		return ""
	}
	return Reply(key)
}

// ownLines are the lines of a letter that its sender wrote: not what he quotes, nor what
// announces that, nor what stands below a letter by itself.
func ownLines(lines []letterLine) []string {
	var own []string
	for i, r := range lines {
		switch {
		case r.kind == blankLine || r.depth > 0:
		case r.kind == breakLine && !attribution(strings.TrimSpace(r.text)):
			return own
		case r.kind == breakLine, announces(lines, i), isRestOfQuote(lines, i):
		default:
			own = append(own, strings.TrimSpace(r.text))
		}
	}
	return own
}

// announcers are the words with which lines begin that announce a quoted letter.
var announcers = NewWords(map[string][]string{"on": {"il", "am", "le", "el", "op", "den"}})

// announces tells whether a line is the beginning of a line that announces a quoted letter,
// and that was wrapped because it was too long.
func announces(lines []letterLine, i int) bool {
	text := strings.TrimSpace(lines[i].text)
	first, _, _ := strings.Cut(text, " ")
	return len(text) > 40 && announcers.Knows(first) && strings.ContainsAny(text, "0123456789") &&
		i+1 < len(lines) && lines[i+1].kind == breakLine && attribution(strings.TrimSpace(lines[i+1].text))
}

// isRestOfQuote tells whether a line is what a mail program wrapped off a quoted line.
func isRestOfQuote(lines []letterLine, i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		switch {
		case lines[j].kind == blankLine || lines[j].kind == breakLine:
			return false
		case lines[j].depth > 0:
			return len(lines[j].raw) > narrowest
		}
	}
	return false
}

// answered is what a letter says whose sender's own words begin with a word that answers.
// Best are the files with the best claim, with what was found first.
func (word Reply) answered(best []Found, alone bool) (Found, Problems) {
	said := phrase.Literal("word", string(word))
	quote := phrase.Say("order.reply-quote")
	if len(best) == 0 {
		return Found{}, Problems{{Why: phrase.Say("order.reply-no-file", said), Remedy: quote}}
	}
	lettered := word == ReplyA || word == ReplyB
	if lettered {
		var named []Found
		for _, f := range best {
			if f.Letter == word {
				named = append(named, f)
			}
		}
		if len(named) == 0 {
			return best[0], Problems{{Why: phrase.Say("order.reply-no-letter", said), Remedy: quote}}
		}
		best = named
	} else if best[0].Letter != "" && best[0].Quoted && best[0].Untouched {
		if word == ReplyOK { // which of the files is meant is for the sender to say
			return best[0], Problems{{Why: phrase.Say("order.reply-which", said), Remedy: phrase.Say("order.reply-letter", lettersOf(best))}}
		}
		best = best[:1] // the word says what counts, whatever the file
	}
	f, problems := only(best)
	switch {
	case len(problems) > 0:
		return f, problems
	case word == ReplyOK && !(f.Quoted && f.Untouched): // the file itself is the answer
		if alone {
			f.Reply = word
		}
		return f, nil
	case !f.Quoted || !f.Untouched && !lettered:
		return f, Problems{{Why: phrase.Say("order.reply-and-file", said), Remedy: phrase.Say("order.send-one")}}
	case !alone:
		return f, Problems{{Why: phrase.Say("order.reply-more", said), Remedy: phrase.Say("order.reply-alone", said)}}
	case f.keys["command"] || !f.keys["stop"]:
		return f, Problems{{Why: phrase.Say("order.reply-command", said), Remedy: phrase.Say("order.fill-in")}}
	}
	f.Reply = word
	return f, nil
}

// lettersOf names the words that answer files of which one is to be chosen.
func lettersOf(best []Found) phrase.Arg {
	var words []string
	for _, f := range best {
		if word := strings.ToUpper(string(f.Letter)); word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return phrase.Literals("letters", words)
}
