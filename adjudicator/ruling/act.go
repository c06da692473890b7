package ruling

import (
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/orders"
	"berthier/orders/phrase"
)

// An Act is a ruling or a rewind as a game master asks for it.
type Act struct {
	Kind    string        `json:"kind"` // of a [log.Ruling], or "rewind"
	Dispute uint64        `json:"dispute,omitempty"`
	Entry   uint64        `json:"entry,omitempty"` // that is accepted, refused or overruled
	Stop    int           `json:"stop,omitempty"`  // of the game; 0: the present one
	First   bool          `json:"first,omitempty"` // what was rolled before the first stop: stop 0
	Roll    int           `json:"roll,omitempty"`
	Result  int           `json:"result,omitempty"`
	Set     string        `json:"set,omitempty"`
	Orders  string        `json:"orders,omitempty"` // to be carried out in place of a refused file's
	Option  string        `json:"option,omitempty"`
	Value   string        `json:"value,omitempty"`
	Winners []engine.Side `json:"winners,omitempty"`
	Same    bool          `json:"same,omitempty"` // a rewind goes on with the same orders
	Reason  string        `json:"reason"`
	Tell    string        `json:"tell,omitempty"`

	At *orders.Node `json:"-"` // where the letter says what to set; nil: it is not known
}

// A Previewed is an act of which the log keeps that a game master looked at what it would do.
// So nobody can try rulings until he likes the dice without the log showing it.
type Previewed struct {
	Act Act `json:"act"`
}

// Command is the command by which the act is asked for.
func (a *Act) Command() string {
	if a.Kind == log.ActRewind {
		return "rewind"
	}
	return "rule"
}

// Say says what the act is.
func (a *Act) Say() []phrase.Phrase {
	lines := []phrase.Phrase{phrase.Say("office.rule.is", phrase.Within("kind", phrase.Say("office.ruling.kind-"+a.Kind)), phrase.Literal("reason", a.Reason))}
	switch {
	case a.Kind == log.ActDie:
		lines = append(lines, phrase.Say("office.rule.roll", phrase.Number("stop", a.Stop), phrase.Number("roll", a.Roll), phrase.Number("result", a.Result)))
	case a.Kind == log.ActRewind && a.Same:
		lines = append(lines, phrase.Say("office.rule.back-same", phrase.Number("stop", a.Stop)))
	case a.Kind == log.ActRewind:
		lines = append(lines, phrase.Say("office.rule.back-new", phrase.Number("stop", a.Stop)))
	case a.Entry != 0:
		lines = append(lines, phrase.Say("office.rule.about", phrase.Number("entry", int(a.Entry))))
	}
	if a.Dispute != 0 {
		lines = append(lines, phrase.Say("office.rule.settles", phrase.Number("entry", int(a.Dispute))))
	}
	return lines
}

// placed places the faults of what is to be set where the letter says it.
func (a *Act) placed(faults orders.Problems, set string) orders.Problems {
	own, wrong := orders.ParseNode([]byte(set))
	if a.At != nil && len(wrong) == 0 {
		return course.Moved(faults, own, a.At)
	}
	all := slices.Clone(faults)
	for i := range all {
		all[i].Line, all[i].Column = 0, 0 // it is an option, or of a letter that came before
	}
	return all
}
