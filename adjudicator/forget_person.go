package adjudicator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// A Forgotten is what forgetting a person takes his name and addresses out of.
type Forgotten struct {
	Person  string   // under which the logs have him from now on: a member's id
	Entries int      // of logs
	Games   int      // whose records or logs have him
	Letters int      // of the outbox
	Named   []string // leagues whose set-up has an address of his: it stays there, and in copies of it
	Missed  []string // what could not be read and may have him still, and why
	Bodies  []string // logs of games and leagues that have him in what their chain covers, and nobody can change
	Others  int      // letters to others that wait, and named him
}

// A forgetting takes a person out of an office. Everything that is not yet done is found again by
// asking once more; the member's own record comes last.
type forgetting struct {
	office *Office
	member *member.Member // nil: he never was one
	scrub  scrub
	sure   bool // else it is only counted
	out    Forgotten
	later  error           // of what can't be read now, and may be later: nil if there is nothing
	waits  map[string]bool // games of which that is so: they are found again by what else names him in them
}

// Forget takes a person's name and addresses out of the logs, records and letters of an office: those
// of a member, by his id or an address, or of somebody who only played, by his address. Results, tables
// and chains stay as they are. Who takes part in something that runs can't be forgotten before he has
// left it. Unless it is sure, nothing is changed, and only counted.
//
// What can't be read keeps him out of nothing else. If it may be read later the error says so, besides what was done, and he
// is asked for again; what can't be read for good is only named.
func (s *Secretary) Forget(ctx context.Context, who string, sure bool) (*Forgotten, error) {
	f := &forgetting{office: s.club.office, sure: sure, waits: map[string]bool{}}
	if err := f.find(who); err != nil {
		return nil, err
	}
	games, err := f.games()
	if err != nil {
		return nil, err
	}
	if err := f.leagues(ctx); err != nil {
		return nil, err
	}
	if err := f.shelf(ctx, games); err != nil {
		return nil, err
	}
	for _, id := range games {
		if f.waits[id] {
			continue
		}
		if err := f.log(ctx, id, id, false); err != nil {
			return nil, err
		}
		if err := f.strays(id); err != nil {
			return nil, err
		}
		f.out.Games++
	}
	if err := f.letters(ctx); err != nil {
		return nil, err
	}
	if err := f.values(ctx); err != nil {
		return nil, err
	}
	switch {
	case f.later != nil && f.sure:
		err = fmt.Errorf("forget %s: not everywhere yet; ask again when this can be read: %w", who, f.later) // by then he is still a member
	case f.member != nil:
		err = f.roll(ctx)
	case f.out.Games+f.out.Letters+f.out.Others+len(f.out.Missed)+len(f.out.Bodies) == 0:
		return nil, game.Refuse("club.forget-nobody", phrase.Literal("who", who))
	}
	return &f.out, err
}

// misses notes what can't be read, and goes on.
func (f *forgetting) misses(where string, err error) {
	said := fmt.Sprintf("%s: %v", where, err)
	if slices.Contains(f.out.Missed, said) {
		return
	}
	f.out.Missed = append(f.out.Missed, said)
	if f.sure {
		f.office.log.Error("not looked through for a person to be forgotten", "where", where, "error", err)
	}
}

// An unreadable is the error of something that the store has, and that can't be read.
type unreadable struct{ error }

// Unwrap gives why.
func (u unreadable) Unwrap() error { return u.error }

// find finds out who is meant, and under what he is known from now on.
func (f *forgetting) find(who string) error {
	c := club{f.office}
	m, err := c.at(who)
	if err == nil && m == nil {
		m, err = c.now(who)
	}
	addresses := []string{mailbox.Clean(who)}
	switch {
	case errors.Is(err, ErrNoMember) && !strings.Contains(who, "@"), m != nil && m.Forgotten:
		return game.Refuse("club.forget-nobody", phrase.Literal("who", who))
	case err != nil && !errors.Is(err, ErrNoMember):
		return err
	case m != nil:
		f.member, f.out.Person, addresses = m, m.ID, slices.Clone(m.Addresses)
		for _, former := range m.Former {
			if !slices.Contains(addresses, former.Address) {
				addresses = append(addresses, former.Address)
			}
		}
	default:
		var any [4]byte // so that two who are forgotten are not taken for one
		if err := f.office.draw(any[:]); err != nil {
			return err
		}
		f.out.Person = "forgotten-" + hex.EncodeToString(any[:])
	}
	f.scrub = scrub{name: f.out.Person, names: map[string]bool{}}
	for i, address := range addresses {
		f.scrub.addresses = append(f.scrub.addresses, [2]string{address, fmt.Sprintf("%s.%d@forgotten.invalid", strings.ToLower(f.out.Person), i+1)})
	}
	return nil
}

