package adjudicator

import (
	"context"
	"fmt"
	"strconv"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/adjudicator/tally"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// officeKeyName is where the store counts how often the office's key of an address
// was changed.
func officeKeyName(address string) string { return "office key " + mailbox.Clean(address) }

// OfficeKey is the key with which an address of Options.GMs makes games by letter,
// and may do in every game what its game master may.
func (o *Office) OfficeKey(address string) (key string, err error) {
	err = o.read(func(tx store.Reader) error {
		key, err = o.officeKey(tx, address)
		return err
	})
	return key, err
}

func (o *Office) officeKey(tx store.Reader, address string) (string, error) {
	changed, err := keysChanged(tx, address)
	return o.officeKeyAfter(address, changed), err
}

// officeKeyAfter is the office's key of an address that was changed so often.
func (o *Office) officeKeyAfter(address string, changed int) string {
	return o.keys.Of("", mailbox.Clean(address), 0, changed)
}

func keysChanged(tx store.Reader, address string) (int, error) {
	data := tx.Value(officeKeyName(address))
	if data == nil {
		return 0, nil
	}
	n, err := strconv.Atoi(string(data))
	if err != nil {
		return 0, fmt.Errorf("read how often the office's key was changed: %w", err)
	}
	return n, nil
}

// NewOfficeKey gives an address of Options.GMs another key. The old key, which
// somebody may have seen, is no longer valid. Its holder is told in a
// letter. The error is a [RefusedError] if the address is not one of these.
func (c *Clerk) NewOfficeKey(ctx context.Context, address string) (string, error) {
	gm := c.office.mayMake(mailbox.Clean(address))
	if gm == nil {
		return "", game.Refuse("office.office-key.whose", phrase.Literal("address", address))
	}
	r := &outbox.Outgoing{Kind: "notice", Name: gm.Name, Address: gm.Address, Written: c.office.now()}
	r.Answers(nil, c.office.box.Thread("", engine.Side(gm.Address), 0))
	return c.office.changeOfficeKey(ctx, *gm, r, "office.office-key.by-operator", store.Change{})
}

// changeOfficeKey gives an administrator another key with a change, and queues the letter
// that tells him.
func (o *Office) changeOfficeKey(ctx context.Context, gm log.Person, r *outbox.Outgoing, line string, with store.Change) (string, error) {
	var key string
	err := store.Again(ctx, func() error {
		c := with.Clone()
		changed := 0
		if err := o.read(func(tx store.Reader) (err error) {
			if changed, err = keysChanged(tx, gm.Address); err != nil {
				return err
			}
			n := c.ValueIn(tx, officeKeyName(gm.Address))
			n.Data = []byte(strconv.Itoa(changed + 1))
			c.PutValue(officeKeyName(gm.Address), n)
			return nil
		}); err != nil {
			return err
		}
		key = o.officeKeyAfter(gm.Address, changed+1)
		letter := o.letters.Outside(gm, o.now()).OfficeKey(key, line)
		r.Letter = &letter
		return o.queue(ctx, c, r)
	})
	if err != nil {
		return "", err
	}
	o.log.Warn("office's key changed", "address", gm.Address)
	return key, nil
}

// newOfficeKey does what an administrator's command new-key says if it names no game.
func (it *arrival) newOfficeKey(ctx context.Context, gm log.Person) (mail.Folder, error) {
	const what = "gm command: new-key"
	if !it.mayAnswer("", tally.GMWeight) { // a key that nobody is told of would lock him out
		return it.drop(ctx, what+", too much", mail.Rejected)
	}
	it.office.log.Info("letter taken in", "what", what, "msg_id", it.Mail.MessageID)
	r := &outbox.Outgoing{Kind: "notice", Name: gm.Name, Address: gm.Address, Written: it.Now}
	r.Answers(it.Mail, it.office.box.Thread("", engine.Side(gm.Address), 0))
	var c store.Change
	if err := it.mark(&c, "", what, mail.Processed); err != nil {
		return mail.Leave, err
	}
	_, err := it.office.changeOfficeKey(ctx, gm, r, "office.new-key.what", c)
	return mail.Processed, err
}
