// Package shelf keeps what is seldom asked for of finished games in files beside the database:
// one file for a game, written once, and known by its SHA-256. It knows neither what the bytes
// mean nor which store they come from.
//
// A file is a zip: game.yaml is the game's export for its game master, which anybody can verify
// without the office; kept is what the store had, to be put back as it was.
package shelf

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Errors on which a caller may branch.
var (
	// ErrMissing: the file is not on the shelf.
	ErrMissing = errors.New("the file is missing")
	// ErrDamaged: the file holds something else than what was put there.
	ErrDamaged = errors.New("the file is damaged: its SHA-256 is another")
	// ErrNotNow: the file could not be read or removed in this moment, as when it lies on another machine, which is away.
	ErrNotNow = errors.New("the shelf can't be used now")
	// ErrUnmarked: nothing in the folder says that it is the office's, as in the empty folder at the place of one that is not
	// mounted. It is an [ErrNotNow].
	ErrUnmarked = fmt.Errorf("%w: nothing in the folder says that it is this office's", ErrNotNow)
	// ErrNone: the office has no shelf.
	ErrNone = errors.New("the office has no folder for what is put away")
)

// An Item is what was kept of one game.
type Item struct {
	Game    string
	Letters []Letter          // of the outbox, by their numbers
	Pages   []Page            // by seat and number
	Values  map[string][]byte // by name
	Blobs   [][]byte          // what letters and pages share with others
}

// A Letter is one of the outbox that is not sent any more.
type Letter struct {
	ID   uint64
	Body []byte
}

// A Page is what a seat saw.
type Page struct {
	Seat string
	N    uint64
	Data []byte
}

// A Ref tells which file holds a game.
type Ref struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // of the file, hex
	Bytes  int64  `json:"bytes"`
}

// A Shelf is a folder of such files.
type Shelf struct {
	folder string
	office string // whose it must be; "": anybody's
	flush  func(folder *os.File) error
}

// New gives the shelf in a folder, which is made when something is first put there. "": there is none.
func New(folder string) Shelf { return Shelf{folder: folder, flush: (*os.File).Sync} }

// Of gives the shelf as that of an office of some number: only while a file in the folder names the office, what is not there
// is missing. The folder at the place of one that lies on another machine, and is not mounted, is there, too, and empty.
func (s Shelf) Of(office string) Shelf { s.office = office; return s }

// Owner is the name of the file that says whose a folder is: it holds the number of an office.
const Owner = "office"

// Ready tells why the shelf is not to be used now: [ErrUnmarked], or another [ErrNotNow]; nil if it may be.
func (s Shelf) Ready() error {
	if s.None() {
		return ErrNone
	}
	if s.office == "" {
		return nil
	}
	path := filepath.Join(s.folder, Owner)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is missing: %w. Mount the folder in which the files lie, or name it (key put-away); if all of them are lost for good, make this file with the line %s", path, ErrUnmarked, s.office)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrNotNow, err)
	case strings.TrimSpace(string(data)) != s.office:
		return fmt.Errorf("%s: %w: the folder is another office's. Name a folder of this office's own (key put-away)", path, ErrNotNow)
	}
	return nil
}

// Mark writes into the folder whose it is, unless it is somebody's already.
func (s Shelf) Mark() error {
	if err := s.Ready(); !errors.Is(err, ErrUnmarked) {
		return err
	}
	err := s.make()
	if err == nil {
		err = s.place(Owner, []byte(s.office+"\n"), func(part string) error { return os.Chmod(part, 0o644) }) // root may have written it, and the daemon reads it
	}
	if err != nil {
		return fmt.Errorf("mark the folder for what is put away: %w", err)
	}
	return s.sync()
}

