package adjudicator

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"berthier/adjudicator/game"
	"berthier/mail"
)

// A pen is somebody's OpenPGP key.
type pen struct {
	t      testing.TB
	entity *openpgp.Entity
	clock  func() time.Time
}

func newPen(t testing.TB, h *testOffice, address string) *pen {
	t.Helper()
	e, err := openpgp.NewEntity("Somebody", "", address, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA,
		Time: func() time.Time { return h.clock.Now().Add(-24 * time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	return &pen{t, e, h.clock.Now}
}

// public is the armoured public key, indented by so many spaces.
func (p *pen) public(indent int) string {
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.PublicKeyType, nil)
	if err == nil {
		err = p.entity.Serialize(w)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		p.t.Fatal(err)
	}
	pad := strings.Repeat(" ", indent)
	return pad + strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "\n"+pad)
}

func (p *pen) config() *packet.Config { return &packet.Config{Time: p.clock} }

// mime signs a text as OpenPGP/MIME and gives content type and body.
func (p *pen) mime(text string) string {
	part := "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
	var b bytes.Buffer
	if err := openpgp.ArmoredDetachSign(&b, p.entity, strings.NewReader(part), p.config()); err != nil {
		p.t.Fatal(err)
	}
	return "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=sig\r\n\r\n--sig\r\n" + part +
		"\r\n--sig\r\nContent-Type: application/pgp-signature; name=signature.asc\r\n\r\n" + strings.ReplaceAll(b.String(), "\n", "\r\n") + "\r\n--sig--\r\n"
}

// clear signs a text where it stands.
func (p *pen) clear(text string) string {
	var b bytes.Buffer
	w, err := clearsign.Encode(&b, p.entity.PrivateKey, p.config())
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		p.t.Fatal(err)
	}
	return "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(b.String(), "\n", "\r\n") + "\r\n"
}

func plainBody(text string) string {
	return "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
}

// raw is a letter as a mail server has it.
func (h *testOffice) raw(from, body string) []byte {
	h.count++
	return fmt.Appendf(nil, "Received: from players.example by mx.club.example; Mon, 2 Mar 2026 09:00:00 +0000\r\nFrom: <%s>\r\nTo: <office@club.example>\r\nSubject: orders\r\nDate: %s\r\nMessage-ID: <%d@%s>\r\nMIME-Version: 1.0\r\n%s",
		from, h.clock.Now().Format(time.RFC1123Z), h.count, from, body)
}

func (h *testOffice) handle(raw []byte, want mail.Folder) {
	h.Helper()
	got, err := h.office.Handle(context.Background(), mail.Incoming{Raw: raw, Size: int64(len(raw))})
	if err != nil {
		h.Fatal(err)
	}
	if got != want {
		h.Errorf("the letter goes to %s, want %s", got, want)
	}
}

// A letter that names one game of its writer's and has a key that does not fit is not taken
// for a letter to another game of his in which his address is enough.
func TestAddressIsNotEnoughForAnother(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.newGame(strings.Replace(twoSides, "lot-1", "lot-2", 1) + "proof: address\n")
	h.deliver(redAt)
	for _, text := range []string{"game: lot-1\nkey: AAAA-AAAA\ncommand: status\n", "game: lot-1\ncommand: status\n"} {
		h.write(redAt, text, mail.Rejected)
		l := h.one(h.deliver(redAt))
		h.says(l, "key")
		if strings.Contains(wordsOf(l), "lot-2") {
			t.Errorf("answered about another game: %s", wordsOf(l))
		}
	}
	h.write(redAt, "command: status\n", mail.Processed)
	h.says(h.one(h.deliver(redAt)), "lot-2")
	h.write(redAt, "game: lot-1\nkey: "+key(h, "lot-2", "red")+"\ncommand: status\n", mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "lot-2") // the key says which he means
}

// Where the address is enough, no key is asked for; the game master's letters
// need his all the same.
func TestProofAddress(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "proof: address\n")
	h.template(redAt)
	h.deliver(redAt)
	h.write(redAt, "game: lot-1\nside: red\nstop: 1 bid\norders: {bid: R-1}\n", mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-1")
	h.write(redAt, "side: red\ncommand: status\n", mail.Processed) // his only game
	h.says(h.one(h.deliver(redAt)), "The first")
	h.write("stranger@x.example", "game: lot-1\nside: red\nstop: 1 bid\norders: {bid: R-2}\n", mail.Rejected)
	h.deliver(gmAt)
	h.write(gmAt, "game: lot-1\ncommand: position\n", mail.Rejected)
	for _, l := range h.deliver(gmAt) {
		if strings.Contains(wordsOf(l), "R-2") {
			t.Error("the position went out without the game master's key")
		}
	}
}

