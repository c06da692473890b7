package templates

import "berthier/engine"

// On a phone a picture is as wide as the text, and the labels of a wide one would be too small
// to be read. So a phone shows such a picture in parts, from left to right, one below the other,
// each larger than the whole would be. The parts overlap, so that hardly a name is cut in both.
// They are the same picture of the letter, moved by its style.

// phoneWidth is how wide the text of a letter is on a phone of 390 pixels.
const phoneWidth = 362

// phoneParts says how wide a picture is shown in so many parts, in hundredths of the text's
// width: the style of the letters has the same numbers.
var phoneParts = [...]int{1: 100, 2: 187, 3: 272, 4: 355}

// LeastLabel is how many tenths of a pixel a label measures at least on a phone, where a
// picture can be shown so large.
const LeastLabel = 90

// PhoneParts gives in how many parts a phone shows a picture: in as few as make its smallest
// label as large as [LeastLabel].
func PhoneParts(s *engine.Scene) int {
	least := 0
	for _, marks := range [][]engine.Mark{s.Ground, s.Marks} {
		for _, m := range marks {
			if m.Shape == engine.Label && (least == 0 || m.Size < least) {
				least = m.Size
			}
		}
	}
	most := len(phoneParts) - 1
	for parts := 1; parts < most; parts++ {
		if least == 0 || OnPhone(s.Width, least, parts) >= LeastLabel {
			return parts
		}
	}
	return most
}

// OnPhone gives how many tenths of a pixel something of a picture measures on a phone that
// shows the picture in so many parts, from the picture's width and its size in the picture.
func OnPhone(width, size, parts int) int {
	if parts == 1 && width <= phoneWidth {
		return 10 * size
	}
	return size * phoneWidth * phoneParts[parts] / (10 * width)
}
