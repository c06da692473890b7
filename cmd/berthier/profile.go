package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime/pprof"
	"time"
)

// longestProfile is how long one profile may take: it is kept in memory until it is handed out.
const longestProfile = 24 * time.Hour

// profileCommand is `berthier profile`: the running daemon measures where its processor time
// goes. The profile goes through the daemon's socket, which only its own user may use, and
// never through the watch port: names of functions tell what the office is doing.
type profileCommand struct {
	configFlag
	For    time.Duration `default:"30s" help:"How long to measure. It ends earlier if the daemon is stopped."`
	Target string        `arg:"" type:"path" help:"File to write, for go tool pprof; it must not exist yet."`
}

// Run writes the file itself, since the daemon may not be able to write there.
func (cmd *profileCommand) Run(ctx context.Context, c *console) error {
	if cmd.For <= 0 || cmd.For > longestProfile {
		return hinted{fmt.Errorf("profile: --for=%s", cmd.For), "give a time above 0 and at most 24h, such as --for=30s"}
	}
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	data, err := fetchProfile(ctx, conf, cmd.For)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(cmd.Target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return hinted{fmt.Errorf("profile: %s exists already", cmd.Target), "name a new file"}
	}
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("profile: %w", err), os.Remove(cmd.Target))
	}
	return done(c, nil, "%d bytes written to %s: look at them by go tool pprof -top %s", len(data), cmd.Target, cmd.Target)
}

// fetchProfile has the daemon measure for a while and gives the profile.
func fetchProfile(ctx context.Context, conf config, d time.Duration) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://office/profile?for="+url.QueryEscape(d.String()), nil)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	response, err := controlClient(conf).Do(request)
	if noDaemon(err) {
		return nil, hinted{errors.New("profile: no berthier serve runs on this database"), "start it: berthier serve -c FILE; a profile tells of the running daemon"}
	}
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return nil, fmt.Errorf("profile: %w", err)
	case response.StatusCode == http.StatusNotFound:
		return nil, hinted{errors.New("profile: the running daemon can't make one"), "it is an older program: start the new one first"}
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("profile: %s", bytes.TrimSpace(data))
	}
	return data, nil
}

// serveProfile measures the processor time of this process until the time that was asked for
// is over, the daemon is stopped or the one who asked has gone, and hands the profile out.
func serveProfile(w http.ResponseWriter, r *http.Request, stopped <-chan struct{}) {
	d, err := time.ParseDuration(r.URL.Query().Get("for"))
	if err != nil || d <= 0 || d > longestProfile {
		http.Error(w, "for: give a time above 0 and at most 24h, such as 30s", http.StatusBadRequest)
		return
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		http.Error(w, "another profile is being made: wait until it has ended", http.StatusConflict)
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-stopped:
	case <-r.Context().Done():
	}
	pprof.StopCPUProfile()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write(profile.Bytes())
}
