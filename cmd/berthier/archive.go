package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"berthier/mail/local"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // old charsets in letters
)

// An archive keeps the letters of a run as files: each as .eml, and those with
// a page as .html with its pictures.
type archive struct {
	folder string

	mu      sync.Mutex
	letters int
	orders  int // how many letters went to the office
	failed  error
}

func newArchive(folder string) (*archive, error) {
	for _, sub := range []string{"letters", "reports", "orders"} {
		if err := os.Mkdir(filepath.Join(folder, sub), 0o755); err != nil {
			return nil, fmt.Errorf("make folder: %w", err)
		}
	}
	return &archive{folder: folder}, nil
}

// keep writes a letter that was delivered into a file.
func (a *archive) keep(d local.Delivery) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.letters++
	if d.Box == demoOffice {
		a.orders++
	}
	to, _, _ := strings.Cut(d.Box, "@")
	name := fmt.Sprintf("%04d-to-%s", a.letters, to)
	err := os.WriteFile(filepath.Join(a.folder, "letters", name+".eml"), d.Raw, 0o644)
	if d.Box != demoOffice {
		err = errors.Join(err, unpack(d.Raw, filepath.Join(a.folder, "reports"), name))
	}
	if a.failed == nil && err != nil {
		a.failed = fmt.Errorf("keep letter %d: %w", a.letters, err)
	}
}

func (a *archive) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.letters
}

func (a *archive) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed
}

// unpack writes a letter's page and pictures in the form in which a browser shows them.
func unpack(raw []byte, folder, name string) error {
	entity, err := message.Read(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	var page string
	pictures := map[string]string{} // content id to file name
	err = entity.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil {
			return err
		}
		kind, _, _ := part.Header.ContentType()
		switch kind {
		case "text/html":
			data, err := io.ReadAll(part.Body)
			page = string(data)
			return err
		case "image/png":
			id := strings.Trim(part.Header.Get("Content-Id"), "<>")
			short, _, _ := strings.Cut(id, "@")
			file := name + "-" + filepath.Base(short) + ".png"
			pictures[id] = file
			data, err := io.ReadAll(part.Body)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(folder, file), data, 0o644)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	if page == "" {
		return nil
	}
	for _, id := range sortedKeys(pictures) {
		page = strings.ReplaceAll(page, "cid:"+id, pictures[id])
	}
	if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(page), 0o644); err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	return nil
}
