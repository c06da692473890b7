package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// Doctor tells a database that belongs to another user from a broken one: nobody should
// restore a backup because of that.
func TestDoctorMayNotReadTheDatabase(t *testing.T) {
	conf := config{Database: filepath.Join(t.TempDir(), "b.db")}
	makeDatabase(t, conf.Database)
	if f := databaseFinding(t, conf); f.grade != gradeOK {
		t.Fatalf("before: %+v", f)
	}
	if os.Getuid() != 0 {
		if err := os.Chmod(conf.Database, 0); err != nil {
			t.Fatal(err)
		}
	} else {
		// Root reads everything: for the file system, this thread becomes another user.
		const nobody = 65534
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		setfsuid(nobody)
		defer setfsuid(0)
	}
	f := databaseFinding(t, conf)
	if f.grade != gradeFail || !strings.Contains(f.found, "permission denied") || !strings.Contains(f.do, "run doctor as the user that runs berthier") || strings.Contains(f.do, "restore") {
		t.Errorf("%+v", f)
	}
}

// databaseFinding is the first thing that doctor finds about a database.
func databaseFinding(t *testing.T, conf config) finding {
	t.Helper()
	all, _ := checkDatabase(t.Context(), conf)
	return all[0]
}

// setfsuid sets as which user this thread may open files. It can't fail; it returns the
// user before, which nobody needs here.
func setfsuid(uid uintptr) { _, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, uid, 0, 0) }
