package mail

import "testing"

// Where a server writes its findings below its own Received, it takes away what came
// in its name; what it may not know for its name, hidden by signs that say nothing, is
// not taken for its word.
func TestFindingsBelowBeginWithThePlainName(t *testing.T) {
	from := Address{Addr: "a@b.test"}
	own := Own{TrustedServers: []string{"mx.test"}, FindingsBelow: true}
	received := field{"received", "from a.test by mx.test; Mon, 2 Mar 2026 09:00:00 +0000"}
	for _, value := range []string{
		"mx.test; dkim=pass header.d=b.test", "MX.Test; dkim=pass header.d=b.test", "mx.test 1; dkim=pass header.d=b.test", "mx.test\t;dkim=pass header.d=b.test",
	} {
		if !provenBy(header{received, {"authentication-results", value}}, from, own) {
			t.Errorf("%q is the server's and proves nothing", value)
		}
	}
	for _, value := range []string{
		`"mx\.test"; dkim=pass header.d=b.test`, `"m\x.test"; dkim=pass header.d=b.test`, `"mx.test"; dkim=pass header.d=b.test`,
		"(a(b)) mx.test; dkim=pass header.d=b.test", `(\)) mx.test; dkim=pass header.d=b.test`, "() mx.test; dkim=pass header.d=b.test",
		"mx.test(c); dkim=pass header.d=b.test",
	} {
		if provenBy(header{received, {"authentication-results", value}}, from, own) {
			t.Errorf("%q proves", value)
		}
		if !provenBy(header{{"authentication-results", value}, received}, from, Own{TrustedServers: own.TrustedServers}) {
			t.Errorf("%q is not read above the server's Received, where nobody else can write", value)
		}
		good := field{"authentication-results", "mx.test; dkim=pass header.d=b.test"}
		if !provenBy(header{received, {"authentication-results", value}, good}, from, own) {
			t.Errorf("%q hides the server's own word", value)
		}
	}
}
