package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// The roll is the log of all members. It lies in the store like the log of a game, under an id
// that no game can have; the records that follow from it are values.
const (
	rollLog       = "=roll"
	memberPrefix  = "member "     // and an id: the record
	memberOf      = "member-of "  // and an address: whose it is
	memberCount   = "members"     // how many there have ever been
	absentPrefix  = "=absent/"    // and an id, in the index of what wakes: his games must hear of his absences
	formerlyOf    = "formerly-of" // an address and a game: it took part there, and does not any more
	memberLetters = "member: "    // and an id, where answers are counted
)

// A club is what an office does with its members.
type club struct{ office *Office }

// addressName is where the store keeps whose an address is. Two spellings of one mailbox have
// one name.
func addressName(address string) string {
	address = mailbox.Clean(address)
	if wire, err := mailbox.Wire(address); err == nil {
		address = mailbox.Clean(wire)
	}
	return memberOf + address
}

// readMember reads a record of the store; nil if there is none.
func readMember(tx store.Reader, id string) (*member.Member, error) {
	data := tx.Value(memberPrefix + id)
	if data == nil {
		return nil, nil
	}
	m := &member.Member{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("read member %s: %w", id, err)
	}
	return m, nil
}

// memberAt finds the member whose address it is; nil if it is nobody's.
func memberAt(tx store.Reader, address string) (*member.Member, error) {
	id := tx.Value(addressName(address))
	if id == nil {
		return nil, nil
	}
	return readMember(tx, string(id))
}

// at finds the member whose address it is; nil if it is nobody's.
func (c club) at(address string) (m *member.Member, err error) {
	err = c.office.read(func(tx store.Reader) error {
		m, err = memberAt(tx, address)
		return err
	})
	return m, err
}

// ErrNoMember: there is no member of that id or address.
var ErrNoMember = errors.New("there is no such member")

// get gives a member by his id.
func (c club) get(id string) (m *member.Member, err error) {
	err = c.office.read(func(tx store.Reader) error {
		if m, err = readMember(tx, id); err == nil && m == nil {
			err = fmt.Errorf("open member %s: %w", id, ErrNoMember)
		}
		return err
	})
	return m, err
}

// now gives a member by an id that is his, or was.
func (c club) now(id string) (m *member.Member, err error) {
	for range mostMerged {
		if m, err = c.get(id); err != nil || m.Is == "" {
			return m, err
		}
		id = m.Is
	}
	return nil, fmt.Errorf("open member %s: %w", id, ErrNoMember)
}

// mostMerged is how many ids may lead to one another.
const mostMerged = 1000

// all gives all members, by their ids.
func (c club) all() (all []*member.Member, err error) {
	err = c.office.read(func(tx store.Reader) error {
		return tx.Values(memberPrefix, func(name string, _ []byte) error {
			m, err := readMember(tx, strings.TrimPrefix(name, memberPrefix))
			all = append(all, m)
			return err
		})
	})
	return all, err
}

// key is the key that a member shows in letters that are about none of his games.
func (c club) key(m *member.Member) string { return c.office.keys.Of("", "member "+m.ID, 0, m.Keys) }

// stopCode is what a member's mail program shows to stop his weekly letters, and nothing else: it stays as it is, so that
// letters of long ago have it, too.
func (c club) stopCode(m *member.Member) string {
	return c.office.keys.Of("", "weekly letters of "+m.ID, 0, 0)
}

// stops is the URI by which a member's mail program does it.
func (c club) stops(m *member.Member) string {
	return "mailto:" + url.PathEscape(c.office.opt.From.Addr) + "?subject=" + url.PathEscape(intake.StopSubject(c.stopCode(m)))
}

