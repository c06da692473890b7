// Command generate invents Swiss tournaments and pairs them by the literal reading of the
// rules: generate FILE [HOW MANY]. The file is packed with gzip; the same command always
// makes the same tournaments.
package main

import (
	"compress/gzip"
	"fmt"
	"log"
	"os"
	"strconv"

	"berthier/adjudicator/league/swissoracle"
)

func main() {
	log.SetFlags(0)
	many := 1000
	if len(os.Args) == 3 {
		var err error
		if many, err = strconv.Atoi(os.Args[2]); err != nil || many < 1 {
			log.Fatalf("%q is no number of tournaments", os.Args[2])
		}
	} else if len(os.Args) != 2 {
		log.Fatal("generate FILE [HOW MANY]: the file to write, and 1000 tournaments unless said otherwise")
	}
	var records []swissoracle.Record
	rounds, games, none := 0, 0, 0
	for seed := 1; seed <= many; seed++ {
		r, err := swissoracle.Invent(seed)
		if err != nil {
			log.Fatal(err)
		}
		records = append(records, r)
		rounds += len(r.Played)
		for _, round := range r.Played {
			games += len(round.Games)
			if round.None {
				none++
			}
		}
	}
	if err := write(os.Args[1], records); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d tournaments, %d rounds, %d games; %d rounds could not be paired\n", many, rounds, games, none)
}

func write(name string, records []swissoracle.Record) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	packed, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := swissoracle.Write(packed, records); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return f.Close()
}
