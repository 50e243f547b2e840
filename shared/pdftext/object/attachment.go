package object

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of attached files.
const (
	maxAttached     = 1000 // files in a list
	maxAttachedName = 200  // bytes of a name
	maxAttachedType = 100  // bytes of a type
)

// ErrAttached reports an attached file that cannot be read.
var ErrAttached = errors.New("the attached file cannot be read")

// Attachment is a file attached to a PDF.
type Attachment struct {
	Name string // without folders and control characters; no two are equal
	Type string // as the PDF states it, such as "text/csv"; may be empty
	Size int    // in bytes, as the PDF states it; 0 if it does not

	stream Object
}

// Attachments returns the files attached to the document, to its parts and to its pages (ISO
// 32000-2, 7.11.4, 12.5.6.15 and 14.13), each once. more is the number of files beyond the
// limit of the list.
func (f *File) Attachments(pages []Page) (list []Attachment, more int) {
	c := attachments{file: f, seen: map[Ref]bool{}, names: map[string]bool{}}
	c.read(pages)
	return c.list, c.more
}

// Attached returns the bytes of an attached file.
func (f *File) Attached(a Attachment) (b []byte, err error) {
	defer func() {
		if recover() != nil {
			b, err = nil, ErrAttached
		}
	}()
	if f.attachedLocked {
		return nil, fmt.Errorf("%w: it is encrypted, and the rest of the PDF is not", ErrAttached)
	}
	if b, err = f.Bytes(a.stream); err != nil {
		return nil, fmt.Errorf("%w: it is damaged or larger than %d MB", ErrAttached, maxDecode>>20)
	}
	return b, nil
}

// attachments collects attached files.
type attachments struct {
	file  *File
	seen  map[Ref]bool
	names map[string]bool
	list  []Attachment
	more  int
}

func (c *attachments) read(pages []Page) {
	defer func() { _ = recover() }() // damaged: keep the files found so far
	f := c.file
	root, err := f.table.Catalog()
	if err != nil {
		return
	}
	f.leaves(f.Dict(root["Names"])["EmbeddedFiles"], "Names", func(key, value Object) { c.add(value, f.Text(key)) })
	c.associated(root)
	left := maxLinks
	for _, p := range pages {
		c.associated(p.Dict)
		for _, o := range f.Array(p.Dict["Annots"]) {
			if left--; left < 0 {
				return
			}
			if a := f.Dict(o); f.Name(a["Subtype"]) == "FileAttachment" {
				c.add(a["FS"], "")
			}
		}
	}
}

// associated adds the files associated with an object.
func (c *attachments) associated(d Dict) {
	for i, o := range c.file.Array(d["AF"]) {
		if i == maxLinks {
			return
		}
		c.add(o, "")
	}
}

// add adds a file specification with an embedded file.
func (c *attachments) add(spec Object, name string) {
	f := c.file
	d := f.Dict(spec)
	files := f.Dict(d["EF"])
	stream := files["UF"]
	if stream == nil {
		stream = files["F"]
	}
	inside, ok := f.Resolve(stream).(Stream)
	if !ok {
		return
	}
	if ref, ok := stream.(Ref); ok {
		if c.seen[ref] {
			return
		}
		c.seen[ref] = true
	}
	if len(c.list) == maxAttached {
		c.more++
		return
	}
	for _, key := range []string{"F", "UF"} {
		if s := f.Text(d[key]); s != "" {
			name = s
		}
	}
	c.list = append(c.list, Attachment{
		Name: c.unused(fileName(name)), Type: mediaType(f.Name(inside.Dict["Subtype"])),
		Size: max(0, f.Int(f.Dict(inside.Dict["Params"])["Size"])), stream: stream,
	})
}

// unused returns a name that no file of the list has: "a.csv", then "a (2).csv".
func (c *attachments) unused(name string) string {
	base, extension := name, ""
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		base, extension = name[:i], name[i:]
	}
	for n := 2; c.names[name]; n++ {
		name = base + " (" + strconv.Itoa(n) + ")" + extension
	}
	c.names[name] = true
	return name
}

// fileName returns the last part of a path, without the characters that a name does not have.
func fileName(path string) string {
	path = strings.ToValidUTF8(path, "")
	path = path[strings.LastIndexAny(path, "/\\:")+1:]
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune("<>\"|?*", r) {
			return -1
		}
		return r
	}, path))
	if len(name) > maxAttachedName {
		end := maxAttachedName
		for !utf8.RuneStart(name[end]) {
			end--
		}
		name = name[:end]
	}
	if strings.Trim(name, ".") == "" {
		return "attachment"
	}
	return name
}

// mediaType returns a type such as "text/csv", or "" for anything else.
func mediaType(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "#2F", "/"), "#2f", "/")
	if len(s) > maxAttachedType || strings.Count(s, "/") != 1 || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return s
}
