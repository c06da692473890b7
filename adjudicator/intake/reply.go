package intake

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Meant is the file that a letter means which answers the one that it quotes in a word: with
// the default in the place of its orders, or asking for the next question. The file is what
// it was if no word stands above it, or if it is not for what the seat owes, which it then
// says.
func (f *File) Meant(s *game.Seat) (*orders.Document, orders.Problems) {
	body := orders.Mapping()
	switch f.Doc.Reply {
	case orders.ReplyDefault:
		if s.Owes == nil || f.Doc.Stop != s.Owes.Stop || f.Game.Phase != game.Running {
			return f.Doc, nil
		}
		body = f.Rules.Default(f.View(s.Side), s.Owes.Decision).Orders()
	case orders.ReplyAsk:
		rules, ok := f.Rules.(engine.Policied)
		if !ok || len(rules.Policies(f.View(s.Side))) == 0 {
			return f.Doc, orders.Problems{{Why: phrase.Say("office.ask.no-policies"), Remedy: phrase.Say("office.ask.always")}}
		}
		body.Set("policies", orders.Text("ask"))
	default:
		return f.Doc, nil
	}
	return f.sameHead(body), nil
}

// sameHead is a file with the envelope of the one that is read, and another body.
func (f *File) sameHead(body *orders.Node) *orders.Document {
	file := orders.Mapping().Over("# " + string(f.Doc.Reply))
	for _, key := range []string{"game", "side", "stop", "key", "serial"} {
		if f.Doc.Reply == orders.ReplyAsk && key == "stop" {
			continue // it answers no stop
		}
		if n := f.Doc.Field(key); n != nil {
			file.Set(key, orders.Text(n.Text))
		}
	}
	for _, p := range body.Pairs {
		file.Pairs = append(file.Pairs, orders.Pair{Key: p.Key, Value: p.Value})
	}
	doc, _ := orders.Parse(file.Encode(), nil) // what the program writes it reads
	doc.Reply = f.Doc.Reply
	return doc
}
