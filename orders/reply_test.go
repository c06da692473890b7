package orders

import (
	"strings"
	"testing"
)

// quotedLetter is a letter of the office as an answer quotes it.
func quotedLetter(file string) string {
	return "On Fri, 20 Nov 2026 at 10:00, Berthier <orders@club.example>\nwrote:\n> You owe stop 3.\n>\n" + quoteMail(file, "> ") + "> Goodbye\n"
}

const asSent = "game: lot-1\nside: red\nstop: 3 bid\nkey: ABCD-EFGH\nserial: 4\norders: none\n"

// A word counts as a whole answer only as the first own words of a letter, above the file
// that it quotes, and with nothing below it that could turn its meaning.
func TestReply(t *testing.T) {
	quoted := quotedLetter(Frame("en", asSent))
	two := quotedLetter(FrameAs("en", ReplyA, asSent) + "\n" + FrameAs("it", ReplyB, strings.Replace(asSent, "none", "{bid: R-1}", 1)))
	for _, c := range []struct {
		name, text string
		want       Reply
		fault      string
	}{
		{"ok", "ok\n\n" + quoted, ReplyOK, ""},
		{"other spelling", "  Va bene!\n" + quoted, ReplyOK, ""},
		{"now", "Now.\n\n" + quoted, ReplyOK, ""},
		{"below the quote", quoted + "\nOK\n", ReplyOK, ""},
		{"signature", "ok\n\n" + quoted + "\n-- \nBob, who writes 3 lines: and more\n", ReplyOK, ""},
		{"telephone", "Ok\n\nSent from my iPhone\n\n" + quoted, ReplyOK, ""},
		{"greeting", "ok\n\nThank you\nBob\n\n" + quoted, ReplyOK, ""},
		{"default", "predefinito\n" + quoted, ReplyDefault, ""},
		{"ask", "chiedi\n" + quoted, ReplyAsk, ""},
		{"other words first", "Well,\nok\n" + quoted, "", "order.untouched"},
		{"in a sentence", "ok but only if he attacks\n" + quoted, "", "order.untouched"},
		{"a question", "ok?\n" + quoted, "", "order.untouched"},
		{"turned", "ok\nbut not yet\n" + quoted, "", "order.reply-more"},
		{"turned in Italian", "ok\n\nma aspetta\n" + quoted, "", "order.reply-more"},
		{"more", "ok\n\nThe third unit should rather stay where it is, shouldn't it?\n" + quoted, "", "order.reply-more"},
		{"two words", "ok\ndefault\n" + quoted, "", "order.reply-more"},
		{"quoted word", "> ok\n" + quoted, "", "order.untouched"},
		{"in the signature", quoted + "\n-- \nok\n", "", "order.untouched"},
		{"nothing quoted", "ok\n", "", "order.reply-no-file"},
		{"nothing quoted, default", "default\n\nBob\n", "", "order.reply-no-file"},
		{"key cut away", "ok\n\n> game: lot-1\n", "", "order.reply-no-file"},
		{"filled in", "ok\n\n" + strings.Replace(quoted, "none", "{bid: R-2}", 1), ReplyOK, ""},
		{"filled in, words below", "ok\n\nThe third unit should rather stay where it is.\n\n" + strings.Replace(quoted, "none", "{bid: R-2}", 1), "", ""},
		{"default, and filled in", "default\n\n" + strings.Replace(quoted, "none", "{bid: R-2}", 1), "", "order.reply-and-file"},
		{"default, and a file", "default\n\n" + asSent + "\n" + quoted, "", "order.reply-and-file"},
		{"a command", "ok\n\n" + quotedLetter(Frame("en", "game: lot-1\nkey: ABCD-EFGH\ncommand: resign\n")), "", "order.reply-command"},
		{"a", "A\n\n" + two, ReplyA, ""},
		{"b", "b.\n\n" + two, ReplyB, ""},
		{"ok to two", "ok\n\n" + two, "", "order.reply-which"},
		{"two without a word", two, "", "order.untouched"},
		{"default to two", "default\n\n" + two, ReplyDefault, ""},
		{"neither", "A\n\n" + quoted, "", "order.reply-no-letter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, problems := Find([]Part{{Kind: Plain, Text: c.text}})
			got := ""
			if len(problems) > 0 {
				got = problems[0].Why.Code
			}
			if got != c.fault {
				t.Fatalf("%q, want %q", got, c.fault)
			}
			if c.fault != "" {
				return
			}
			doc, problems := found.Parse(nil)
			if len(problems) > 0 || doc.Reply != c.want || doc.Key != "ABCD-EFGH" || doc.Now != (c.want == ReplyOK) {
				t.Errorf("reply %q, now %v, key %q, %v", doc.Reply, doc.Now, doc.Key, problems)
			}
			if want := c.want == ReplyB; (c.want == ReplyA || want) && strings.Contains(found.Text, "R-1") != want {
				t.Errorf("%s takes\n%s", c.want, found.Text)
			}
		})
	}
}

// A file that is quoted and was not touched counts for nothing, whatever words others wrote
// in the letter that is quoted, or stand in an attachment or a second part: only the sender's
// own first words make it count.
func FuzzReply(f *testing.F) {
	f.Add("Hello", "ok\ndefault", "> ok", false)
	f.Add("", "ok", "", true)
	f.Add("On Friday X\nwrote:", "A", "-- \nok", false)
	f.Fuzz(func(t *testing.T, above, inside, below string, html bool) {
		if len(above)+len(inside)+len(below) > 4096 {
			return
		}
		letter := quoteMail("Report\n"+lineBreaks.Replace(inside)+"\n"+Frame("en", asSent)+"\n"+lineBreaks.Replace(inside), "> ")
		kind := Plain
		if html {
			kind = HTML
		}
		found, problems := Find([]Part{{Kind: kind, Text: above + "\n\n" + letter + "\n" + below}})
		if len(problems) > 0 || !found.Untouched || !found.Quoted {
			return
		}
		own := ownLines(linesOf(lineBreaks.Replace(above+"\n\n"+letter+"\n"+below), common))
		if found.Reply == "" || len(own) == 0 || replyWord(own[0]) != found.Reply {
			t.Fatalf("%q counts by %q; its sender wrote %q", found.Text, found.Reply, own)
		}
		mine := false
		for _, line := range strings.Split(lineBreaks.Replace(above+"\n"+below), "\n") {
			text, _ := unquote(line)
			mine = mine || replyWord(text) == found.Reply
		}
		if !mine {
			t.Fatalf("a letter in which its sender wrote no such word counts by %q", found.Reply)
		}
	})
}
