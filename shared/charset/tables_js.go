package charset

// tables is the Tables of a program for the browser: Windows-1252 and the names of UTF-8
// and UTF-16. The tables of other encodings are in the browser.
func tables(label string, b []byte) (name, t string) {
	switch label {
	case "utf-8", "utf-16le", "utf-16be":
		return label, string(b)
	case windows1252:
		r := make([]rune, len(b))
		for i, c := range b {
			r[i] = rune(c)
			if 0x80 <= c && c < 0xa0 {
				r[i] = windows1252C1[c-0x80]
			}
		}
		return label, string(r)
	}
	return "", ""
}

// windows1252C1 maps the bytes 0x80 to 0x9F of Windows-1252. Its five undefined bytes map to
// C1 controls, as in the WHATWG Encoding Standard.
var windows1252C1 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")
