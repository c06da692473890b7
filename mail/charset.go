package mail

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"
)

// decodeCharset turns bytes into UTF-8. A byte order mark beats the name; bytes
// that are valid UTF-8 beat a name that stands for "no idea" or for Latin-1,
// which many programs write without looking; text in any other unknown charset is read
// as windows-1252. It reports false only for UTF-7: that can hide anything in
// plain ASCII, and nobody has needed it for twenty years.
func decodeCharset(b []byte, name string) (string, bool) {
	name = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
	if strings.Contains(name, "utf-7") || strings.Contains(name, "utf7") {
		return "", false
	}
	switch {
	case bytes.HasPrefix(b, []byte{0xef, 0xbb, 0xbf}):
		b, name = b[3:], "utf-8"
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return fromUTF16(b[2:], binary.LittleEndian), true
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return fromUTF16(b[2:], binary.BigEndian), true
	}
	switch name {
	case "utf-16":
		return fromUTF16(b, binary.BigEndian), true // RFC 2781: without a mark, big-endian
	case "utf-16le":
		return fromUTF16(b, binary.LittleEndian), true
	case "utf-16be":
		return fromUTF16(b, binary.BigEndian), true
	}
	enc, canonical := charset.Lookup(name)
	switch {
	case enc == nil, canonical == "utf-8", canonical == "windows-1252", canonical == "replacement":
		if utf8.Valid(b) {
			return string(b), true
		}
		return from1252(b), true
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return from1252(b), true
	}
	return strings.ToValidUTF8(string(out), "\ufffd"), true
}

func from1252(b []byte) string {
	out, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	return string(out)
}

func fromUTF16(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// lines gives every kind of line end the form \n.
func lines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
