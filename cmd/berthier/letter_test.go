package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
)

// letterCommand is how scripts write letters: an office in this process
// whose clock stands still between commands.
//
//	letter new SET-UP          makes a game
//	letter from ADDRESS FILE   hands in a letter, whose text may hold {key GAME SIDE}
//	letter wait DURATION       lets time pass
//
// What the office then sends is printed, and kept as post/NAME-NUMBER.eml.
func letterCommand() int {
	if err := letter(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

type stoppedClock time.Time

func (c stoppedClock) Now() time.Time { return time.Time(c) }

// boxes keeps the letters that an office sends, by whom they are for.
type boxes struct{}

func (boxes) Send(_ context.Context, _, to string, raw []byte) error {
	name, _, _ := strings.Cut(to, "@")
	had, err := filepath.Glob(filepath.Join("post", name+"-*.eml"))
	if err != nil {
		return err
	}
	l, err := mail.Read(raw, mail.Own{})
	if err != nil {
		return err
	}
	fmt.Printf("to %s: %s\n%s\n", to, l.Subject, l.Parts[0].Text)
	return os.WriteFile(filepath.Join("post", fmt.Sprintf("%s-%d.eml", name, len(had)+1)), raw, 0o644)
}

var keyOf = regexp.MustCompile(`\{key (\S+) (\S+)\}`)

func letter(ctx context.Context, args []string) (err error) {
	now := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	if text, err := os.ReadFile("clock"); err == nil {
		if now, err = time.Parse(time.RFC3339, string(text)); err != nil {
			return err
		}
	}
	now = now.Add(time.Minute)
	if args[0] == "wait" {
		d, err := time.ParseDuration(args[1])
		if err != nil {
			return err
		}
		now = now.Add(d)
	}
	if err := os.WriteFile("clock", []byte(now.Format(time.RFC3339)), 0o644); err != nil {
		return err
	}
	if err := os.Mkdir("post", 0o755); err != nil && !os.IsExist(err) {
		return err
	}
	words, err := catalogue()
	if err != nil {
		return err
	}
	if err := bolt.Create("games.db", bolt.Options{}); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	st, err := bolt.Open("games.db", bolt.Options{})
	if err != nil {
		return err
	}
	defer st.Close()
	var systems []engine.Ruleset
	for _, r := range rulesets {
		systems = append(systems, r)
	}
	office, err := adjudicator.New(st, words, systems, adjudicator.Options{
		From: mail.Address{Name: "Berthier", Addr: "orders@club.example"}, Secret: st.Secret(), Clock: stoppedClock(now), Quiet: -1,
	})
	if err != nil {
		return err
	}
	switch args[0] {
	case "new":
		err = letterNew(ctx, office, args[1])
	case "from":
		err = letterFrom(ctx, office, args[1], args[2], now)
	}
	if err != nil {
		return err
	}
	if err := office.Tick(ctx); err != nil {
		return err
	}
	for {
		n, err := office.Send(ctx, boxes{})
		if err != nil || n == 0 {
			return err
		}
	}
}

// letterNew makes a game of a file.
func letterNew(ctx context.Context, office *adjudicator.Office, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	setup, problems := office.Clerk().ReadSetup(string(text), nil)
	if len(problems) > 0 {
		return problems
	}
	return office.Clerk().NewGame(ctx, setup)
}

// letterFrom hands the office a letter of a person, whose text stands in a file.
func letterFrom(ctx context.Context, office *adjudicator.Office, person, file string, now time.Time) error {
	text, err := fs.ReadFile(os.DirFS("."), file)
	if err != nil {
		return err
	}
	body := keyOf.ReplaceAllStringFunc(string(text), func(s string) string {
		m := keyOf.FindStringSubmatch(s)
		key, fault := office.Clerk().Key(m[1], engine.Side(m[2]))
		if fault != nil {
			err = fault
		}
		return key
	})
	if err != nil {
		return err
	}
	raw := fmt.Appendf(nil, "From: %s\r\nTo: orders@club.example\r\nSubject: x\r\nDate: %s\r\nMessage-ID: <%d@script.example>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n%s",
		person, now.Format(time.RFC1123Z), now.Unix(), strings.ReplaceAll(body, "\n", "\r\n"))
	folder, err := office.Handle(ctx, mail.Incoming{UID: uint32(now.Unix()), Raw: raw, Size: int64(len(raw))})
	if err != nil {
		return err
	}
	fmt.Printf("the letter is %s\n", folder)
	return nil
}