func TestProofDKIM(t *testing.T) {
	d := newDKIMGame(t)
	d.refusesUnproven()

	// While nobody can be asked for the key, the letter is to be sent again.
	d.down = true
	d.clock.move(2 * time.Hour)
	d.handle(d.sign("play.example", d.raw(redAt, d.order("R-1"))), mail.Rejected)
	d.says(d.one(d.deliver(redAt)), "again")
	d.inForce(false)
	d.down = false

	d.clock.move(2 * time.Hour)
	first := d.sign("play.example", d.raw(redAt, d.order("R-1")))
	d.endsWhileItAsks(first)
	d.handle(first, mail.Processed)
	d.inForce(true)
	d.says(d.one(d.deliver(redAt)), "bid: R-1")
	d.clock.move(2 * time.Hour)
	d.handle(append([]byte("Authentication-Results: mx.club.example;\r\n\tdkim=pass (ok; fine) header.i=@mail.play.example header.s=s1\r\n"),
		d.raw(redAt, d.order("R-3"))...), mail.Processed)
	d.says(d.one(d.deliver(redAt)), "bid: R-3")
	d.takesNothingTwice(first)
}

// A dkimGame is a game whose players prove their letters by the signature of their domain.
type dkimGame struct {
	*testOffice
	pem, txt string          // the key, and what the domain says of it
	down     bool            // nobody can be asked for a key
	stop     func()          // stops the office when it asks; nil: it goes on
	asked    map[string]bool // whose keys were asked for
}

