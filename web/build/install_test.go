package main

import (
	"bytes"
	"image/png"
	"slices"
	"strings"
	"testing"

	"seam/shared/read"
)

// An installed page must handle every format that Seam reads, including bundles, by all
// extensions. No address may leave its folder.
func TestManifest(t *testing.T) {
	m := manifestOf(nil)
	var offered []string
	for _, extensions := range m.FileHandlers[0].Accept {
		offered = append(offered, extensions...)
	}
	for _, f := range read.All() {
		for _, extension := range f.Extensions {
			want := f.Room != ""
			if got := slices.Contains(offered, "."+extension); got != want {
				t.Errorf("%s: offered %t", extension, got)
			}
			if got := slices.Contains(m.ShareTarget.Params.Files[0].Accept, "."+extension); got != want {
				t.Errorf("%s: shared %t", extension, got)
			}
		}
	}
	addresses := []string{m.StartURL, m.Scope, m.ShareTarget.Action, m.FileHandlers[0].Action}
	for _, each := range m.Shortcuts {
		addresses = append(addresses, each.URL)
	}
	for _, each := range addresses {
		if !strings.HasPrefix(each, "./") {
			t.Errorf("%s is not relative", each)
		}
	}
}

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#fbfaf8"/><rect x="14" y="5" width="4" height="22" fill="#b4421f"/></svg>`

// The corners are round, unless the icon is maskable.
func TestDrawIcon(t *testing.T) {
	for maskable, corner := range map[bool]uint32{false: 0, true: 0xffff} {
		b, err := drawIcon([]byte(drawing), 64, maskable)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(b))
		if err != nil || picture.Bounds().Dx() != 64 || picture.Bounds().Dy() != 64 {
			t.Fatalf("%v, %v", picture.Bounds(), err)
		}
		if _, _, _, a := picture.At(0, 0).RGBA(); a != corner {
			t.Errorf("maskable %t: the corner has %x", maskable, a)
		}
		for at, want := range map[int]uint32{32: 0xb4, 10: 0xfb} {
			if r, _, _, a := picture.At(at, 32).RGBA(); r>>8 != want || a != 0xffff {
				t.Errorf("at %d: red %x, alpha %x", at, r>>8, a)
			}
		}
	}
}

// Unsupported drawings must be rejected.
func TestDrawIconRefuses(t *testing.T) {
	for _, svg := range []string{
		"", "<svg/>", `<svg viewBox="0 0 32 16"><rect/><rect/></svg>`,
		strings.Replace(drawing, "</svg>", "<path/></svg>", 1), strings.Replace(drawing, "#b4421f", "red", 1),
	} {
		if _, err := drawIcon([]byte(svg), 64, false); err == nil {
			t.Errorf("%q is drawn", svg)
		}
	}
}
