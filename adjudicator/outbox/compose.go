package outbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/templates"
)

// Load reads a letter with the grounds of its pictures, and when it is due.
func (b *Box) Load(tx store.Reader, id uint64) (*Outgoing, time.Time, error) {
	stored, ok := tx.Outgoing(id)
	if !ok {
		return nil, time.Time{}, fmt.Errorf("load letter %d: there is none", id)
	}
	if r, ok := b.fresh.take(id, stored.Body); ok {
		r.was = stored.Version()
		return r, stored.Due, nil
	}
	r, err := whole(tx, id, stored.Body)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("load letter %d: %w", id, err)
	}
	r.was = stored.Version()
	if r.Letter == nil {
		return r, stored.Due, nil
	}
	for i, name := range r.Grounds {
		if name == "" || i >= len(r.Letter.Scenes) {
			continue
		}
		var key [32]byte
		if _, err := hex.Decode(key[:], []byte(name)); err != nil {
			return nil, time.Time{}, fmt.Errorf("load letter %d: picture: %w", id, err)
		}
		ground, ok := b.grounds.Get(key)
		if !ok {
			if err := json.Unmarshal(tx.Blob(key), &ground); err != nil {
				return nil, time.Time{}, fmt.Errorf("load letter %d: picture: %w", id, err)
			}
			b.grounds.Put(key, ground)
		}
		r.Letter.Scenes[i].Scene.Ground = ground
	}
	return r, stored.Due, nil
}

// Compose packs a letter as mail.
func (b *Box) Compose(id uint64, r *Outgoing) ([]byte, error) {
	draft := mail.Draft{
		From: mail.Address{Name: b.opt.From.Name, Addr: b.opt.Address(r.Game)}, To: mail.Address{Name: r.Name, Addr: r.Address}, Subject: r.Letter.Subject,
		MessageID: b.MessageID(id), InReplyTo: r.InReplyTo, References: r.References, Date: r.Written,
		Text: r.Letter.Text, HTML: r.Letter.HTML, AutoSubmitted: "auto-generated", Unsubscribe: r.Stops, Entry: b.opt.Foot(r.Letter.Foot),
	}
	if r.Answer {
		draft.AutoSubmitted = "auto-replied"
	}
	for i, s := range r.Letter.Scenes {
		var ground string
		if i < len(r.Grounds) {
			ground = r.Grounds[i]
		}
		png, err := b.draws(s, ground)
		if err != nil {
			return nil, fmt.Errorf("draw %s: %w", s.Name, err)
		}
		draft.Inline = append(draft.Inline, mail.File{Name: s.Name + ".png", Type: "image/png", CID: s.Name, Data: png})
	}
	for _, f := range r.Letter.Files {
		draft.Files = append(draft.Files, mail.File{Name: f.Name, Type: f.Type, Data: f.Data})
	}
	raw, err := draft.Compose()
	if err != nil {
		return nil, fmt.Errorf("compose letter: %w", err)
	}
	return raw, nil
}

// draws draws a picture, unless it was drawn a short while ago: a letter that
// has to be sent again, or a report that was asked for again, has the same pictures.
func (b *Box) draws(s templates.Scene, ground string) ([]byte, error) {
	scene := *s.Scene
	scene.Ground = nil
	what, err := json.Marshal(struct {
		Ground string
		Scene  engine.Scene
		Labels []string
	}{ground, scene, s.Labels})
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(what)
	if png, ok := b.pictures.Get(key); ok {
		return png, nil
	}
	png, err := b.opt.Draw(s.Scene, s.Labels)
	if err == nil {
		b.pictures.Put(key, png)
	}
	return png, err
}
