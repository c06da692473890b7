package templates

// The lines between which an order file stands in a letter.
const (
	fileBegin = "----- order file begins -----"
	fileEnd   = "----- order file ends -----"
)
