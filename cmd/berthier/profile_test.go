package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A profile is measured by the running daemon and written where the command was called; one
// is made at a time, and the daemon that is stopped hands out what it has measured. Whoever
// reaches the watch port gets none.
func TestServeProfile(t *testing.T) {
	watch, get := monitored(t)
	r := startServe(t, watch, nil, frenchAt, alliedAt, masterAt)
	profile := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), append([]string{"profile", "-c", r.file}, args...), &out, &out)
		return code, out.String()
	}
	short := filepath.Join(t.TempDir(), "short")
	if code, text := profile("--for", "50ms", short); code != 0 || !strings.Contains(text, "go tool pprof") {
		t.Errorf("profile ends with %d: %s", code, text)
	}
	isProfile(t, short)
	if code, text := profile("--for", "50ms", short); code != exitRefused || !strings.Contains(text, "exists already") {
		t.Errorf("a file that exists is answered by %d: %s", code, text)
	}
	if code, text := profile("--for", "0s", filepath.Join(t.TempDir(), "none")); code != exitRefused || !strings.Contains(text, "--for=30s") {
		t.Errorf("no time at all is answered by %d: %s", code, text)
	}

	long := filepath.Join(t.TempDir(), "long")
	ended := make(chan int)
	go func() {
		code, text := profile("--for", "1h", long)
		for strings.Contains(text, "another profile is being made") { // the short ones below were first
			code, text = profile("--for", "1h", long)
		}
		ended <- code
	}()
	second := filepath.Join(t.TempDir(), "second")
	for {
		code, text := profile("--for", "1ms", second)
		if code == exitRefused && strings.Contains(text, "another profile is being made") {
			break
		}
		if code != 0 {
			t.Fatalf("a profile beside another ends with %d: %s", code, text)
		}
		os.Remove(second)
	}
	for _, path := range []string{"/profile?for=1ms", "/debug/pprof/", "/debug/pprof/profile?seconds=1"} {
		if text := get(path); !strings.Contains(text, "404") {
			t.Errorf("the watch port answers %s with %.200q", path, text)
		}
	}
	began := time.Now()
	r.stop()
	code := <-r.ended
	if code != 0 {
		t.Errorf("the daemon ended with %d: %s", code, r.out.String())
	}
	r.ended <- code // for the end of the test
	if code := <-ended; code != 0 || time.Since(began) > time.Minute {
		t.Errorf("the profile of the daemon that was stopped ends with %d", code)
	}
	isProfile(t, long)
	if code, text := profile(filepath.Join(t.TempDir(), "late")); code != exitRefused || !strings.Contains(text, "no berthier serve runs") {
		t.Errorf("without a daemon profile ends with %d: %s", code, text)
	}
}

// isProfile checks that a file is a profile: gzip with something in it, for its owner alone.
func isProfile(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Error(err)
		return
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("%s may be read by %v", path, info.Mode())
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if data, err := io.ReadAll(z); err != nil || !bytes.Contains(data, []byte("cpu")) {
		t.Errorf("%s holds %d bytes: %v", path, len(data), err)
	}
}
