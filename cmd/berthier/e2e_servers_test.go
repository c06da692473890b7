//go:build e2e

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// servers are a real Dovecot and a real Exim on loopback, in a folder of their
// own. Every box has the password "secret".
type servers struct {
	dir                     string
	imap, imaps, lmtp, smtp int
	caFile                  string
}

const domain = "berthier.test"

func startServers(t *testing.T, boxes ...string) *servers {
	t.Helper()
	dir, err := os.MkdirTemp("", "berthier-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	s := &servers{dir: dir, imap: freeLocalPort(t), imaps: freeLocalPort(t), lmtp: freeLocalPort(t), smtp: freeLocalPort(t)}
	for _, d := range []string{"run", "state", "mail", "home", "tls", "spool", "log"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.caFile = filepath.Join(dir, "tls", "cert.pem")
	writeCertificate(t, s.caFile, filepath.Join(dir, "tls", "key.pem"))
	var users strings.Builder
	for _, box := range boxes {
		if box != "ghost" { // Exim accepts letters for ghost, Dovecot refuses them: they bounce
			fmt.Fprintf(&users, "%s:{PLAIN}secret::::::\n", box)
		}
	}
	write(t, filepath.Join(dir, "users"), users.String())
	fill := strings.NewReplacer("DIR", dir, "IMAP_PORT", strconv.Itoa(s.imap), "IMAPS_PORT", strconv.Itoa(s.imaps),
		"LMTP_PORT", strconv.Itoa(s.lmtp), "SMTP_PORT", strconv.Itoa(s.smtp))
	for _, name := range []string{"dovecot.conf", "exim.conf"} {
		text, err := os.ReadFile(filepath.Join("testdata", "e2e", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), fill.Replace(string(text)))
	}
	giveToNobody(t, dir, "exim.conf")

	t.Cleanup(func() {
		if t.Failed() {
			for _, log := range []string{"dovecot.log", "log/mainlog", "log/paniclog"} {
				if text, err := os.ReadFile(filepath.Join(dir, log)); err == nil {
					t.Logf("end of %s:\n%s", log, tail(string(text), 40))
				}
			}
		}
		os.RemoveAll(dir)
	})
	start(t, "/usr/sbin/dovecot", "-F", "-c", filepath.Join(dir, "dovecot.conf"))
	start(t, "/usr/sbin/exim4", "-C", filepath.Join(dir, "exim.conf"), "-bdf", "-q10s")
	for _, port := range []int{s.imap, s.lmtp, s.smtp} {
		waitForPort(t, port)
	}
	return s
}

// start runs a program until the test ends.
func start(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v (.ci/install installs what this test needs)", program, err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		done := make(chan struct{})
		go func() { cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-done
		}
	})
	return cmd
}

func waitForPort(t *testing.T, port int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("nobody listens on %s: %v", address, err)
		case <-tick.C:
		}
	}
}

// giveToNobody gives the servers' folder to the user as whom they run. Exim wants its
// configuration to belong to the user who starts it.
func giveToNobody(t *testing.T, dir string, except string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	err = filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		if err != nil || filepath.Base(path) == except {
			return err
		}
		return os.Chown(path, uid, gid)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

// writeCertificate makes a self-signed certificate for localhost.
func writeCertificate(t *testing.T, certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "localhost"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, certFile, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
