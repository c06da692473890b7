package adjudicator

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/game"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
)

// A page that is read without its pictures has all the rest of it.
func TestPageWithoutItsPictures(t *testing.T) {
	section := engine.Section{Heading: phrase.Say("a"), Picture: &engine.Scene{Name: "map", Marks: []engine.Mark{{Shape: engine.Disc}}},
		Lines: []phrase.Phrase{phrase.Say("b")}, Told: engine.Changes, Gist: []phrase.Phrase{phrase.Say("c")},
		Tables: []engine.Table{{Head: []engine.Column{{Head: phrase.Say("d")}}}}}
	plain := section
	plain.Picture = nil
	want := past.Page{At: time.Unix(1_800_000_000, 0).UTC(), Side: "red", SeatStop: 3, Head: 9, Told: []game.News{{}}, Grounds: []string{"0a"},
		Page: engine.Page{Title: phrase.Say("f"), Stood: map[string]string{"R-1": "Here"}, Sections: []engine.Section{section, plain}}}
	for _, all := range []any{want, want.Page, section} { // none is forgotten here
		for v, i := reflect.ValueOf(all), 0; i < v.NumField(); i++ {
			if v.Field(i).IsZero() && v.Type().Field(i).Tag.Get("json") != "-" {
				t.Errorf("%T: this test leaves %s out", all, v.Type().Field(i).Name)
			}
		}
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	body, err := deflate.Append(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := unpackPage(body)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Page.Sections[0].Picture == nil {
		t.Fatal("the whole page has no picture")
	}
	whole.Page.Sections[0].Picture = nil
	got, err := unpackBare(body)
	if err != nil || !reflect.DeepEqual(*got, whole) {
		t.Errorf("%+v, %v, want %+v", got, err, whole)
	}
	if _, err := unpackBare(body[:len(body)/2]); err == nil {
		t.Error("half a page is read")
	}
}
