package shelf

import (
	"bytes"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What is read back comes from the disk: nothing of it is in memory any more.
func TestReadBackFromTheDisk(t *testing.T) {
	folder := t.TempDir()
	var on unix.Statfs_t
	if err := unix.Statfs(folder, &on); err != nil || on.Type == unix.TMPFS_MAGIC {
		t.Skip("the folder lies in memory", err)
	}
	pages := make([]byte, 64)
	data := bytes.Repeat([]byte("a report"), len(pages)*os.Getpagesize()/8)
	if err := New(folder).place("lot-1.zip", data, func(part string) error {
		f, err := os.Open(part)
		if err != nil {
			return err
		}
		defer f.Close()
		mapped, err := unix.Mmap(int(f.Fd()), 0, len(data), unix.PROT_READ, unix.MAP_SHARED)
		if err != nil {
			return err
		}
		defer unix.Munmap(mapped)
		if _, _, fault := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&mapped[0])), uintptr(len(mapped)), uintptr(unsafe.Pointer(&pages[0]))); fault != 0 {
			return fault
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	there := 0
	for _, page := range pages {
		there += int(page & 1)
	}
	if there > len(pages)/2 { // the system may take its time with some
		t.Errorf("%d of %d pages are in memory", there, len(pages))
	}
}
