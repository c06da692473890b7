package adjudicator

import (
	"context"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A Secretary does in an office what is asked for on its machine about its members.
type Secretary struct{ club club }

// Secretary gives the office's secretary.
func (o *Office) Secretary() *Secretary { return &Secretary{club{o}} }

// A MemberShown is a member as the secretary sees him.
type MemberShown struct {
	*member.Member
	Key         string          `json:"key"`
	Reliability int             `json:"reliability"` // per cent
	Games       []member.Served `json:"games,omitempty"`
}

// Members gives all members.
func (s *Secretary) Members() ([]*member.Member, error) { return s.club.all() }

// ShowMember gives a member, by his id or an address of his.
func (s *Secretary) ShowMember(who string) (*MemberShown, error) {
	m, err := s.club.at(who)
	if err == nil && m == nil {
		m, err = s.club.get(who)
	}
	if err != nil {
		return nil, err
	}
	games, err := s.club.served(m)
	if err != nil {
		return nil, err
	}
	return &MemberShown{m, s.club.key(m), member.Reliability(games, s.club.office.now()), games}, nil
}

// ReadMembers reads a list of people who are to become members. All faults are reported at
// once: those of the text, two people with one mailbox, and who is a member already.
func (s *Secretary) ReadMembers(text string) ([]log.Person, orders.Problems) {
	list, problems := s.readList(text, false)
	var all []log.Person
	for _, one := range list {
		all = append(all, one.Person)
	}
	return all, problems
}

// An onList is a person who stands in a list, and may be a member already.
type onList struct {
	log.Person
	member string // id; "": he is none
}

// readList reads a list of people. Those who are members already may stand there or not.
func (s *Secretary) readList(text string, members bool) ([]onList, orders.Problems) {
	root, problems := orders.ParseNode([]byte(text))
	r := orders.NewReader(game.Vocabulary)
	r.Problems = append(r.Problems, problems...)
	if root == nil {
		if len(problems) == 0 {
			r.Problems = orders.Problems{{Why: phrase.Say("club.list.empty"), Remedy: phrase.Say("club.list.form")}}
		}
		return nil, r.Problems
	}
	var all []onList
	if root.Kind != orders.List || len(root.Items) == 0 {
		r.RefuseWith(root, "", phrase.Say("club.list.empty"), phrase.Say("club.list.form"))
	}
	for _, item := range r.List(root) {
		f := r.Fields(item, "name", "address", "language", "zone")
		n := r.Require(f, "address")
		p := onList{Person: log.Person{Name: intake.ReadName(r, r.Require(f, "name")), Address: intake.ReadAddress(r, n)}}
		if at := f.Get("language"); at != nil {
			p.Language = intake.ReadLanguage(r, at, templates.Languages)
		}
		if at := f.Get("zone"); at != nil {
			p.Zone = intake.ReadZone(r, at)
		}
		if p.Address == "" {
			continue
		}
		for _, other := range all {
			if mailbox.Same(other.Address, p.Address) {
				r.Refuse(n, "", phrase.Say("club.list.twice", phrase.Literal("address", p.Address)))
			}
		}
		if m, err := s.club.at(p.Address); err != nil {
			r.Refuse(n, "", phrase.Say("club.list.unread", phrase.Literal("error", err.Error())))
		} else if m != nil && members {
			p.member = m.ID
		} else if m != nil {
			r.Refuse(n, "", phrase.Say("club.list.member", phrase.Literal("address", p.Address), phrase.Literal("member", m.ID)))
		}
		all = append(all, p)
	}
	r.Problems.Sort()
	return all, r.Problems
}

// AddMembers makes members of people, all or none, and tells each of them. An address counts as
// proven once a letter from there has shown the key that went there.
func (s *Secretary) AddMembers(ctx context.Context, people []log.Person) (made []*member.Member, err error) {
	o := s.club.office
	release := o.hold(rollLog)
	defer release()
	err = store.Again(ctx, func() error {
		made = nil
		var c store.Change
		var letters []*outbox.Outgoing
		for _, p := range people {
			m, err := s.club.turn(&c, nil, "secretary", "", member.Made{Person: p, Unproven: true})
			if err != nil {
				return fmt.Errorf("add %s: %w", p.Address, err)
			}
			made = append(made, m)
			letters = append(letters, s.club.notice(m.Person(), nil, s.club.welcome(m)))
		}
		return o.queue(ctx, c, letters...)
	})
	return made, err
}