// turn lets something happen to a member, or makes one: was is nil then. What it writes comes
// into the change with. The caller holds the roll.
func (c club) turn(with *store.Change, was *member.Member, by, letter string, in member.Input) (*member.Member, error) {
	var m *member.Member
	err := c.office.read(func(tx store.Reader) error {
		id, after := "", tx.Last(rollLog)
		if len(with.Entries) > 0 {
			after = with.Entries[len(with.Entries)-1].Link
		} else {
			with.Game, with.After = rollLog, after
		}
		if was == nil {
			n := with.ValueIn(tx, memberCount)
			count, _ := strconv.Atoi(string(n.Data))
			id = member.IDOf(count + 1)
			n.Data = strconv.AppendInt(nil, int64(count+1), 10)
			with.PutValue(memberCount, n)
		}
		t, err := member.Step(was, id, member.Around{Now: c.office.now(), Draw: c.office.draw, After: after, By: by, Letter: letter}, in)
		if err != nil {
			return err
		}
		m = t.Member
		return c.keep(tx, with, t)
	})
	return m, err
}

// keep adds to a change what a turn of a member has brought.
func (c club) keep(tx store.Reader, with *store.Change, t *member.Turn) error {
	m := t.Member
	with.Entries = append(with.Entries, t.Entry)
	record, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write member %s: %w", m.ID, err)
	}
	v := with.ValueIn(tx, memberPrefix+m.ID)
	v.Data = record
	with.PutValue(memberPrefix+m.ID, v)
	for _, address := range t.Gained {
		v := with.ValueIn(tx, addressName(address))
		if v.Data != nil && string(v.Data) != m.ID {
			return game.Refuse("club.address-taken", phrase.Literal("address", address))
		}
		v.Data = []byte(m.ID)
		with.PutValue(addressName(address), v)
	}
	for _, address := range t.Lost {
		v := with.ValueIn(tx, addressName(address))
		v.Data = nil
		with.PutValue(addressName(address), v)
	}
	if t.Spreads {
		if with.Wake == nil {
			with.Wake = map[string]time.Time{}
		}
		with.Wake[absentPrefix+m.ID] = c.office.now()
	}
	return nil
}

// notice sends a letter to a person, about no game, as the answer to one of his or to none.
func (c club) notice(p log.Person, to *mail.Letter, letter templates.Letter) *outbox.Outgoing {
	r := &outbox.Outgoing{Kind: "notice", Name: p.Name, Address: p.Address, Written: c.office.now(), Letter: &letter}
	r.Answers(to, c.office.box.Thread("", engine.Side(p.Address), 0))
	return r
}

// left notes that addresses no longer take part in a game: what their holders did there stays
// theirs, and must be found.
func (c club) left(change *store.Change, id string, addresses []string) error {
	if len(addresses) == 0 {
		return nil
	}
	return c.office.read(func(tx store.Reader) error {
		for _, address := range addresses {
			name := strings.Join([]string{formerlyOf, mailbox.Clean(address), id}, " ")
			v := change.ValueIn(tx, name)
			v.Data = []byte(id)
			change.PutValue(name, v)
		}
		return nil
	})
}