// games gives the games in whose record or log he is. None of them may be running.
func (f *forgetting) games() (ids []string, err error) {
	var running []string
	err = f.office.read(func(tx store.Reader) error {
		return tx.Games(func(id string, record []byte) error {
			_, his, err := f.scrub.bytes(record, false)
			var g *game.State
			if err == nil {
				g, err = game.Read(record)
			}
			if err != nil {
				f.misses("record of "+id, err)
				return nil
			}
			if his && g.Phase == game.Running {
				running = append(running, id)
			}
			if !his {
				_, redacted, err := f.redacted(tx, id, false)
				if err != nil {
					f.misses("log of "+id, err)
				}
				his = len(redacted) > 0
			}
			if his {
				ids = append(ids, id)
			}
			return nil
		})
	})
	if err == nil && len(running) > 0 {
		err = game.Refuse("club.forget-plays", phrase.Literals("games", running))
	}
	return ids, err
}

// shelf brings back what was put away of games, so that he is taken out of it; it is put away again in due
// time. Letters that are only counted stay where they are.
func (f *forgetting) shelf(ctx context.Context, games []string) error {
	o, s := f.office, shelving{f.office}
	for _, id := range games {
		a, err := s.whereIs(id)
		if err != nil {
			return err
		}
		if f.sure {
			release := o.hold(id)
			err := s.bringBack(ctx, id)
			if a != nil && onShelf(err) {
				f.missesFile(id, err)
				err = nil
			}
			if cleared := s.clear(ctx, id); onShelf(cleared) {
				f.missesFile(id, cleared)
			} else {
				err = errors.Join(err, cleared)
			}
			if release(); err != nil {
				return err
			}
			continue
		}
		if a == nil || !a.Gone.IsZero() {
			continue
		}
		var item *shelf.Item
		if err := o.read(func(tx store.Reader) (err error) { item, err = s.get(tx, a.Ref); return err }); err != nil {
			f.missesFile(id, err)
			continue
		}
		for _, l := range item.Letters {
			_, his, err := outbox.Forget(l.Body, f.scrub.address)
			if err != nil {
				f.misses(fmt.Sprintf("letter %d, put away of %s", l.ID, id), err)
			}
			if his {
				f.out.Letters++
			}
		}
	}
	return nil
}

// missesFile notes that a file on the shelf can't be read, or removed. Of one that is lost for good nothing is left.
func (f *forgetting) missesFile(id string, err error) {
	if errors.Is(err, shelf.ErrMissing) {
		return
	}
	where := "what was put away of " + id
	f.misses(where, err)
	if errors.Is(err, shelf.ErrNotNow) || errors.Is(err, shelf.ErrNone) {
		f.waits[id], f.later = true, errors.Join(f.later, fmt.Errorf("%s: %w", where, err))
	}
}

// strays removes the files of a game to which nothing leads. Among several members one that was just written may be another's,
// which is about to say so.
func (f *forgetting) strays(id string) error {
	o, s := f.office, shelving{f.office}
	if o.shelf.None() || !f.sure {
		return nil
	}
	var names []string
	if err := o.read(func(tx store.Reader) (err error) {
		if err = s.ours(tx, false); err == nil {
			names, err = s.strays(tx)
		} else if errors.Is(err, shelf.ErrUnmarked) && s.files(tx, func(shelf.Ref) error { return errFound }) == nil {
			err = nil // nothing was put away
		}
		return err
	}); err != nil {
		f.missesFile(id, err)
		return nil
	}
	for _, name := range names {
		if game, _ := shelf.GameOf(name); game != id {
			continue
		}
		err := fmt.Errorf("%s was just written: %w", name, shelf.ErrNotNow)
		if o.Seat == nil || !o.shelf.Fresh(name) {
			err = s.removeStray(name)
		}
		if err != nil {
			f.missesFile(id, err)
		}
	}
	return nil
}

// onShelf tells whether an error is that of a file on the shelf.
func onShelf(err error) bool {
	var refused *game.RefusedError // as [shelving.notThere] has it
	return errors.As(err, &refused) || errors.Is(err, shelf.ErrNotNow) || errors.Is(err, shelf.ErrNone)
}

