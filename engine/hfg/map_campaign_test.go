package hfg

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"berthier/engine"
	"berthier/engine/hfg/campaign"
	"berthier/engine/play"
)

// campaignRows are the rows of one of the tables of a seat's map, as text.
func campaignRows(v *View, table int) (all []string) {
	for _, row := range v.mapSection().Tables[table].Rows {
		text := ""
		for _, cell := range row {
			if text != "" {
				text += " "
			}
			if text += cell.Text; cell.Text == "" {
				text += strconv.Itoa(cell.Num)
			}
		}
		all = append(all, text)
	}
	return all
}

// The master's map of a campaign shows where the forces of both sides stand now, and the bridges as they are; each side's shows
// the enemy's forces where they stood at dawn, as many as they were then, none of them by its name, and no bridge that the enemy has
// demolished since (HFG-20.2, HFG-R86).
func TestTheMastersMapOfACampaign(t *testing.T) {
	p := afoot(t, nil)
	at := func(name string) campaign.Node {
		return campaign.Node(slices.IndexFunc(campaign.TwoValleys().Nodes, func(n campaign.NodeDef) bool { return n.ID == name }) + 1)
	}
	now := *p.game.trial() // a force of red has marched since dawn, and demolished the bridge behind it
	now.Prepare.Map = play.Clone(p.Prepare.Map)
	force := slices.IndexFunc(p.setting.commands, func(d commandDef) bool { return d.side == first })
	river := campaign.Stage(slices.IndexFunc(campaign.TwoValleys().Stages, func(s campaign.StageDef) bool { return s.River != "" }) + 1)
	if force < 0 || river == 0 || at("bridgend") == 0 {
		t.Fatalf("force %d, stage %d, node %d", force, river, at("bridgend"))
	}
	now.Prepare.Map.Stands[force].At = at("bridgend")
	now.Prepare.Map.Down = []campaign.Stage{river}
	now.Prepare.Map.Down0 = []campaign.Stage{river} // its own side knows what it has done
	before := func(seat engine.Side) *View { return p.game.view(seat) }
	after := func(seat engine.Side) *View { return now.view(seat) }

	all, of := campaignRows(after(engine.GM), 0), map[engine.Side][]string{"red": campaignRows(after("red"), 0), "blue": campaignRows(after("blue"), 0)}
	is(t, "forces that the master sees", len(all), len(p.setting.commands))
	is(t, "where the one that marched stands", slices.Contains(all, p.setting.commands[force].id+" Bridgend"), true)
	is(t, "his are all that the sides see of their own", len(of["red"])+len(of["blue"]), len(all))
	for _, d := range p.setting.commands {
		own, other := engine.Side("red"), engine.Side("blue")
		if d.side == second {
			own, other = other, own
		}
		starts := func(s string) bool { return len(s) > len(d.id) && s[:len(d.id)+1] == d.id+" " }
		is(t, d.id+" to its own side", slices.ContainsFunc(of[own], starts), true)
		is(t, d.id+" to the other, but where it is called alike", !slices.ContainsFunc(of[other], starts) ||
			slices.ContainsFunc(p.setting.commands, func(o commandDef) bool { return o.id == d.id && o.side != d.side }), true)
	}
	for _, seat := range []engine.Side{engine.GM, "red", "blue"} {
		is(t, "the dawn that "+string(seat)+" sees", reflect.DeepEqual(campaignRows(after(seat), 1), campaignRows(before(seat), 1)), true)
	}
	text := func(v *View) string {
		text, err := v.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	is(t, "all that blue sees is as it was", text(after("blue")) == text(before("blue")), true)
	drawn := func(v *View) *engine.Scene { return v.mapSection().Picture }
	is(t, "blue's picture is that of dawn", reflect.DeepEqual(drawn(after("blue")), drawn(before("blue"))), true)
	is(t, "red's isn't", reflect.DeepEqual(drawn(after("red")), drawn(before("red"))), false)
	is(t, "the master's isn't", reflect.DeepEqual(drawn(after(engine.GM)), drawn(before(engine.GM))), false)

	count := func(s *engine.Scene, ink engine.Ink) (boxes int) { // forces of a side that stand where they are drawn
		for _, m := range s.Marks {
			if m.Shape == engine.Polygon && m.Fill == ink && len(m.Points) == 4 {
				boxes++
			}
		}
		return boxes
	}
	dawn := count(drawn(before(engine.GM)), liveries[first].fill)
	is(t, "places of red that the master sees: one more", count(drawn(after(engine.GM)), liveries[first].fill), dawn+1)
	is(t, "none of red stands on blue's", count(drawn(after("blue")), liveries[first].fill), 0)
	bridges := func(s *engine.Scene) int { return count(s, inkRoad) }
	is(t, "bridges that the master sees: one less", bridges(drawn(after(engine.GM))), bridges(drawn(before(engine.GM)))-1)
	is(t, "bridges that blue sees", bridges(drawn(after("blue"))), bridges(drawn(before("blue"))))
}
