package mail

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"berthier/mail/mailbox"

	"github.com/emersion/go-msgauth/dkim"
)

// A TXTLookup asks the DNS for the TXT records of a name. The error of a name
// that can't be asked at the moment says so by Temporary() or IsTemporary.
type TXTLookup func(ctx context.Context, name string) ([]string, error)

// ErrUnproven says that nothing proves that the domain of From wrote the letter.
var ErrUnproven = errors.New("the letter's domain is not proven")

// ErrNotNow says that the DNS could not be asked for the proof; later it may answer.
var ErrNotNow = errors.New("the letter's domain could not be looked up now")

// Bounds of what the signatures of one letter may cost.
const (
	mostSignatures = 5
	lookupTime     = 10 * time.Second
	leastRSA       = 1024 // bits, RFC 8301
)

// signedFields must be covered by a signature: without them an old letter could
// be sent again as a new one.
var signedFields = []string{"from", "date", "message-id", "subject"}

// singleFields may stand in a letter at most once. Of two, one may be signed
// and the other read.
var singleFields = []string{"from", "date", "message-id", "subject", "to", "cc", "reply-to", "in-reply-to", "references",
	"mime-version", "content-type", "content-transfer-encoding"}

// ProveDomain tells whether the domain of From wrote the letter. The receiving
// server is believed if it said so ([Own.TrustedServers]); otherwise, if there
// is a way to ask the DNS, the letter's own DKIM signatures are verified
// (RFC 6376). A signature counts if its domain is aligned with that of From
// (RFC 7489, relaxed) and if it covers From, Date, Message-ID and Subject.
//
// Only letters as [Read] gave them can be proven. The error is [ErrUnproven] or,
// if the DNS could not be asked, [ErrNotNow].
func (l *Letter) ProveDomain(ctx context.Context, lookup TXTLookup) error {
	if l.raw == nil || l.doubled {
		return ErrUnproven
	}
	if l.proven {
		return nil
	}
	if lookup == nil || l.signatures == 0 {
		return ErrUnproven
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	// Only keys of the domain itself are asked for: a stranger's letter must not make
	// us ask anybody else. The signatures are verified side by side, so what is noted
	// must be locked; a channel with one slot does that.
	noted := make(chan bool, mostSignatures)
	ask := func(name string) ([]string, error) {
		_, domain, ok := strings.Cut(strings.TrimSuffix(name, "."), "._domainkey.")
		if !ok || !aligned(domain, l.From.Domain()) {
			return nil, errors.New("another domain")
		}
		records, err := lookup(ctx, name)
		if err != nil && temporaryDNS(err) {
			select {
			case noted <- true:
			default:
			}
		}
		return records, err
	}
	verdicts, err := dkim.VerifyWithOptions(bytes.NewReader(crlf(l.raw)), &dkim.VerifyOptions{LookupTXT: ask, MaxVerifications: mostSignatures})
	if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
		return ErrUnproven
	}
	for _, v := range verdicts {
		if v.Err != nil || !aligned(v.Domain, l.From.Domain()) {
			continue
		}
		covered := true
		for _, key := range signedFields {
			covered = covered && containsFold(v.HeaderKeys, key)
		}
		if covered {
			return nil
		}
	}
	select {
	case <-noted:
		return ErrNotNow
	default:
		return ErrUnproven
	}
}

func temporaryDNS(err error) bool {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return !dns.IsNotFound
	}
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary() || errors.Is(err, context.DeadlineExceeded)
}

// crlf gives every line end the form that signatures are made over.
func crlf(b []byte) []byte {
	if !bytes.Contains(b, []byte("\n")) {
		return b
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// A DKIMKey signs letters for a domain.
type DKIMKey struct {
	Domain   string
	Selector string
	signer   crypto.Signer
}

// NewDKIMKey reads a private key in PEM (PKCS #8, or PKCS #1 for RSA): Ed25519,
// or RSA of at least 1024 bits.
func NewDKIMKey(domain, selector string, pemData []byte) (*DKIMKey, error) {
	if !dnsName(domain) || !strings.Contains(domain, ".") {
		return nil, fmt.Errorf("read DKIM key: %q is no domain", domain)
	}
	if !dnsName(selector) {
		return nil, fmt.Errorf("read DKIM key: %q is no selector", selector)
	}
	block, _ := pem.Decode(pemData)
	if block == nil {
		return nil, errors.New("read DKIM key: no PEM block")
	}
	k := &DKIMKey{Domain: mailbox.Fold(domain), Selector: mailbox.Fold(selector)}
	if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		k.signer, _ = key.(crypto.Signer)
	} else if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		k.signer = key
	}
	switch key := k.signer.(type) {
	case *rsa.PrivateKey:
		if key.N.BitLen() < leastRSA {
			return nil, fmt.Errorf("read DKIM key: RSA of %d bits is too short", key.N.BitLen())
		}
	case ed25519.PrivateKey:
	default:
		return nil, errors.New("read DKIM key: neither RSA nor Ed25519 in PKCS #8")
	}
	return k, nil
}

func dnsName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for _, label := range strings.Split(s, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for i := 0; i < len(label); i++ {
			c := label[i]
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
				return false
			}
		}
	}
	return true
}

// Name is the name in the DNS at which the public key must stand.
func (k *DKIMKey) Name() string { return k.Selector + "._domainkey." + k.Domain }

// Record is the TXT record that must stand at [DKIMKey.Name].
func (k *DKIMKey) Record() string {
	switch key := k.signer.Public().(type) {
	case ed25519.PublicKey:
		return "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(key)
	case *rsa.PublicKey:
		der, err := x509.MarshalPKIXPublicKey(key)
		if err == nil {
			return "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(der)
		}
	}
	return ""
}

// Sign puts a signature before a letter. Fields that nobody may add afterwards
// are signed once more than they occur.
func (k *DKIMKey) Sign(raw []byte) ([]byte, error) {
	h, _, err := parseHeader(raw, true)
	if err != nil {
		return nil, fmt.Errorf("sign letter: %w", err)
	}
	keys := []string{}
	for _, name := range []string{"From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References", "MIME-Version",
		"Content-Type", "Content-Transfer-Encoding", "Auto-Submitted", EntryHeader} {
		for range h.count(strings.ToLower(name)) + 1 {
			keys = append(keys, name)
		}
	}
	var out bytes.Buffer
	err = dkim.Sign(&out, bytes.NewReader(raw), &dkim.SignOptions{
		Domain: k.Domain, Selector: k.Selector, Signer: k.signer, Hash: crypto.SHA256, HeaderKeys: keys,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	if err != nil {
		return nil, fmt.Errorf("sign letter: %w", err)
	}
	return out.Bytes(), nil
}

// Signing signs letters before it hands them on.
type Signing struct {
	Sender
	Key *DKIMKey
}

// Send implements [Sender]. The signature has the time in it: a letter that is
// sent again has another one, and otherwise the same bytes.
func (s Signing) Send(ctx context.Context, from, to string, raw []byte) error {
	signed, err := s.Key.Sign(raw)
	if err != nil {
		return err
	}
	return s.Sender.Send(ctx, from, to, signed)
}
