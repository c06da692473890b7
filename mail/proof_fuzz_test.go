package mail

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// Letters with good signatures, from which targets start. Their keys are thrown
// away; the public one lies beside them.
const proofFolder = "testdata/proof"

var proofTime = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// proofWords is what the signed letters say.
const proofWords = "game: lot-1\nside: red\nstop: 1 bid\nkey: AAAA-BBBB\norders: {bid: R-1}\n"

// writeProofs makes the signed letters anew.
func writeProofs(t *testing.T) {
	at := func(d time.Duration) *packet.Config {
		return &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA, Time: func() time.Time { return proofTime.Add(d) }}
	}
	e, err := openpgp.NewEntity("Rosa", "", "a@b.test", at(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	var public, detached, clear bytes.Buffer
	w, err := armor.Encode(&public, openpgp.PublicKeyType, nil)
	if err = errors.Join(err, e.Serialize(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	part := "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(proofWords, "\n", "\r\n")
	if err := openpgp.ArmoredDetachSign(&detached, e, strings.NewReader(part), at(0)); err != nil {
		t.Fatal(err)
	}
	c, err := clearsign.Encode(&clear, e.PrivateKey, at(0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte(proofWords)); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	head := "From: Rosa <a@b.test>\r\nTo: office@club.test\r\nSubject: orders\r\nDate: Mon, 02 Mar 2026 09:00:00 +0000\r\nMessage-ID: <1@b.test>\r\nMIME-Version: 1.0\r\n"
	for name, text := range map[string]string{
		"public.asc": public.String(),
		"mime.eml": head + "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=sig\r\n\r\n--sig\r\n" + part +
			"\r\n--sig\r\nContent-Type: application/pgp-signature; name=signature.asc\r\n\r\n" + strings.ReplaceAll(detached.String(), "\n", "\r\n") + "\r\n--sig--\r\n",
		"inline.eml": head + "Content-Type: text/plain; charset=utf-8\r\n\r\nHello,\r\n\r\n" + strings.ReplaceAll(clear.String(), "\n", "\r\n") + "\r\nRegards\r\n",
	} {
		if err := os.WriteFile(filepath.Join(proofFolder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// proofs reads the signed letters and the public key.
func proofs(t testing.TB) (letters [][]byte, public string) {
	t.Helper()
	for _, name := range []string{"mime.eml", "inline.eml", "public.asc"} {
		data, err := os.ReadFile(filepath.Join(proofFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if public = string(data); strings.HasSuffix(name, ".eml") {
			letters = append(letters, data)
		}
	}
	return letters, public
}

// Letters that were signed long ago still verify, and give the words that were
// signed.
func TestSignedLetters(t *testing.T) {
	if *update {
		writeProofs(t)
	}
	letters, public := proofs(t)
	for i, raw := range letters {
		l, err := Read(raw, Own{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.ProveSignature(public, proofTime.Add(time.Hour))
		if err != nil || !p.Made.Equal(proofTime) || len(p.Parts) != 1 || strings.TrimSpace(p.Parts[0].Text) != strings.TrimSpace(proofWords) {
			t.Errorf("letter %d: %+v, %v", i, p, err)
		}
	}
}

// FuzzSigned: whatever is made of a signed letter, what is proven of it is what
// was signed, and nothing else.
func FuzzSigned(f *testing.F) {
	letters, public := proofs(f)
	for _, raw := range letters {
		f.Add(raw)
		f.Add(bytes.Replace(raw, []byte("R-1"), []byte("R-2"), 1))
		f.Add(bytes.Replace(raw, []byte("MIME-Version: 1.0"), []byte("Content-Transfer-Encoding: quoted-printable"), 1))
		f.Add(append(append([]byte(nil), raw...), raw...))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := Read(raw, testOwn)
		if err != nil {
			if _, err := l.ProveSignature(public, proofTime); err != ErrUnsigned {
				t.Fatalf("of a letter that can't be read: %v", err)
			}
			return
		}
		p, err := l.ProveSignature(public, proofTime.Add(time.Hour))
		if err != nil {
			if err != ErrUnsigned && err != ErrBadSignature || p != nil {
				t.Fatalf("%v, %v", p, err)
			}
			return
		}
		if !p.Made.Equal(proofTime) || p.Mark == [32]byte{} || len(p.Parts) != 1 {
			t.Fatalf("%+v", p)
		}
		if got := strings.Join(strings.Fields(p.Parts[0].Text), " "); got != strings.Join(strings.Fields(proofWords), " ") {
			t.Fatalf("signed, although nobody wrote it: %q", got)
		}
	})
}

// FuzzPublicKey reads what somebody sends as his key.
func FuzzPublicKey(f *testing.F) {
	letters, public := proofs(f)
	f.Add(public, "x")
	f.Add(strings.ReplaceAll(public, "\n", "\r\n"), public)
	f.Add("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxA==\n-----END PGP PUBLIC KEY BLOCK-----\n", public)
	for _, raw := range letters {
		f.Add(string(raw), string(raw))
	}
	signedLetter, err := Read(letters[0], Own{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, packets string) {
		// Bytes as they are, and in armour, where a sum would keep most of what is
		// made up away from the packets.
		for _, key := range []string{text, armoured(packets)} {
			print, err := CheckPublicKey(key, proofTime)
			if err != nil {
				continue
			}
			if len(print) < 40 || strings.Trim(print, "0123456789ABCDEF") != "" {
				t.Fatalf("fingerprint %q", print)
			}
			// Whoever has another key has not written the letter.
			p, err := signedLetter.ProveSignature(key, proofTime.Add(time.Hour))
			good, goodErr := CheckPublicKey(public, proofTime)
			if goodErr != nil {
				t.Fatal(goodErr)
			}
			if err == nil && print != good {
				t.Fatalf("%+v was signed with %s", p, print)
			}
		}
	})
}

func armoured(packets string) string {
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.PublicKeyType, nil)
	if err == nil {
		_, err = w.Write([]byte(packets))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return ""
	}
	return b.String()
}

// testKey is the key of a domain, the same in every process.
func testKey(t testing.TB, domain string) *DKIMKey {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte("k"), ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewDKIMKey(domain, "s1", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// FuzzDKIM: whatever is made of a letter that its domain signed, what is proven
// says what was signed; and no letter makes us ask the DNS for more than a few
// names, all of the domain that it says it comes from.
func FuzzDKIM(f *testing.F) {
	k := testKey(f, "b.test")
	letter := "From: Rosa <a@b.test>\r\nTo: office@club.test\r\nSubject: orders\r\nDate: Mon, 02 Mar 2026 09:00:00 +0000\r\nMessage-ID: <1@b.test>\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(proofWords, "\n", "\r\n")
	raw, err := k.Sign([]byte(letter))
	if err != nil {
		f.Fatal(err)
	}
	evil, err := testKey(f, "evil.example").Sign([]byte(letter))
	if err != nil {
		f.Fatal(err)
	}
	field, _, _ := strings.Cut(string(raw), "From: Rosa")
	f.Add(raw)
	f.Add(evil)
	f.Add(bytes.Replace(raw, []byte("R-1"), []byte("R-2"), 1))
	f.Add([]byte(strings.Repeat(field, 8) + letter))
	f.Add([]byte("DKIM-Signature: v=1; a=ed25519-sha256; d=b.test; s=s1; h=from; bh=; b=; l=0\r\n" + letter))
	f.Add([]byte("DKIM-Signature: v=1; a=rsa-sha1; c=simple/relaxed; d=b.test; s=a.b.c; h=from:from:date:subject:message-id; i=@x.b.test; t=1; x=2; bh=" + base64.StdEncoding.EncodeToString(make([]byte, 32)) + "; b=AAAA\r\n" + letter))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := Read(raw, testOwn)
		var asked atomic.Int32
		lookup := func(_ context.Context, name string) ([]string, error) {
			asked.Add(1)
			_, domain, ok := strings.Cut(strings.TrimSuffix(name, "."), "._domainkey.")
			if !ok || !aligned(domain, l.From.Domain()) {
				t.Errorf("asked for %q for a letter from %q", name, l.From.Addr)
			}
			if name == k.Name() {
				return []string{k.Record()}, nil
			}
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		}
		proof := l.ProveDomain(context.Background(), lookup)
		if n := asked.Load(); n > mostSignatures {
			t.Fatalf("asked %d times", n)
		}
		if proof != nil {
			if proof != ErrUnproven {
				t.Fatal(proof)
			}
			return
		}
		if err != nil {
			t.Fatalf("proven, although it can't be read: %v", err)
		}
		if l.From.Addr != "a@b.test" || l.Subject != "orders" || l.MessageID != "1@b.test" || !l.Date.Equal(proofTime) {
			t.Fatalf("proven: %+v", l)
		}
		text := ""
		for _, p := range l.Parts {
			text += p.Text
		}
		if strings.Join(strings.Fields(text), " ") != strings.Join(strings.Fields(proofWords), " ") {
			t.Fatalf("signed, although nobody wrote it: %q", text)
		}
	})
}