// gamesOf gives the ids of all games in which a member takes part or has taken part, sorted.
func gamesOf(tx store.Reader, m *member.Member) ([]string, error) {
	var all []string
	addresses := slices.Clone(m.Addresses)
	for _, f := range m.Former {
		addresses = append(addresses, f.Address)
	}
	for _, address := range addresses {
		all = append(all, tx.GamesOf(address, mostGames)...)
		if err := tx.Values(strings.Join([]string{formerlyOf, address, ""}, " "), func(_ string, id []byte) error {
			all = append(all, string(id))
			return nil
		}); err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// eachGameOf goes through all games in which a member takes part or has taken part, as they are now.
func eachGameOf(tx store.Reader, m *member.Member, visit func(*game.State)) error {
	ids, err := gamesOf(tx, m)
	if err != nil {
		return err
	}
	for _, id := range ids {
		g, err := game.Read(tx.Game(id))
		if err != nil {
			return err
		}
		visit(g)
	}
	return nil
}

// served reads in the logs of all his games how a member has answered.
func (c club) served(m *member.Member) (all []member.Served, err error) {
	err = c.office.read(func(tx store.Reader) error {
		ids, err := gamesOf(tx, m)
		if err != nil {
			return err
		}
		for _, id := range ids {
			entries, err := entriesOf(tx, id)
			if err != nil {
				return err
			}
			s, err := member.ServedIn(id, entries, m.Had)
			if err != nil {
				return fmt.Errorf("read how %s answered in %s: %w", m.ID, id, err)
			}
			if len(s.Stops)+len(s.Resigned) > 0 || s.Finished || !s.Abandoned.IsZero() {
				all = append(all, s)
			}
		}
		return nil
	})
	return all, err
}

// spread tells the games of a member of his absences. Each game is changed by itself, and one
// that knows them already stays as it is: whoever dies in between goes on from there.
func (c club) spread(ctx context.Context, id string) error {
	o := c.office
	m, err := c.get(id)
	if err != nil {
		return err
	}
	var games []string
	if err := o.read(func(tx store.Reader) error {
		games, err = gamesOf(tx, m)
		return err
	}); err != nil {
		return err
	}
	var errs []error
	for _, one := range games {
		err := o.changeAgain(ctx, one, func(tr *transaction) error {
			for _, s := range tr.Game.Seats {
				if s.Person.Bot == "" && m.Has(s.Person.Address) {
					if err := tr.Do(game.MemberAway{Side: s.Side, Absences: m.Absences}); err != nil {
						return err
					}
				}
			}
			return tr.Do(game.Settled{})
		})
		if err != nil { // the others are told all the same, and this one is tried again
			errs = append(errs, fmt.Errorf("tell %s of an absence: %w", one, err))
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return o.store.Commit(ctx, store.Change{Wake: map[string]time.Time{absentPrefix + id: {}}})
}

// await adds to the change that makes a game that the members who have a seat in it may be away.
func (c club) await(change *store.Change, seats map[engine.Side]log.Person) error {
	return c.office.read(func(tx store.Reader) error {
		for _, p := range seats {
			m, err := memberAt(tx, p.Address)
			if err != nil {
				return err
			}
			if m == nil || m.Away(c.office.now().Add(farAhead)) == 0 {
				continue
			}
			if change.Wake == nil {
				change.Wake = map[string]time.Time{}
			}
			change.Wake[absentPrefix+m.ID] = c.office.now()
		}
		return nil
	})
}

// farAhead is later than any absence ends.
const farAhead = 366 * 24 * time.Hour

// codeFor is how long a code that proves an address is good, at least; it is good for twice as
// long at most.
const codeFor = 24 * time.Hour

// code shows that whoever sends it back reads the letters of an address. It hangs on what it is
// for.
func (c club) code(what, address string, changed int, at time.Time) string {
	return c.office.keys.Of("", what+" "+strings.TrimPrefix(addressName(address), memberOf), int(at.Unix()/int64(codeFor/time.Second)), changed)
}

// isCode tells whether a text is the code for something.
func (c club) isCode(typed, what, address string, changed int) bool {
	now := c.office.now()
	return intake.SameKey(typed, c.code(what, address, changed, now)) || intake.SameKey(typed, c.code(what, address, changed, now.Add(-codeFor)))
}

// welcome tells a member who he is, with his key.
func (c club) welcome(m *member.Member) templates.Letter {
	form := orders.Mapping().Set("command", orders.Text("member")).Set("key", orders.Text(c.key(m)))
	return c.office.letters.Outside(m.Person(), c.office.now()).Alert(phrase.Say("club.welcome.subject", phrase.Literal("member", m.ID)), []string{form.FormIn(m.Person().Language).Encode()},
		phrase.Say("club.welcome.what", phrase.Literal("member", m.ID)), phrase.Say("club.welcome.key"),
		phrase.Say("office.your-commands", phrase.Names("commands", phrase.KindCommand, slices.Concat(memberCommands, leagueCommands))))
}
