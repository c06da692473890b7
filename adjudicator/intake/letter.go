package intake

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/mail"
	"berthier/orders"
)

// A Letter is a letter that comes in, and what was found out about it so far. It knows
// no game: [Letter.Prove] checks what a game demands of it.
type Letter struct {
	Mail *mail.Letter
	Now  time.Time
	From string // folded address

	Asked   bool        // whether its domain is proven
	Domain  error       // nil: it is
	made    time.Time   // when its signature was made, if it was checked
	covered []mail.Part // what the signature covers
	Once    []string    // by what the same proof is known under another letter
	Unread  bool        // nothing in it could be read: it is kept
}

// Written is when the letter was written: by its signature, or else by its Date.
func (it *Letter) Written() time.Time {
	if !it.made.IsZero() {
		return it.made
	}
	return it.Mail.Date
}

// Content identifies a letter: two letters with the same content are the same, whatever way they came.
func (it *Letter) Content() [32]byte {
	h := sha256.New()
	add := func(text string) { fmt.Fprintf(h, "%d\n%s", len(text), text) }
	add(it.From)
	add(it.Mail.Subject)
	add(it.Mail.Date.UTC().Format(time.RFC3339))
	for _, p := range it.Mail.Parts {
		add(p.Type)
		add(p.Text)
	}
	return [32]byte(h.Sum(nil))
}

// Believed are those texts of the letter that its game believes.
func (it *Letter) Believed() []mail.Part {
	if it.covered != nil {
		return it.covered
	}
	return it.Mail.Parts
}

// LooksLikeOrders tells whether a letter holds a file that names a game.
func (it *Letter) LooksLikeOrders() bool {
	file, problems := orders.Find(PartsOf(it.Mail.Parts))
	if len(problems) > 0 {
		return false
	}
	doc, _ := file.Parse(nil)
	return doc.Root != nil && doc.Game != "" && (doc.Key != "" || doc.Command != "" || doc.Stop > 0)
}

// ForGame tells whether the letter can only be meant for a game: it holds an order file, or
// answers a letter of an office with this domain. A letter in which an administrator makes a
// game with the office's key needs no game, nor does a call for help; ours tells whether a
// key is the office's.
func (it *Letter) ForGame(domain string, ours func(key string) bool) bool {
	for _, id := range append([]string{it.Mail.InReplyTo}, it.Mail.References...) {
		if strings.HasSuffix(id, "@"+domain) {
			return true
		}
	}
	file, problems := orders.Find(PartsOf(it.Mail.Parts))
	if len(problems) > 0 { // a file that is not complete is a file all the same
		return !slices.Contains([]string{"order.empty-letter", "order.no-file", "order.no-file-lines", "order.no-file-attached", "order.reply-no-file"}, problems[0].Why.Code)
	}
	doc, _ := file.Parse(nil)
	if doc.Root == nil {
		return true
	}
	named := FoldGame(doc.Game) != ""
	switch {
	case doc.Command == "new":
		return false // the letter makes a game, which does not exist yet
	case !named && (doc.Command == "list" || doc.Command == "help"):
		return false
	}
	if doc.Key != "" && ours(doc.Key) {
		return named
	}
	return named || doc.Key != "" || it.LooksLikeOrders()
}
