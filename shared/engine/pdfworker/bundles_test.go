package pdfworker

import (
	"errors"
	"testing"

	"seam/shared/bundle"
	"seam/shared/engine/rpc"
)

// What the page has no room for is refused before anything of it is read.
func TestRoomForABundle(t *testing.T) {
	documents := func(n int) *bundle.Manifest { return &bundle.Manifest{Documents: make([]bundle.Entry, n)} }
	sized := func(sizes ...int64) *bundle.Manifest {
		m := documents(1)
		for _, size := range sizes {
			m.Members = append(m.Members, bundle.Member{Size: size})
		}
		return m
	}
	for name, tt := range map[string]struct {
		m    *bundle.Manifest
		code string // empty: there is room
	}{
		"no document":       {documents(0), rpc.Empty},
		"many documents":    {documents(maxDocuments), ""},
		"one more":          {documents(maxDocuments + 1), rpc.TooLarge},
		"large members":     {sized(maxUnpacked/2, maxUnpacked/2), ""},
		"one byte more":     {sized(maxUnpacked/2, maxUnpacked/2, 1), rpc.TooLarge},
		"one large member":  {sized(4<<30 - 1), rpc.TooLarge},
		"all that there is": {sized(make([]int64, 65_534)...), ""},
	} {
		code, err := "", fits(tt.m)
		if told := (*rpc.Error)(nil); errors.As(err, &told) {
			code = told.Code
		}
		if code != tt.code || (err == nil) != (tt.code == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
