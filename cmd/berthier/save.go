package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"berthier/templates"
)

// saveLetter writes a letter's page and pictures into a folder, as a browser
// shows them: NAME.html and NAME-PICTURE.png.
func saveLetter(folder, name string, letter templates.Letter) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	page := letter.HTML
	for _, s := range letter.Scenes {
		picture, err := templates.Draw(s.Scene, s.Labels)
		if err != nil {
			return fmt.Errorf("draw %s: %w", s.Name, err)
		}
		file := name + "-" + s.Name + ".png"
		if err := os.WriteFile(filepath.Join(folder, file), picture, 0o644); err != nil {
			return fmt.Errorf("save picture: %w", err)
		}
		page = strings.ReplaceAll(page, "cid:"+s.Name, file)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(page), 0o644); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