// leagues takes him out of the logs of leagues. He must have withdrawn from what is not over.
func (f *forgetting) leagues(ctx context.Context) error {
	l := leagues{f.office}
	ids, err := l.all()
	if err != nil {
		return err
	}
	var readable []string
	for _, id := range ids {
		err := l.look(id, func(b *openBook) error {
			if _, names := f.scrub.text(b.Text); names {
				f.out.Named = append(f.out.Named, id)
			}
			if f.member != nil && stillIn(b.Book, f.member.ID) {
				return game.Refuse("club.forget-entered", phrase.Literal("league", id))
			}
			return nil
		})
		var refused *game.RefusedError
		switch {
		case errors.As(err, &refused):
			return err
		case err != nil: // nobody can say whether he takes part
			f.misses("league "+id, err)
			f.later = errors.Join(f.later, err)
		default:
			readable = append(readable, id)
		}
	}
	for _, id := range readable {
		if err := f.log(ctx, leaguePrefix+id, "", false); err != nil {
			return err
		}
		f.office.books.Drop(id)
	}
	return nil
}

// stillIn tells whether somebody takes part, or wants to, in a season that is not over.
func stillIn(b *book.Book, id string) bool {
	if b.Season == nil || b.Season.Phase == season.Closed {
		return false
	}
	return slices.Contains(b.Asked, id) || slices.ContainsFunc(b.Season.Entries, func(e season.Entry) bool { return e.Member == id && !e.Withdrawn })
}

// redacted gives the entries of a log out of whose private parts he must be taken, without him; about
// says that all of them are about him. It tells where the log ends, too.
func (f *forgetting) redacted(tx store.Reader, id string, about bool) (end chain.Link, all []chain.Entry, err error) {
	err = tx.Entries(id, 0, func(e chain.Entry) error {
		end = e.Link
		f.inBody(id, e.Body)
		if len(e.Private) == 0 || about && !f.isAbout(e) {
			return nil
		}
		private, his, err := f.scrub.bytes(e.Private, about)
		if err != nil {
			f.misses(fmt.Sprintf("entry %d of the log of %s", e.Seq, id), err)
			return nil
		}
		if his {
			all = append(all, e.Without(private))
		}
		return nil
	})
	return end, all, err
}

// inBody notes a log of whose entries one names him in its body. Games of the first scheme withheld whole bodies, and had what mail servers
// answered there, mostly with the address.
func (f *forgetting) inBody(id string, body []byte) {
	id = strings.TrimPrefix(id, leaguePrefix)
	if f.scrub.mayBeIn(body) && !slices.Contains(f.out.Bodies, id) {
		if _, his, err := f.scrub.bytes(body, false); err == nil && his {
			f.out.Bodies = append(f.out.Bodies, id)
		}
	}
}

// isAbout tells whether an entry of the roll is about him, under any of his ids.
func (f *forgetting) isAbout(e chain.Entry) bool {
	return member.About(e, f.out.Person) || f.member != nil && slices.ContainsFunc(f.member.Was, func(id string) bool { return member.About(e, id) })
}

// log takes him out of a log, and out of the record of its game, if it is a game's.
func (f *forgetting) log(ctx context.Context, id, game string, about bool) error {
	defer f.office.hold(id)()
	return store.Again(ctx, func() error {
		c := store.Change{Game: id}
		err := f.office.read(func(tx store.Reader) (err error) {
			if c.After, c.Redact, err = f.redacted(tx, id, about); err != nil {
				return unreadable{err}
			}
			if game == "" {
				return nil
			}
			record := tx.Game(game)
			c.Was = store.VersionOf(record)
			scrubbed, his, err := f.scrub.bytes(record, false)
			if his {
				c.Record = scrubbed
				c.Tags, err = tagsIn(scrubbed)
			}
			if err != nil {
				return unreadable{err}
			}
			for _, address := range f.scrub.addresses {
				c.Leave = append(c.Leave, address[0])
			}
			return err
		})
		if bad := (unreadable{}); errors.As(err, &bad) {
			f.misses("log of "+id, err)
			return nil
		}
		if err != nil {
			return err
		}
		f.out.Entries += len(c.Redact)
		if !f.sure || len(c.Redact)+len(c.Leave) == 0 {
			return nil
		}
		if game != "" {
			f.office.cache.Drop(game)
		}
		if err := f.office.store.Commit(ctx, c); err != nil {
			f.out.Entries -= len(c.Redact)
			return err
		}
		return nil
	})
}

