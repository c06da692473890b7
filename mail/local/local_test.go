package local_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"berthier/mail"
	"berthier/mail/local"
)

const anna, carlo = "anna@club.test", "carlo@club.test"

func start(t *testing.T, o local.Options) *local.Server {
	t.Helper()
	s, err := local.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
	})
	for _, box := range []string{anna, carlo} {
		if err := s.AddBox(box, "secret"); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func send(s *local.Server, user, password, from, to string) error {
	c := mail.SMTPConfig{Address: s.SMTPAddr(), Security: mail.SecurityNone, Username: user, Password: password}
	if s.SMTPAddr() == "" {
		c.Dial = s.DialSMTP
	}
	return submit(c, from, to, "From: "+from+"\r\nSubject: x\r\n\r\nbody\r\n")
}

// submit sends a letter over a connection of its own.
func submit(c mail.SMTPConfig, from, to, raw string) error {
	s := mail.SMTP{Config: c}
	defer s.Close()
	return s.Send(context.Background(), from, to, []byte(raw))
}

func code(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 250
	}
	var e *mail.SendError
	if !errors.As(err, &e) {
		t.Fatalf("error %v", err)
	}
	return e.Code
}

func TestBoxes(t *testing.T) {
	s := start(t, local.Options{})
	for _, c := range []struct {
		name, user, password, to string
		want                     int
	}{
		{"a letter", anna, "secret", carlo, 250},
		{"to oneself", anna, "secret", anna, 250},
		{"to a tag, other case", anna, "secret", "Carlo+ligny-7@CLUB.test", 250},
		{"unknown box", anna, "secret", "nobody@club.test", 550},
		{"unknown domain", anna, "secret", "carlo@else.test", 550},
		{"wrong password", anna, "wrong", carlo, 535},
		{"somebody unknown", "eve@club.test", "secret", carlo, 535},
		{"nobody", "", "", carlo, 530},
	} {
		if got := code(t, send(s, c.user, c.password, anna, c.to)); got != c.want {
			t.Errorf("%s: code %d, want %d", c.name, got, c.want)
		}
	}
	if len(s.Letters(carlo)) != 2 || len(s.Letters(anna)) != 1 || s.Letters("nobody@club.test") != nil {
		t.Errorf("letters: %d and %d", len(s.Letters(carlo)), len(s.Letters(anna)))
	}
	if err := s.AddBox(anna, "changed"); err != nil {
		t.Fatal(err)
	}
	if got := code(t, send(s, anna, "secret", anna, carlo)); got != 535 {
		t.Errorf("old password: code %d", got)
	}
	s.RemoveBox(carlo)
	if got := code(t, send(s, anna, "changed", anna, carlo)); got != 550 {
		t.Errorf("removed box: code %d", got)
	}
	if s.Letters(carlo) != nil || s.Count(carlo, "INBOX") != -1 || s.Count(anna, "INBOX") != 1 || s.Count(anna, "Nowhere") != -1 {
		t.Error("what is left of the boxes")
	}
	if err := s.AddBox("no address", "x"); err == nil {
		t.Error("a box without an address")
	}
	if err := s.Deliver(anna, carlo, nil); err == nil {
		t.Error("delivered to a removed box")
	}
}

func TestObserverSeesOrder(t *testing.T) {
	var seen [][]byte
	s := start(t, local.Options{InMemory: true, Observe: func(d local.Delivery) { seen = append(seen, d.Raw) }})
	for n := range 20 {
		if err := s.Deliver(anna, carlo, fmt.Appendf(nil, "Subject: %d\r\n\r\n", n)); err != nil {
			t.Fatal(err)
		}
	}
	letters := s.Letters(carlo)
	if len(seen) != 20 || len(letters) != 20 {
		t.Fatalf("%d seen, %d kept", len(seen), len(letters))
	}
	for n := range seen {
		if !bytes.Equal(seen[n], letters[n]) {
			t.Errorf("letter %d is another one", n)
		}
	}
	if s.SMTPAddr() != "" || s.IMAPAddr() != "" {
		t.Error("ports are open")
	}
	if got := code(t, send(s, anna, "secret", anna, carlo)); got != 250 {
		t.Errorf("in memory: code %d", got)
	}
}

func TestPasswordNeedsTLS(t *testing.T) {
	s := start(t, local.Options{TLS: true})
	if err := send(s, anna, "secret", anna, carlo); err == nil {
		t.Error("the host takes a password in the clear")
	}
	c := mail.SMTPConfig{Address: s.SMTPAddr(), Security: mail.SecurityStartTLS, Username: anna, Password: "secret"}
	if err := submit(c, anna, carlo, "Subject: x\r\n\r\n"); err == nil {
		t.Error("an unknown certificate was trusted")
	}
	c.TLS = s.ClientTLS()
	if err := submit(c, anna, carlo, "Subject: x\r\n\r\n"); err != nil {
		t.Error(err)
	}
}