func newDKIMGame(t *testing.T) *dkimGame {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	d := &dkimGame{testOffice: newTestOffice(t), asked: map[string]bool{},
		pem: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		txt: "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey))}
	d.opt.LookupTXT = func(_ context.Context, name string) ([]string, error) {
		d.asked[name] = true
		if d.stop != nil {
			d.stop()
			return nil, &net.DNSError{Err: "operation was canceled", Name: name}
		}
		if d.down {
			return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
		}
		switch name {
		case "s1._domainkey.play.example", "s1._domainkey.evil.example":
			return []string{d.txt}, nil
		}
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	d.opt.TrustedServers = []string{"mx.club.example"}
	d.restart()
	d.newGame(twoSides + "proof: dkim\n")
	d.deliver(redAt)
	return d
}

// endsWhileItAsks offers a letter to an office that is stopped while it asks for the key: the letter stays where it is.
func (d *dkimGame) endsWhileItAsks(raw []byte) {
	d.Helper()
	ctx, stop := context.WithCancel(d.Context())
	d.stop = stop
	folder, err := d.office.Handle(ctx, mail.Incoming{Raw: raw, Size: int64(len(raw)), Received: d.clock.Now()})
	if d.stop = nil; folder != mail.Leave || !errors.Is(err, context.Canceled) {
		d.Errorf("a letter whose proof is cut off goes to %q: %v", folder, err)
	}
	d.silent(redAt)
}

// sign gives a letter the signature of a domain.
func (d *dkimGame) sign(domain string, raw []byte) []byte {
	d.Helper()
	k, err := mail.NewDKIMKey(domain, "s1", []byte(d.pem))
	if err != nil {
		d.Fatal(err)
	}
	if k.Record() != d.txt {
		d.Fatalf("record %s", k.Record())
	}
	out, err := k.Sign(raw)
	if err != nil {
		d.Fatal(err)
	}
	return out
}

// order is the body of red's orders with a bid.
func (d *dkimGame) order(bid string) string {
	return plainBody(fill(d.template(redAt), "{bid: "+bid+"}"))
}

// inForce asks whether an answer of red is in force.
func (d *dkimGame) inForce(want bool) {
	d.Helper()
	if got := d.record("lot-1").Seat("red").Owes.Answer != nil; got != want {
		d.Fatalf("an answer is in force: %v", got)
	}
}

// refusesUnproven sends letters whose key is right and whose domain is not proven, in many ways.
func (d *dkimGame) refusesUnproven() {
	orders := func() []byte { return d.raw(redAt, d.order("R-1")) }
	good := orders()
	for name, raw := range map[string][]byte{
		"no signature":          orders(),
		"another domain's":      d.sign("evil.example", orders()),
		"text changed":          bytes.Replace(d.sign("play.example", good), []byte("bid: R-1"), []byte("bid: R-2"), 1),
		"second date in front":  append([]byte("Date: Mon, 02 Jan 2006 15:04:05 +0000\r\n"), d.sign("play.example", good)...),
		"stranger's findings":   append([]byte("Authentication-Results: mx.evil.example; dkim=pass header.d=play.example\r\n"), orders()...),
		"findings below ours":   append([]byte("Authentication-Results: mx.club.example; dkim=fail header.d=play.example\r\nAuthentication-Results: mx.club.example; dkim=pass header.d=play.example\r\n"), orders()...),
		"pass for another":      append([]byte("Authentication-Results: mx.club.example; dkim=pass header.d=evil.example\r\n"), orders()...),
		"pass within a comment": append([]byte("Authentication-Results: mx.club.example; dkim=fail (a; dkim=pass header.d=play.example) header.d=play.example\r\n"), orders()...),
		"spf alone":             append([]byte("Authentication-Results: mx.club.example; spf=pass smtp.mailfrom=play.example\r\n"), orders()...),
	} {
		d.clock.move(2 * time.Hour)
		d.handle(raw, mail.Rejected)
		d.inForce(false)
		l := d.deliver(redAt)
		if len(l) != 1 || !strings.Contains(wordsOf(l[0]), "DKIM") || strings.Contains(wordsOf(l[0]), "The first") {
			d.Errorf("%s: answered by %q", name, subjects(l))
		}
	}
	if d.asked["s1._domainkey.evil.example"] {
		d.Error("a stranger's letter made us ask for his domain")
	}
}

// takesNothingTwice sends letters that came before: as they came, with what may be changed on the
// way, and, where the server's word was believed, under a Message-ID that no signature covers.
func (d *dkimGame) takesNothingTwice(first []byte) {
	d.clock.move(2 * time.Hour)
	d.handle(first, mail.Processed)
	d.handle(append([]byte("Received: from somewhere\r\n"), first...), mail.Processed)
	d.handle(bytes.Replace(first, []byte("MIME-Version: 1.0\r\n"), []byte("MIME-Version: 1.0\r\nX-New: 1\r\n"), 1), mail.Processed)
	d.silent(redAt)
	believed := append([]byte("Authentication-Results: mx.club.example; dkim=pass header.d=play.example\r\n"), d.raw(redAt, d.order("R-2"))...)
	d.clock.move(2 * time.Hour)
	d.handle(believed, mail.Processed)
	d.says(d.one(d.deliver(redAt)), "bid: R-2")
	d.clock.move(2 * time.Hour)
	d.handle(bytes.Replace(believed, []byte("Message-ID: <"), []byte("Message-ID: <again."), 1), mail.Processed)
	d.silent(redAt)
	d.write(redAt, command(d.testOffice, "lot-1", "red", "command: status"), mail.Rejected) // a letter of which nothing is known
}

// Findings that a letter brings along are not those of the receiving server: they stand
// below the first Received field. An office believes such findings only if its own server
// writes there too, and was found to take away those of others.
func TestFindingsBroughtAlong(t *testing.T) {
	h := newTestOffice(t)
	h.opt.TrustedServers = []string{"mx.club.example", "mk.club.example"}
	h.restart()
	h.newGame(twoSides + "proof: dkim\n")
	order := plainBody(fill(h.template(redAt), "{bid: R-1}"))
	received := []byte("Received: from players.example by mx.club.example; Mon, 2 Mar 2026 09:00:00 +0000\r\n")
	pass := func(server string) []byte {
		return []byte("Authentication-Results: " + server + "; dkim=pass header.d=play.example\r\n")
	}
	below := func(raw []byte) []byte {
		return bytes.Replace(raw, []byte("From:"), append(pass("mx.club.example"), "From:"...), 1)
	}
	for name, raw := range map[string][]byte{
		"below the server's own":  below(h.raw(redAt, order)),
		"with a Received of its":  append(received, append(pass("mx.club.example"), h.raw(redAt, order)...)...),
		"no server":               append(pass("mx.club.example"), bytes.TrimPrefix(h.raw(redAt, order), received)...),
		"a server that looks so":  append(pass("m\u212a.club.example"), h.raw(redAt, order)...),
		"a domain that looks so":  append([]byte("Authentication-Results: mx.club.example; dkim=pass header.d=play.e\u212aample\r\n"), h.raw(redAt, order)...),
		"a method that looks so":  append([]byte("Authentication-Results: mx.club.example; d\u212aim=pass header.d=play.example\r\n"), h.raw(redAt, order)...),
		"nobody's word, in front": append([]byte("Authentication-Results: mx.club.example (\r\n"), below(h.raw(redAt, order))...),
	} {
		h.clock.move(2 * time.Hour)
		h.handle(raw, mail.Rejected)
		if h.record("lot-1").Seat("red").Owes.Answer != nil {
			t.Fatalf("%s: the letter counts", name)
		}
	}
	h.opt.FindingsBelow = true
	h.restart()
	h.clock.move(2 * time.Hour)
	h.handle(below(h.raw(redAt, order)), mail.Processed)
}

// Whoever writes from an address that only looks like a player's, or that another
// program would fold onto it, is a stranger.
func TestLookalikeAddressIsAStranger(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.NewReplacer("red@play.example", "Kiki@play.example").Replace(twoSides) + "proof: address\n")
	h.deliver("kiki@play.example")
	h.deliver(gmAt)
	for _, from := range []string{"\u212aiki@play.example", "ki\u212ai@play.example", "K\u0130ki@play.example", "kiki@play.exam\u212ale"} {
		h.clock.move(time.Hour)
		h.handle(h.raw(from, plainBody("game: lot-1\nside: red\nstop: 1 bid\norders: {bid: R-1}\n")), mail.Rejected)
	}
	h.silent("kiki@play.example")
	h.handle(h.raw("KIKI@Play.Example", plainBody("game: lot-1\nside: red\nstop: 1 bid\norders: {bid: R-1}\n")), mail.Processed)
	h.says(h.one(h.deliver("kiki@play.example")), "bid: R-1")
}

// If the office can't check DKIM at all, no game can ask for it.
func TestProofNeedsMeans(t *testing.T) {
	h := newTestOffice(t)
	for _, set := range []string{"proof: dkim\n", "proof: signed\n", "proof: magic\n", "prova: firmata\n"} {
		if _, problems := h.office.Clerk().ReadSetup(twoSides+set, nil); len(problems) != 1 {
			t.Errorf("%s: %v", set, problems)
		}
	}
}

func TestProofSigned(t *testing.T) {
	h := newTestOffice(t)
	red, gm, evil := newPen(t, h, redAt), newPen(t, h, gmAt), newPen(t, h, redAt)
	set := strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}",
		"gm:\n  name: Gina\n  address: gm@club.example\n  pgp-key: |\n"+gm.public(4), 1)
	h.newGame(set + "proof: signed\n")
	order := func(bid string) string { return fill(h.template(redAt), "{bid: "+bid+"}") }
	h.deliver(redAt)
	h.deliver(gmAt)
	expect := func(raw []byte, want mail.Folder, says string) {
		t.Helper()
		h.clock.move(2 * time.Hour)
		h.handle(raw, want)
		h.says(h.one(h.deliver(redAt)), says)
	}
	expect(h.raw(redAt, red.mime(order("R-1"))), mail.Rejected, "not registered")

	// The game master registers the key, by a signed letter.
	register := command(h, "lot-1", "gm", "command: public-key", "side: red", "pgp-key: |", red.public(2))
	h.handle(h.raw(gmAt, plainBody(register)), mail.Rejected)
	h.clock.move(2 * time.Hour)
	h.handle(h.raw(gmAt, gm.mime(register)), mail.Processed)
	h.says(h.one(h.deliver(redAt)), fmt.Sprintf("%X", red.entity.PrimaryKey.Fingerprint))
	h.deliver(gmAt)

	expect(h.raw(redAt, plainBody(order("R-1"))), mail.Rejected, "no signature")
	expect(h.raw(redAt, evil.mime(order("R-1"))), mail.Rejected, "does not fit")
	expect(h.raw(redAt, strings.Replace(red.mime(order("R-1")), "bid: R-1", "bid: R-2", 1)), mail.Rejected, "does not fit")
	expect(h.raw(redAt, strings.Replace(red.clear(order("R-1")), "bid: R-1", "bid: R-2", 1)), mail.Rejected, "does not fit")
	// Signed words around unsigned orders.
	mixed := "Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n" + red.mime("Greetings\n") + "\r\n--m\r\n" + plainBody(order("R-1")) + "\r\n--m--\r\n"
	expect(h.raw(redAt, mixed), mail.Rejected, "the part that is signed")
	if h.record("lot-1").Seat("red").Owes.Answer != nil {
		t.Fatal("an unproven letter counts")
	}

	made := red.mime(order("R-1"))
	expect(h.raw(redAt, made), mail.Processed, "bid: R-1")
	expect(h.raw(redAt, red.clear(order("R-2"))), mail.Processed, "bid: R-2")
	// The older one again under a new letter, with a newer date.
	h.clock.move(time.Hour)
	h.handle(h.raw(redAt, made), mail.Processed)
	h.silent(redAt)
	h.handle(h.raw(redAt, strings.Replace(made, "boundary=sig", "boundary=sig; x=y", 1)), mail.Processed)
	h.silent(redAt)
	h.says(h.one(func() []*mail.Letter {
		h.handle(h.raw(redAt, red.clear(command(h, "lot-1", "red", "command: status"))), mail.Processed)
		return h.deliver(redAt)
	}()), "The first")
	// It is the second that counts.
	if n := h.record("lot-1").Seat("red").Owes.Answer.Number; n != 2 {
		t.Errorf("the file in force is number %d, want 2", n)
	}
}

