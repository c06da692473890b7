package templates

import "berthier/engine"

// course sets a part of how a game went: its picture and its gist, or else its tables; in full
// both.
func (s *sheet) course(section *engine.Section, full bool) {
	s.add(headingBlock{title: s.sentence(section.Heading)})
	if section.Picture != nil {
		s.scene(section.Picture)
	}
	if len(section.Gist) > 0 {
		lines := make([]string, len(section.Gist))
		for i, say := range section.Gist {
			lines[i] = s.sentence(say)
		}
		s.add(linesBlock{lines})
	}
	if len(section.Lines) > 0 {
		s.add(paragraphBlock{words: s.sentences(section.Lines), tight: true})
	}
	for i := range section.Tables {
		if full || len(section.Gist) == 0 {
			s.table(&section.Tables[i])
		}
	}
}
