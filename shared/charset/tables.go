//go:build !js

package charset

import (
	"golang.org/x/text/encoding/htmlindex"
)

// tables is the Tables of a native program. The encodings "gbk" and "gb2312" decode all of
// gb18030, as in the WHATWG Encoding Standard.
func tables(label string, b []byte) (name, t string) {
	e, err := htmlindex.Get(label)
	if err != nil {
		return "", ""
	}
	if name, err = htmlindex.Name(e); err != nil || name == "replacement" {
		return "", ""
	}
	decode := name
	if name == "gbk" {
		decode = "gb18030"
	}
	if e, err = htmlindex.Get(decode); err != nil {
		return "", ""
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return "", ""
	}
	return name, string(out)
}
