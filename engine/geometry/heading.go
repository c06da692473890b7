package geometry

// A Heading is a direction in whole degrees, clockwise from north: 0 is north, 90 is
// east. A field's headings are 0 to 359; [Heading.Plus] keeps them so.
type Heading int

// Plus gives the heading that is by degrees further to the right, or to the left if
// by is negative.
func (h Heading) Plus(by int) Heading {
	d := (int(h) + by) % 360
	if d < 0 {
		d += 360
	}
	return Heading(d)
}

// quarter has the sines of 0 to 90 degrees, times [Unit], to the nearest whole number.
var quarter = [91]int64{
	0, 17452406, 34899497, 52335956, 69756474, 87155743, 104528463,
	121869343, 139173101, 156434465, 173648178, 190808995, 207911691, 224951054,
	241921896, 258819045, 275637356, 292371705, 309016994, 325568154, 342020143,
	358367950, 374606593, 390731128, 406736643, 422618262, 438371147, 453990500,
	469471563, 484809620, 500000000, 515038075, 529919264, 544639035, 559192903,
	573576436, 587785252, 601815023, 615661475, 629320391, 642787610, 656059029,
	669130606, 681998360, 694658370, 707106781, 719339800, 731353702, 743144825,
	754709580, 766044443, 777145961, 788010754, 798635510, 809016994, 819152044,
	829037573, 838670568, 848048096, 857167301, 866025404, 874619707, 882947593,
	891006524, 898794046, 906307787, 913545458, 920504853, 927183855, 933580426,
	939692621, 945518576, 951056516, 956304756, 961261696, 965925826, 970295726,
	974370065, 978147601, 981627183, 984807753, 987688341, 990268069, 992546152,
	994521895, 996194698, 997564050, 998629535, 999390827, 999847695, 1000000000,
}

// sines has the sines of 0 to 449 degrees, so that a cosine needs no second look.
var sines = func() (s [450]int64) {
	for d := range s {
		switch r := d % 360; {
		case r <= 90:
			s[d] = quarter[r]
		case r <= 180:
			s[d] = quarter[180-r]
		case r <= 270:
			s[d] = -quarter[r-180]
		default:
			s[d] = -quarter[360-r]
		}
	}
	return s
}()

// Sine gives the sine of a heading from 0 to 359, times [Unit].
func Sine(h Heading) int64 { return sines[h] }

// Cosine gives the cosine of a heading from 0 to 359, times [Unit].
func Cosine(h Heading) int64 { return sines[h+90] }
