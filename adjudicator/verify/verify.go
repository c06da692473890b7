// Package verify says whether the log of a game holds: it follows its hashes and plays the
// game again with an export and the rulesets alone. It knows no store, no office and no
// mail, so that anybody who has a game's file can check it.
package verify

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// Game checks an export with the given rulesets: the chain of its log; the dice against
// the published commitment; the whole game, which it plays again, against what the log says;
// and every answer against what its seat had sent. System and name of the game are those of
// the first entry. The dice of a game in progress can't be checked, since the seed is secret.
func Game(x *log.Export, systems []engine.Ruleset) (*Verified, error) {
	if len(x.Entries) == 0 {
		return nil, errors.New("verify export: it holds no log: that of a running game is shown to its game master alone")
	}
	v := &Verified{Game: x.Game}
	chain, entries := checkChain(x)
	r := newReplay(v, x, entries, systems)
	r.head(x)
	r.run()
	v.Checks = append(v.Checks, chain, checkSeeds(x, entries), r.dice, r.stops, r.answers, r.end)
	r.withheld()
	r.files.ownFiles()
	r.remarks()
	return v, nil
}

// A numbered entry of a log as it was read from an export. Data is nil if it was
// withheld.
type numbered struct {
	n    uint64
	at   time.Time
	kind string // "": the body is withheld
	seat engine.Side
	by   string
	stop int
	data json.RawMessage // of a sealed part too, where it is shown
}

// Chain follows only the chain of hashes, for which no ruleset is needed.
func Chain(x *log.Export) Check {
	c, _ := checkChain(x)
	return c
}

// checkChain follows the chain of hashes.
func checkChain(x *log.Export) (Check, []numbered) {
	c := Check{What: "entries chained by hash"}
	var last chain.Link
	var all []numbered
	for _, e := range x.Entries {
		c.Count++
		if e.N != last.Seq+1 {
			c.fault("entry %d comes after entry %d", e.N, last.Seq)
			last.Seq = e.N - 1
		}
		digest, private, err := e.Digests()
		if err != nil {
			c.fault("entry %d: %v", e.N, err)
		}
		if err := e.Once(); err != nil {
			c.fault("entry %d: %v", e.N, err)
		}
		link := chain.Chain(last, digest, private)
		if hex.EncodeToString(link.Hash[:]) != e.Hash {
			c.fault("the hash of entry %d does not fit", e.N)
			if hash, err := hex.DecodeString(e.Hash); err == nil && len(hash) == len(link.Hash) {
				copy(link.Hash[:], hash) // the entries that follow may still fit
			}
		}
		last = link
		one := numbered{n: e.N}
		if e.Body != "" {
			var data json.RawMessage
			read, err := log.Read(chain.Entry{Body: []byte(e.Body), Private: []byte(e.Private)}, &data)
			if err != nil {
				c.fault("entry %d can't be read: %v", e.N, err)
			}
			one.at, one.kind, one.seat, one.by, one.stop, one.data = read.At, read.Kind, read.Seat, read.By, read.Stop, data
		}
		all = append(all, one)
	}
	if _, err := x.SignedBy(); err != nil && x.Office+x.Signature != "" {
		c.fault("the signature of the office does not fit the log")
	}
	return c, all
}

// commitments lists the commitments of a game in their order: that of its
// set-up, and those of rewinds after its end, when the seed was known already.
func commitments(entries []numbered) []string {
	var all []string
	for _, e := range entries {
		var data struct {
			Commitment string `json:"commitment"`
		}
		if e.kind == log.KindSetup || e.kind == log.KindRewound || e.kind == log.KindRuling {
			if json.Unmarshal(e.data, &data) == nil && data.Commitment != "" {
				all = append(all, data.Commitment)
			}
		}
	}
	return all
}

// checkSeeds compares the seeds with what was published about them in advance.
func checkSeeds(x *log.Export, entries []numbered) Check {
	c := Check{What: "seeds of the dice against what was published at the start"}
	all := commitments(entries)
	if len(all) == 0 || all[0] != x.Commitment {
		c.fault("the commitment of the first entry is not %s", x.Commitment)
	}
	for i, text := range x.Seeds {
		c.Count++
		seed, err := hex.DecodeString(text)
		if err != nil || i >= len(all) || log.Commitment(seed) != all[i] {
			c.fault("seed %d is not the one that was committed to", i+1)
		}
	}
	told := 0
	for _, e := range entries {
		var data struct {
			Seed string `json:"seed"`
		}
		if e.kind != log.KindOver && e.kind != log.KindClosed || json.Unmarshal(e.data, &data) != nil || data.Seed == "" {
			continue
		}
		if told++; told > len(x.Seeds) || x.Seeds[told-1] != data.Seed {
			c.fault("the seed that entry %d publishes is not seed %d of the export", e.n, told)
		}
	}
	if told != len(x.Seeds) {
		c.fault("the log publishes %d seeds, the export has %d", told, len(x.Seeds))
	}
	return c
}
