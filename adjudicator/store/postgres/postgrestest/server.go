// Package postgrestest starts servers of PostgreSQL for tests: each in a folder of its own, on
// loopback, as a user without rights, from the programs that the machine has.
package postgrestest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// URLEnv names the address of a server that runs already, for programs that a test starts.
const URLEnv = "BERTHIER_TEST_POSTGRES"

// ErrAbsent: the machine has no PostgreSQL.
var ErrAbsent = errors.New("the machine has no PostgreSQL: .ci/install brings it")

// Required tells whether tests must not be left out for want of a server, as where all checks run.
func Required() bool { return os.Getenv("CI") != "" }

// A Server is one that was started for a test.
type Server struct {
	URL string // of its database

	folder, programs string
	port             int
	cmd              *exec.Cmd
	exited           chan struct{} // closed when the server has ended
}

// programs finds the folder of the server's programs: the newest version that there is.
func programs() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // where Debian has them, off the path
	if err != nil || len(found) == 0 {
		path, err := exec.LookPath("initdb")
		if err != nil {
			return "", ErrAbsent
		}
		path, err = filepath.EvalSymlinks(path)
		return filepath.Dir(path), err
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0: not numbered
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

// Start starts a server; [ErrAbsent] if the machine has none.
func Start() (s *Server, err error) {
	s = &Server{}
	if s.programs, err = programs(); err != nil {
		return nil, err
	}
	if s.folder, err = os.MkdirTemp("", "berthier-postgres"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("start PostgreSQL: %w", err), os.RemoveAll(s.folder))
		}
	}()
	if err = s.give(); err != nil {
		return nil, err
	}
	if out, err := s.command("initdb", "--auth=trust", "--username=berthier", "--encoding=UTF8", "--locale=C", "--no-sync", "-D", s.data()).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	if s.port, err = freePort(); err != nil {
		return nil, err
	}
	s.URL = fmt.Sprintf("postgres://berthier@127.0.0.1:%d/postgres?sslmode=disable", s.port)
	return s, s.Run()
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// Folder is a folder of the server's user, in which a test may keep something.
func (s *Server) Folder() string { return s.folder }

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// startIn is how long a server may take to answer.
const startIn = time.Minute

// Run starts the server, anew if it was killed. Those who served its connections may still be ending,
// so it is tried until it answers.
func (s *Server) Run() (err error) {
	for deadline := time.Now().Add(startIn); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err = s.runOnce(); err == nil {
			return nil
		}
	}
	return err
}

func (s *Server) runOnce() error {
	s.cmd = s.command("postgres", "-D", s.data(), "-p", strconv.Itoa(s.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "fsync=off", "-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "log_min_messages=fatal")
	log, err := os.Create(filepath.Join(s.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.exited = make(chan struct{})
	go func(cmd *exec.Cmd, exited chan struct{}) {
		_ = cmd.Wait() // it is killed
		close(exited)
	}(s.cmd, s.exited)
	for deadline := time.Now().Add(startIn); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.exited:
			said, err := os.ReadFile(log.Name())
			return errors.Join(fmt.Errorf("postgres ended: %s", said), err)
		default:
		}
		if s.command("pg_isready", "-q", "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "berthier", "-d", "postgres").Run() == nil {
			return nil
		}
	}
	return errors.New("postgres does not answer")
}

// Kill kills the server as a failure of its machine would, with all who serve its connections.
func (s *Server) Kill() error {
	err := killAll(s.cmd.Process.Pid)
	<-s.exited
	return err
}

// Stop kills the server and removes what it kept.
func (s *Server) Stop() error {
	return errors.Join(s.Kill(), os.RemoveAll(s.folder))
}

// command is a program of the server, run as a user without rights.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.programs, name), args...)
	cmd.Dir = s.folder
	asUser(cmd)
	return cmd
}

// give gives the folder to the user of the server.
func (s *Server) give() error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := nobody()
	if err != nil {
		return err
	}
	return os.Chown(s.folder, uid, gid)
}

// nobody is the user without rights as whom root runs the server, which root may not run itself.
func nobody() (uid, gid int, err error) {
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return 0, 0, err
		}
	}
	uid, err = strconv.Atoi(u.Uid)
	if err != nil {
		return 0, 0, err
	}
	gid, err = strconv.Atoi(u.Gid)
	return uid, gid, err
}

// Need starts a server for one test. Where the machine has no PostgreSQL the test is left out, unless
// it is one on which all checks run.
func Need(t testing.TB) *Server {
	t.Helper()
	s, err := Start()
	if errors.Is(err, ErrAbsent) && !Required() {
		t.Skipf("left out: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("stop PostgreSQL: %v", err)
		}
	})
	return s
}

// Schema gives the address of a schema in the server's database, which a test has for itself.
func Schema(url, name string) string { return url + "&search_path=" + strings.ToLower(name) }

// Dump makes a copy of the database in a file, as a club does each night.
func (s *Server) Dump(t testing.TB, file string) {
	t.Helper()
	s.tool(t, "pg_dump", "--format=custom", "--file="+file, s.URL)
}

// PutBack puts a copy of the database back in its place.
func (s *Server) PutBack(t testing.TB, file string) {
	t.Helper()
	s.tool(t, "pg_restore", "--clean", "--if-exists", "--dbname="+s.URL, file)
}

func (s *Server) tool(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := s.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}
