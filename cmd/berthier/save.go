package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"berthier/templates"
)

// saveLetter writes a letter's page and pictures into a folder, in the form in which a
// browser shows them: NAME.html and NAME-PICTURE.png.
func saveLetter(c *console, folder, name string, letter templates.Letter) error {
	page := letter.HTML
	for _, s := range letter.Scenes {
		picture, err := templates.Draw(s.Scene, s.Labels)
		if err != nil {
			return fmt.Errorf("draw %s: %w", s.Name, err)
		}
		file := name + "-" + s.Name + ".png"
		if err := c.save(filepath.Join(folder, file), picture); err != nil {
			return err
		}
		page = strings.ReplaceAll(page, "cid:"+s.Name, file)
	}
	return c.save(filepath.Join(folder, name+".html"), []byte(page))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
