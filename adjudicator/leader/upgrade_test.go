package leader_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator/leader"
)

// signs are what stands in a database: signs of life by the name of the member.
type signs map[string]string

func (s signs) values(prefix string, f func(name string, data []byte) error) error {
	for name, data := range s {
		if err := f(prefix+name, []byte(data)); err != nil {
			return err
		}
	}
	return nil
}

// lives writes a sign of life.
func (s signs) lives(name, run string, beat int) {
	s[name] = fmt.Sprintf(`{"run": %q, "version": "berthier v1", "beat": %d}`, run, beat)
}

// waitsFor tells for whom a member waits, of those in a database.
func waitsFor(t *testing.T, f *leader.Farewell, s signs) string {
	t.Helper()
	err := f.Ask(s.values)
	var older *leader.OlderError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &older):
		t.Fatal(err)
	}
	return strings.Join(older.Members, ", ")
}

// TestFarewell: a member that needs a newer form of the database waits for the others, those included that die and are
// started again, and not for one that has gone for good.
func TestFarewell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const both = "beta (berthier v1), gamma (berthier v1)"
		s, f := signs{}, &leader.Farewell{Member: "alpha"}
		s.lives("alpha", "a", 7) // of the process before
		if got := waitsFor(t, f, s); got != "" {
			t.Errorf("alone it waits for %s", got)
		}
		s.lives("beta", "b", 1)
		s.lives("gamma", "c", 1)
		for beat := range 200 { // gamma is dead, beta lives
			s.lives("beta", "b", beat+2)
			want := both
			if time.Duration(beat)*leader.Beat >= leader.GoneAfter {
				want = "beta (berthier v1)"
			}
			if got := waitsFor(t, f, s); got != want {
				t.Fatalf("after %d beats it waits for %q, want %q", beat, got, want)
			}
			time.Sleep(leader.Beat)
		}
		s.lives("gamma", "d", 1) // started again, after all
		if got := waitsFor(t, f, s); got != both {
			t.Errorf("it waits for %q", got)
		}
		delete(s, "beta")
		delete(s, "gamma")
		if got := waitsFor(t, f, s); got != "" {
			t.Errorf("when all have left it waits for %q", got)
		}
	})
}

// TestNobodyIsSilentWithoutADatabase: while the database is out of reach nobody can say that he lives.
func TestNobodyIsSilentWithoutADatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := signs{}, &leader.Farewell{Member: "alpha"}
		s.lives("beta", "b", 1)
		if waitsFor(t, f, s) == "" {
			t.Fatal("it waits for nobody")
		}
		time.Sleep(3 * leader.GoneAfter)
		if waitsFor(t, f, s) == "" {
			t.Error("who could not write is taken for gone")
		}
	})
}

// TestACommandLooksOnce: a command that finds any sign of a member leaves the database as it is, and a sign that nobody can read
// is no leave.
func TestACommandLooksOnce(t *testing.T) {
	s := signs{}
	s.lives("beta", "b", 1)
	if waitsFor(t, &leader.Farewell{}, s) == "" {
		t.Error("a command brings the database up to date while a member works")
	}
	s["beta"] = "{"
	if got := waitsFor(t, &leader.Farewell{}, s); got != "beta (of no known version)" {
		t.Errorf("a damaged sign: it waits for %q", got)
	}
}

// TestASignThatNobodyCanRead: who waits counts it as that of an older member, until it has been silent for long.
func TestASignThatNobodyCanRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := signs{"beta": "{"}, &leader.Farewell{Member: "alpha"}
		for began := time.Now(); time.Since(began) < leader.GoneAfter; time.Sleep(leader.Beat) {
			if waitsFor(t, f, s) == "" {
				t.Fatalf("it waits for nobody after %s", time.Since(began))
			}
		}
		if got := waitsFor(t, f, s); got != "" {
			t.Errorf("it waits for %s", got)
		}
	})
}

// TestBeating: who watches sees who lives, and does not wait where nobody can.
func TestBeating(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		anybody := func(string) bool { return true }
		watch := func(what, want string, at most, of func(string) bool, soon bool) {
			t.Helper()
			began := time.Now()
			got, err := leader.Beating(t.Context(), o.store, of, soon)
			if took := time.Since(began); strings.Join(got, ", ") != want || err != nil || took > time.Duration(at)+time.Second || took < time.Duration(at) {
				t.Errorf("%s: %q, %v, after %s", what, got, err, took)
			}
		}
		watch("nobody", "", 0, anybody, false)
		a := o.begin("a", "1")
		o.begin("b", "2")
		after(time.Minute)
		watch("two", "a (1), b (2)", most(leader.WatchFor), anybody, false)
		watch("one of them", "b (2)", most(leader.WatchFor), func(name string) bool { return name == "b" }, true)
		watch("somebody else", "", 0, func(name string) bool { return name == "c" }, false)
		a.at.cut.Store(true)
		after(leader.Beat / 2)
		watch("one has just died", "b (2)", most(leader.WatchFor), anybody, true)
		watch("one died some seconds ago", "", 0, func(name string) bool { return name == "a" }, true)
		watch("the same, and its clock proves nothing", "", most(leader.WatchFor), func(name string) bool { return name == "a" }, false)
	})
}

type most time.Duration
