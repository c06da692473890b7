package adjudicator

// A Clerk does in an office what is asked for on its machine: he makes games, acts as their
// game master, and looks things up. He does not take in letters or keep the clock.
type Clerk struct{ office *Office }

// Clerk gives the office's clerk.
func (o *Office) Clerk() *Clerk { return &Clerk{o} }
