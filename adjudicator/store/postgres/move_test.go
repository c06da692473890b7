package postgres

import (
	"path/filepath"
	"testing"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/store/storetest"
)

func openFile(folder string, quick bool) (store.Store, error) {
	path := filepath.Join(folder, "games.db")
	if err := bolt.Create(path, bolt.Options{NoSync: quick}); err != nil {
		return nil, err
	}
	return bolt.Open(path, bolt.Options{NoSync: quick})
}

func TestMove(t *testing.T) {
	needed(t)
	t.Run("from a file to the server and back", func(t *testing.T) { storetest.Move(t, openFile, open) })
	t.Run("from the server to a file and back", func(t *testing.T) { storetest.Move(t, open, openFile) })
}
