package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"berthier/mail"
	"berthier/orders"
)

// letter writes what a seat's player answers, sensibly and for good; nil if he owes nothing. If not sensibly, whoever owes something in
// the game answers anything, as long as he may think again.
func (h *benchClub) letter(seat benchSeat, sensible bool) ([]byte, error) {
	id := benchID(benchNumber(seat.game))
	for i := range h.sides {
		at := (seat.side + i) % len(h.sides)
		table, err := h.clerk.Position(id, h.sides[at])
		if err != nil {
			return nil, err
		}
		if table.Owes == nil {
			if sensible {
				return nil, nil // of this seat alone
			}
			continue
		}
		choose := h.rules.Random
		if sensible {
			choose = h.rules.Sensible
		}
		form := orderFile(table.Template, choose(table.View, *table.Owes, h.chance))
		if sensible {
			form.Set("now", orders.Text("yes")) // he means what he writes
		}
		h.wrote++
		return hand(h.wrote%int(hands)).write(envelope{
			from: fmt.Sprintf("p%s-%d@%s", benchNumber(seat.game), at, demoDomain), name: "Player " + benchNumber(seat.game), to: demoOffice, subject: "Orders",
			messageID: fmt.Sprintf("%d.%d@players.%s", h.wrote, seat.game, demoDomain), date: h.clock.Now(),
		}, form.Encode(), "As you wrote.\n"), nil
	}
	return nil, fmt.Errorf("nobody owes anything in %s", id)
}

// take takes a letter in and sends what follows from it.
func (h *benchClub) take(ctx context.Context, raw []byte) error {
	folder, err := h.handle(ctx, raw)
	if err != nil || folder != mail.Processed {
		return fmt.Errorf("a letter is put into %v: %w\n%s", folder, err, raw)
	}
	return h.post(ctx)
}

func (h *benchClub) handle(ctx context.Context, raw []byte) (mail.Folder, error) {
	return h.office.Handle(ctx, mail.Incoming{UID: uint32(h.wrote), Size: int64(len(raw)), Raw: raw})
}

// post sends all that is due.
func (h *benchClub) post(ctx context.Context) error {
	for {
		n, err := h.office.Send(ctx, h)
		if err != nil || n == 0 {
			return err
		}
	}
}

// look has the mailbox read to its end, and the clock looked at.
func (h *benchClub) look(ctx context.Context) error {
	h.read(ctx, time.Now())
	if err := h.office.Tick(ctx); err != nil {
		return err
	}
	_, _, err := h.office.Next()
	return err
}

// A benchMonth is the life of the players of an office.
type benchMonth struct {
	*benchClub
	chance                   *rand.Rand
	now                      int                 // the hour
	due                      map[int][]benchSeat // who writes in which hour
	about                    map[benchSeat]int   // the stop about which he has written, or means to
	told                     []benchSeat         // who may have to write
	taken, refused           int
	taking, looking, sending time.Duration // processor time
}

func newBenchMonth(h *benchClub, seed uint64) *benchMonth {
	h.mu.Lock()
	h.mails = 0
	h.got = map[benchSeat]bool{}
	h.mu.Unlock()
	return &benchMonth{benchClub: h, chance: rand.New(rand.NewPCG(seed, 2)), due: map[int][]benchSeat{}, about: map[benchSeat]int{}}
}

// How long players take, in hours; and of how many answers one is forgotten.
const (
	benchSoonest, benchLatest = 6, 54
	benchForgets              = 40
)

// plan has each who was told something write in time, if he owes an answer.
func (m *benchMonth) plan() error {
	for _, seat := range m.told {
		table, err := m.clerk.Position(benchID(benchNumber(seat.game)), m.sides[seat.side])
		if err != nil {
			return err
		}
		if table.Owes == nil || m.about[seat] == table.Stop {
			continue
		}
		m.about[seat] = table.Stop
		if m.chance.IntN(benchForgets) > 0 {
			at := m.now + benchSoonest + m.chance.IntN(benchLatest-benchSoonest+1)
			m.due[at] = append(m.due[at], seat)
		}
	}
	m.told = nil
	return nil
}

// looksAnHour is how often the mailbox is read in an hour: a gap of more than half an hour would be an outage.
const looksAnHour = 3

// hour lets an hour pass.
func (m *benchMonth) hour(ctx context.Context) error {
	m.now++
	if err := m.write(ctx); err != nil {
		return err
	}
	for range looksAnHour {
		m.clock.ns.Add(int64(time.Hour / looksAnHour))
		before := worked()
		if err := m.look(ctx); err != nil {
			return err
		}
		between := worked()
		if err := m.post(ctx); err != nil {
			return err
		}
		m.looking, m.sending = m.looking+between-before, m.sending+worked()-between
	}
	m.mu.Lock()
	got := m.got
	m.got = map[benchSeat]bool{}
	m.mu.Unlock()
	m.told = slices.SortedFunc(maps.Keys(got), func(a, b benchSeat) int {
		return cmp.Or(cmp.Compare(a.game, b.game), cmp.Compare(a.side, b.side))
	})
	m.told = slices.DeleteFunc(m.told, func(s benchSeat) bool { return s.game >= m.active })
	return m.plan()
}

// write has everybody write whose hour it is.
func (m *benchMonth) write(ctx context.Context) error {
	for _, seat := range m.due[m.now] {
		raw, err := m.letter(seat, true)
		if err != nil {
			return err
		}
		if raw == nil {
			continue // it was resolved without him
		}
		before := worked()
		folder, err := m.handle(ctx, raw)
		m.taking += worked() - before
		if err != nil {
			return err
		}
		m.taken++
		if folder != mail.Processed {
			m.refused++
		}
	}
	delete(m.due, m.now)
	return nil
}