// A player changes a key that leaked; the game master can do it for him.
func TestNewKey(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(redAt, fill(h.template(redAt), "{bid: R-3}"), mail.Processed)
	for _, a := range []string{redAt, blueAt, gmAt} {
		h.deliver(a)
	}
	old := key(h, "lot-1", "red")
	oldTemplate := h.template(redAt)
	h.clock.move(time.Hour)
	h.write(redAt, command(h, "lot-1", "red", "command: new-key"), mail.Processed)
	fresh := key(h, "lot-1", "red")
	if fresh == old {
		t.Fatal("the key is the old one")
	}
	l := h.one(h.deliver(redAt))
	h.says(l, fresh)
	if strings.Contains(l.Subject, fresh) || strings.Contains(wordsOf(l), old) {
		t.Error("a key where none belongs")
	}
	h.silent(blueAt)
	h.write(redAt, fill(oldTemplate, "{bid: R-1}"), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "no key that fits")
	h.clock.move(time.Hour)
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-2")

	// The game master: for a player, and for himself.
	h.write(gmAt, command(h, "lot-1", "gm", "command: new-key", "side: red"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), key(h, "lot-1", "red"))
	for _, l := range h.deliver(gmAt) {
		if strings.Contains(wordsOf(l), key(h, "lot-1", "red")) {
			t.Error("the game master has the player's key")
		}
	}
	was := key(h, "lot-1", "gm")
	h.write(gmAt, command(h, "lot-1", "gm", "comando: nuova-chiave"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), key(h, "lot-1", "gm"))
	h.write(gmAt, "game: lot-1\nkey: "+was+"\ncommand: show\n", mail.Rejected)
	if key(h, "lot-1", "blue") == "" || was == key(h, "lot-1", "gm") {
		t.Error("the game master's key did not change")
	}
}