// letters takes him out of the outbox: letters to him are sent no more, and say nothing any more.
func (f *forgetting) letters(ctx context.Context) error {
	var ids, others []uint64
	err := f.office.read(func(tx store.Reader) error {
		return tx.Letters(func(id uint64, body []byte) error {
			_, his, err := outbox.Forget(body, f.scrub.address)
			if err != nil {
				f.misses(fmt.Sprintf("letter %d", id), err)
			}
			if his {
				ids = append(ids, id)
			} else if _, named, err := outbox.Without(body, f.inText); err == nil && named {
				others = append(others, id)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	if err := f.others(ctx, others); err != nil {
		return err
	}
	f.out.Letters += len(ids)
	for _, id := range ids {
		if !f.sure {
			break
		}
		err := store.Again(ctx, func() error {
			var c store.Change
			if err := f.office.read(func(tx store.Reader) error {
				if err := outbox.Apart(&c, tx, id); err != nil { // else it would still be in a bundle
					return unreadable{err}
				}
				o, there := c.OutgoingIn(tx, id)
				if !there {
					return nil
				}
				body, his, err := outbox.Forget(o.Body, f.scrub.address)
				if his {
					c.PutOutgoing(store.Outgoing{ID: id, Was: o.Was, Body: body})
				}
				return err
			}); err != nil || len(c.Outgoing) == 0 {
				return err
			}
			return f.office.store.Commit(ctx, c)
		})
		if bad := (unreadable{}); errors.As(err, &bad) {
			f.misses(fmt.Sprintf("letter %d", id), err)
			f.out.Letters--
		} else if err != nil {
			return fmt.Errorf("forget letter %d: %w", id, err)
		}
	}
	return nil
}

// others takes him out of letters to others, such as a list for a game master, that have not gone yet.
func (f *forgetting) others(ctx context.Context, ids []uint64) error {
	f.out.Others += len(ids)
	for _, id := range ids {
		if !f.sure {
			break
		}
		if err := store.Again(ctx, func() error {
			var c store.Change
			if err := f.office.read(func(tx store.Reader) error {
				o, there := c.OutgoingIn(tx, id)
				if !there {
					return nil
				}
				body, named, err := outbox.Without(o.Body, f.inText)
				if o.Body = body; named {
					c.PutOutgoing(o)
				}
				return err
			}); err != nil || len(c.Outgoing) == 0 {
				return err
			}
			return f.office.store.Commit(ctx, c)
		}); err != nil {
			return fmt.Errorf("forget in letter %d: %w", id, err)
		}
	}
	return nil
}

// inText takes his addresses out of a text to somebody else, and where one of them was, his names.
func (f *forgetting) inText(text string) (string, bool) {
	text, his := f.scrub.text(text)
	if !his {
		return text, false
	}
	names := slices.SortedFunc(maps.Keys(f.scrub.names), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	for _, name := range names {
		text = regexp.MustCompile(`(^|[^\pL\pN])`+regexp.QuoteMeta(name)+`($|[^\pL\pN])`).ReplaceAllString(text, "${1}"+f.scrub.name+"${2}")
	}
	return text, true
}

// values takes him out of what the store keeps by name, but for the members' own records.
func (f *forgetting) values(ctx context.Context) error {
	if !f.sure {
		return nil
	}
	return store.Again(ctx, func() error {
		var c store.Change
		err := f.office.read(func(tx store.Reader) error {
			return tx.Values("", func(name string, data []byte) error {
				if strings.HasPrefix(name, memberPrefix) || strings.HasPrefix(name, memberOf) {
					return nil
				}
				if _, his := f.scrub.text(name); his {
					c.PutValue(name, store.Value{Was: store.VersionOf(data)})
				} else if scrubbed, his := f.inValue(name, data); his {
					c.PutValue(name, store.Value{Data: scrubbed, Was: store.VersionOf(data)})
				}
				return nil
			})
		})
		if err != nil || len(c.Values) == 0 {
			return err
		}
		return f.office.store.Commit(ctx, c)
	})
}

// inValue takes him out of a value: of JSON, or of another text. What is neither, and has him, is named.
func (f *forgetting) inValue(name string, data []byte) (scrubbed []byte, his bool) {
	scrubbed, his, err := f.scrub.bytes(data, false)
	if err == nil {
		return scrubbed, his
	}
	text, his := f.scrub.text(string(data))
	if his && !utf8.Valid(data) {
		kind, _, _ := strings.Cut(name, " ")
		f.misses("a value "+kind, err)
		return nil, false
	}
	return []byte(text), his
}

// roll takes a member out of the roll. His id stays, and stands for him wherever he took part.
func (f *forgetting) roll(ctx context.Context) error {
	if !f.sure {
		return f.log(ctx, rollLog, "", true) // counts
	}
	defer f.office.hold(rollLog)()
	return store.Again(ctx, func() error {
		var c store.Change
		m, err := club{f.office}.get(f.member.ID)
		if err != nil {
			return err
		}
		if _, err := (club{f.office}).turn(&c, m, "secretary", "", member.Forgotten{}); err != nil {
			return err
		}
		if err := f.office.read(func(tx store.Reader) (err error) {
			_, c.Redact, err = f.redacted(tx, rollLog, true)
			return err
		}); err != nil {
			return err
		}
		if err := f.office.store.Commit(ctx, c); err != nil {
			return err
		}
		f.out.Entries += len(c.Redact)
		return nil
	})
}

// A scrub puts something else in the place of a person's name and addresses.
type scrub struct {
	name      string
	addresses [][2]string     // each with what takes its place
	names     map[string]bool // that stood beside them where they were taken out
}

// address gives what takes the place of an address, and whether it is his.
func (s scrub) address(text string) (name, address string, his bool) {
	for _, pair := range s.addresses {
		if mailbox.Same(pair[0], text) {
			return s.name, pair[1], true
		}
	}
	return "", "", false
}

// bytes scrubs a value in JSON; about says that it is about him alone. What is no JSON is left.
func (s scrub) bytes(data []byte, about bool) (scrubbed []byte, his bool, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, false, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, false, errors.New("something follows the JSON")
	}
	v, his = s.value(v, about)
	if !his {
		return data, false, nil
	}
	scrubbed, err = json.Marshal(v)
	return scrubbed, true, err
}

// mayBeIn tells whether bytes are worth a look: they have the domain of an address of his.
func (s scrub) mayBeIn(data []byte) bool {
	folded := bytes.ToLower(data)
	return slices.ContainsFunc(s.addresses, func(pair [2]string) bool {
		return bytes.Contains(folded, []byte(pair[0][strings.LastIndexByte(pair[0], '@')+1:]))
	})
}

// value scrubs a value, and tells whether something of his was in it.
func (s scrub) value(v any, about bool) (out any, his bool) {
	switch v := v.(type) {
	case string:
		return s.text(v)
	case []any:
		for i := range v {
			one, changed := s.value(v[i], about)
			v[i], his = one, his || changed
		}
	case map[string]any:
		if at, ok := v["address"].(string); ok {
			_, _, own := s.address(at)
			about = own || about && at == ""
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if personal := key == "name" || key == "pgp"; personal && about {
				if text, ok := v[key].(string); ok && text != "" && text != s.name {
					if key == "name" {
						s.names[text] = true
					}
					v[key], his = s.name, true
				}
				if key == "pgp" {
					delete(v, key)
				}
				continue
			}
			one, changed := s.value(v[key], about && key == "person")
			v[key], his = one, his || changed
			if as, changed := s.text(key); changed {
				v[as] = v[key]
				delete(v, key)
				his = true
			}
		}
	}
	return v, his
}

// text puts what takes the place of his addresses into a text. An address that is only the end or
// the beginning of a longer one is somebody else's.
func (s scrub) text(text string) (string, bool) {
	was := text
	for _, pair := range s.addresses {
		var b strings.Builder
		rest, folded := text, strings.ToLower(text)
		if len(folded) != len(text) {
			continue // letters that change their length are in no address
		}
		for at := 0; ; {
			i := strings.Index(folded[at:], pair[0])
			if i < 0 {
				break
			}
			i += at
			end := i + len(pair[0])
			at = end
			if (i == 0 || !inAddress(folded[i-1])) && !goesOn(folded[end:]) {
				b.WriteString(rest[:i-(len(text)-len(rest))] + pair[1])
				rest = text[end:]
			}
		}
		text = b.String() + rest
	}
	return text, text != was
}

// inAddress tells whether an address may have a character before its @.
func inAddress(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("!#$%&'*+-/=?^_`{|}~.", c) >= 0
}

// goesOn tells whether a domain goes on with a text.
func goesOn(text string) bool {
	text, dot := strings.CutPrefix(text, ".")
	if text == "" {
		return false
	}
	c := text[0]
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 || !dot && c == '-'
}
