package reading

import "testing"

func TestMarker(t *testing.T) {
	for _, s := range []string{"• one", "- one", "1. one", "12) one", "(a) one", "iv. one", "2.1. one", "[3] one", "– one", "\uf0b7 one"} {
		if is, _ := marker(s); !is {
			t.Errorf("%q is no item", s)
		}
	}
	for _, s := range []string{"one", "1 one", "2020. A year", "Mr. Smith", "e.g. this", "-one", "end. Next", "", "((1) x", "1."} {
		if is, _ := marker(s); is {
			t.Errorf("%q is an item", s)
		}
	}
}

func TestSectionNumber(t *testing.T) {
	for s, want := range map[string]int{"1 One": 1, "2.1 Two": 2, "3.1.4. Pi": 3, "IV. Four": 1, "A. First": 1, "A.2 Proof": 2, "A mill": 0,
		"One": 0, "12": 0, "1.": 0, "3.5% of it": 0, "x.1 no": 0} {
		if got := sectionNumber(s); got != want {
			t.Errorf("%q: %d parts, not %d", s, got, want)
		}
	}
}

func TestCaption(t *testing.T) {
	for s, want := range map[string][2]bool{
		"Figure 3: A mill": {true, false}, "Fig. 2. A mill": {true, false}, "Table IV": {true, false}, "TABLE 1 – Mills": {true, false},
		"Abb. 3.2: Mühle": {true, false}, "Figure 3 shows a mill": {true, true}, "Figure it out": {}, "Tables 3: x": {}, "Table": {},
	} {
		if is, bare := caption(s); is != want[0] || bare != want[1] {
			t.Errorf("%q: %v, %v", s, is, bare)
		}
	}
}

func TestNoteMark(t *testing.T) {
	for s, want := range map[string]bool{"1 See there": true, "12See there": true, "* See": true, "†Work": true, "3) “So”": true,
		"1999 was": false, "1": false, "12.5 of them": false, "See": false} {
		if got := noteMark(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestRoman(t *testing.T) {
	for s, want := range map[string]int{"iv": 4, "XII": 12, "xlix": 49, "": 0, "ivory": 0, "Iv": 0, "mix": 0} {
		if got := fromRoman(s); got != want {
			t.Errorf("%q is %d, not %d", s, got, want)
		}
	}
}