// A key is in nobody else's letter, whatever players write where others read it.
func TestKeysStayPrivate(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	red, blue := key(h, "lot-1", "red"), key(h, "lot-1", "blue")
	loose := strings.ToLower(strings.Replace(red, "-", "  ", 1))
	h.write(redAt, command(h, "lot-1", "red", "command: press", "for: blue", `text: "my key is `+red+", once more "+loose+`"`), mail.Processed)
	h.clock.move(time.Hour)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}", "note: my key is "+red), mail.Processed)
	// A letter of his forwarded by the other, with the key in what is quoted.
	h.clock.move(time.Hour)
	forwarded := "Look what I got\n\n-------- Original Message --------\n" + "> " + strings.ReplaceAll(fill(h.template(redAt), "{bid: R-3}"), "\n", "\n> ")
	before := *h.record("lot-1").Seat("red").Owes.Answer
	h.write(blueAt, forwarded, mail.Rejected)
	if after := h.record("lot-1").Seat("red").Owes.Answer; *after != before {
		t.Error("a quoted key counts")
	}
	h.flush()
	for _, p := range h.post.sent {
		words := strings.ToUpper(wordsOf(p.letter))
		for at, k := range map[string]string{redAt: red, blueAt: blue} {
			folded := strings.ReplaceAll(k, "-", "")
			for _, form := range []string{k, folded, strings.Replace(k, "-", "  ", 1), strings.Replace(k, "-", " ", 1)} {
				if p.to != at && strings.Contains(words, form) {
					t.Errorf("%s has the key of %s: %s", p.to, at, p.letter.Subject)
				}
				if strings.Contains(strings.ToUpper(p.letter.Subject), form) {
					t.Errorf("a key in the subject %q", p.letter.Subject)
				}
			}
		}
	}
}