// make makes the folder, if it is not there.
func (s Shelf) make() error {
	if err := os.Mkdir(s.folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// None tells that there is no shelf.
func (s Shelf) None() bool { return s.folder == "" }

// Path is where a file is, or should be.
func (s Shelf) Path(ref Ref) string { return filepath.Join(s.folder, filepath.Base(ref.File)) }

const (
	suffix     = ".zip"
	partSuffix = ".part"
	exportName = "game.yaml"
	keptName   = "kept"
	freshFor   = 10 * time.Minute
)

// Put writes a game to the shelf, with its export. When it returns the file is complete, on the disk, and
// was read back.
func (s Shelf) Put(it *Item, export []byte) (ref Ref, err error) {
	if err := s.Ready(); err != nil {
		return ref, fmt.Errorf("put %s away: %w", it.Game, err)
	}
	data, err := pack(it, export)
	if err != nil {
		return ref, fmt.Errorf("put %s away: %w", it.Game, err)
	}
	return s.write(it.Game, data)
}

// write writes the bytes of a file.
func (s Shelf) write(game string, data []byte) (ref Ref, err error) {
	sum := sha256.Sum256(data)
	ref = Ref{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(data))}
	ref.File = game + "-" + ref.SHA256[:16] + suffix
	if err = s.make(); err == nil {
		err = s.place(ref.File, data, func(part string) error {
			data, err := s.read(part, ref) // the disk may lie
			if err == nil {
				_, err = member(data, keptName)
			}
			return err
		})
	}
	if err != nil {
		return ref, fmt.Errorf("put %s away: %w", game, err)
	}
	return ref, s.sync()
}

// place writes a file beside its place, lets check look at what is on the disk, and puts it there in one step. Each writer has a
// file of its own: one that has slept must not cut short what another is about to put in the same place.
func (s Shelf) place(name string, data []byte, check func(part string) error) error {
	f, err := os.CreateTemp(s.folder, name+".*"+partSuffix)
	if err != nil {
		return err
	}
	part := f.Name()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		uncached(f)
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = check(part)
	}
	if err == nil {
		err = os.Rename(part, filepath.Join(s.folder, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

// sync makes the names in the folder last.
func (s Shelf) sync() error {
	for _, folder := range []string{s.folder, filepath.Dir(s.folder)} {
		f, err := os.Open(folder)
		if err != nil {
			return fmt.Errorf("put away: %w", err)
		}
		err = s.flush(f)
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
			err = nil // some systems can't do that
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("put away: %w", err)
		}
	}
	return nil
}

// pack writes a game as the bytes of a file.
func pack(it *Item, export []byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.CreateHeader(&zip.FileHeader{Name: exportName, Method: zip.Deflate})
	if err == nil {
		_, err = f.Write(export)
	}
	if err == nil { // it is compressed as it is kept
		f, err = z.CreateHeader(&zip.FileHeader{Name: keptName, Method: zip.Store})
	}
	if err == nil {
		err = gob.NewEncoder(f).Encode(it)
	}
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

// read reads a file, and finds that it is what was put there. It is what it is whatever the folder says; that it is missing
// can be said only of a folder that is known to be the right one.
func (s Shelf) read(path string, ref Ref) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.Ready(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", path, ErrMissing)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotNow, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != ref.SHA256 {
		return nil, fmt.Errorf("%s: %w", path, ErrDamaged)
	}
	return data, nil
}

// Has tells whether a file of that name and length is there. It does not read it, as [Shelf.Check] does.
func (s Shelf) Has(ref Ref) bool {
	info, err := os.Stat(s.Path(ref))
	return !s.None() && err == nil && info.Mode().IsRegular() && info.Size() == ref.Bytes
}

// Check finds that a file is there, and as it was written.
func (s Shelf) Check(ref Ref) error {
	if s.None() {
		return ErrNone
	}
	_, err := s.read(s.Path(ref), ref)
	return err
}

// Get reads a game from the shelf.
func (s Shelf) Get(ref Ref) (*Item, error) {
	if s.None() {
		return nil, ErrNone
	}
	data, err := s.read(s.Path(ref), ref)
	if err != nil {
		return nil, err
	}
	kept, err := member(data, keptName)
	it := &Item{}
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(kept)).Decode(it)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path(ref), err)
	}
	return it, nil
}

// member reads one file of those in the bytes of a zip.
func member(data []byte, name string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Remove takes a file from the shelf for good. One that is not there is none the less removed, if the folder is the right one.
func (s Shelf) Remove(ref Ref) error {
	if err := s.Ready(); err != nil {
		return err
	}
	if err := os.Remove(s.Path(ref)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove what was put away: %w: %w", ErrNotNow, err)
	}
	return s.sync()
}

// Copy puts a file of another shelf on this one, unless it is there.
func (s Shelf) Copy(from Shelf, ref Ref) error {
	if s.Check(ref) == nil {
		return nil
	}
	data, err := from.read(from.Path(ref), ref)
	if err != nil {
		return err
	}
	_, err = s.write(strings.TrimSuffix(filepath.Base(ref.File), "-"+ref.SHA256[:16]+suffix), data)
	return err
}

// Strays gives the names of files on the shelf to which none of some refs leads.
func (s Shelf) Strays(refs []Ref) (names []string, err error) {
	known := map[string]bool{Owner: true}
	for _, ref := range refs {
		known[ref.File] = true
	}
	all, err := os.ReadDir(s.folder)
	if s.None() || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range all {
		if !known[f.Name()] {
			names = append(names, f.Name())
		}
	}
	return names, err
}

// fileName is what files are called that [Shelf.Put] has written, or begun to write.
var fileName = regexp.MustCompile(`^(.+)-[0-9a-f]{16}\.zip(?:(?:\.[0-9]+)?\.part)?$`)

// GameOf gives the game of a file by its name, and whether it is the name of one that the shelf writes.
func GameOf(name string) (game string, ok bool) {
	found := fileName.FindStringSubmatch(name)
	if found == nil {
		return "", false
	}
	return found[1], true
}

// Fresh tells whether a file was written a moment ago.
func (s Shelf) Fresh(name string) bool {
	info, err := os.Stat(filepath.Join(s.folder, filepath.Base(name)))
	return err == nil && time.Since(info.ModTime()) < freshFor
}

// Export gives the game's export in a file.
func (s Shelf) Export(ref Ref) ([]byte, error) {
	data, err := s.read(s.Path(ref), ref)
	if err != nil {
		return nil, err
	}
	return member(data, exportName)
}
