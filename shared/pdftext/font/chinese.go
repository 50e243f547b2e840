package font

import (
	"slices"
	"strings"

	"seam/shared/pdftext/collection"
	"seam/shared/pdftext/object"
)

// chineseNames are fonts of Chinese Windows, with their names in GBK: SimSun, SimHei,
// KaiTi, FangSong, LiSu and YouYuan.
var chineseNames = [...]string{"\xcb\xce\xcc\xe5", "\xba\xda\xcc\xe5", "\xbf\xac\xcc\xe5", "\xb7\xc2\xcb\xce", "\xc1\xa5\xca\xe9", "\xd3\xd7\xd4\xb2"}

// chinese reports whether f is such a font and is not embedded. Writers that do not support
// composite fonts show GBK text with them, whatever /Encoding says.
func (l *Loader) chinese(f *Font, d object.Dict) bool {
	named := slices.ContainsFunc(chineseNames[:], func(name string) bool { return strings.HasPrefix(f.Name, name) })
	return named && f.unicode == nil && l.program(l.file.Dict(d["FontDescriptor"])) == (program{})
}

// gbk sets up f as a composite font of GBK codes.
func (l *Loader) gbk(f *Font, d object.Dict) {
	f.missing = 1000
	f.cids = &cidFont{
		codes:      l.codes(object.Name("GBK-EUC-H"), 0),
		collection: func() *collection.Collection { return l.Collections.Collection("GB1") },
		glyphs:     func() map[int]string { return nil },
	}
	descriptor := l.file.Dict(d["FontDescriptor"])
	f.setHeight(program{}, descriptor, l.file)
	f.setStyle(descriptor, l.file)
	first := l.file.Int(d["FirstChar"])
	for i, o := range l.file.Array(d["Widths"]) {
		code := uint32(first + i)
		cid, ok := f.cids.codes.CID(code)
		if w, isNumber := l.file.Number(o); ok && isNumber && code < 0x80 {
			f.widths[cid] = w
		}
	}
}