// Strangers: no answer, or one a day, and never a word about a game.
func TestStrangers(t *testing.T) {
	const at = "stranger@x.example"
	order := "game: lot-1\nside: red\nstop: 1 bid\nkey: AAAA-AAAA\norders: {bid: R-1}\n"
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(at, order, mail.Rejected)
	h.silent(at)
	h.opt.AnswerStrangers = true
	h.restart()
	h.write(at, "Buy now! The best prices.", mail.Rejected)
	h.silent(at)
	h.write(at, order, mail.Rejected)
	l := h.one(h.deliver(at))
	h.says(l, "does not know the address")
	if raw := h.post.sent[len(h.post.sent)-1].raw; len(raw) > 8<<10 || len(l.Parts[0].Text) > 1<<10 {
		t.Errorf("a stranger gets %d bytes, %d of them text", len(raw), len(l.Parts[0].Text))
	}
	for _, text := range []string{"lot-1", "The first", "AAAA", "Rosa", redAt} {
		if strings.Contains(wordsOf(l), text) {
			t.Errorf("a stranger is told %s", text)
		}
	}
	for range 5 {
		h.clock.move(90 * time.Minute)
		h.write(at, order, mail.Rejected)
	}
	h.restart()
	h.write(at, order, mail.Rejected)
	h.silent(at)
	h.clock.move(24 * time.Hour)
	h.write(at, order, mail.Rejected)
	h.one(h.deliver(at))
	// Many forged addresses: a bounded number of letters.
	h.clock.move(24 * time.Hour)
	sent := len(h.post.sent)
	for i := range 3 * mostStrangers {
		h.write(fmt.Sprintf("forged%d@x.example", i), order, mail.Rejected)
	}
	h.flush()
	if n := len(h.post.sent) - sent; n != mostStrangers {
		t.Errorf("%d letters to strangers on one day, want %d", n, mostStrangers)
	}
}

// An address whose letters keep coming back gets no more of them, until its
// player writes; the game master is told.
func TestBouncesStopLetters(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.flush()
	bounced := 0
	told := false
	for range 4 * game.MostBounces {
		h.clock.move(time.Hour)
		if err := h.office.Clerk().Remind(context.Background(), "lot-1", "red"); err != nil {
			t.Fatal(err)
		}
		for _, l := range h.deliver(redAt) {
			bounced++
			back := h.letter("mailer-daemon@play.example", "")
			back.Automatic = mail.AutoBounce
			back.Bounce = &mail.Bounce{Null: true, MessageID: l.MessageID, Permanent: true, Status: "5.1.1"}
			h.take(back, mail.Processed)
		}
		for _, l := range h.deliver(gmAt) {
			told = told || strings.Contains(wordsOf(l), "no more are sent there")
		}
	}
	if bounced != game.MostBounces {
		t.Errorf("%d letters came back, want %d", bounced, game.MostBounces)
	}
	if !told {
		t.Error("the game master does not know")
	}
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	h.one(h.deliver(redAt))
	if err := h.office.Clerk().Remind(context.Background(), "lot-1", "red"); err != nil {
		t.Fatal(err)
	}
	h.one(h.deliver(redAt))
}
