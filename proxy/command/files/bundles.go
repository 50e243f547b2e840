package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"seam/proxy/command/terminal"
	"seam/shared/bundle"
	"seam/shared/read"
	"seam/shared/text"
)

// bundleFile is a bundle that stays open until the command ends.
type bundleFile struct {
	*bundle.Bundle
	name string
	Size int64
}

// IsBundle reports whether a file is a bundle, by its extension or its content.
func IsBundle(name string) bool {
	if strings.EqualFold(filepath.Ext(name), "."+bundle.Extension) {
		return true
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || Formats.Openable(filepath.Base(name)) {
		return false // a pipe can be read only once
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, read.Head)
	n, _ := io.ReadFull(f, head)
	return Formats.Recognise(name, head[:n]).Name == read.Bundle
}

// OpenBundle opens a bundle. Errors name the file.
func OpenBundle(name string) (*bundleFile, error) {
	f, err := os.Open(name)
	if err != nil {
		_, err := terminal.ReadInput(terminal.IO{}, name) // for its error
		return nil, err
	}
	info, err := f.Stat()
	var b *bundle.Bundle
	switch {
	case err == nil && info.IsDir():
		err = errors.New("is a folder")
	case err == nil:
		b, err = bundle.Open(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, BundleError(name, err)
	}
	return &bundleFile{b, name, info.Size()}, nil
}

// BundleError names the bundle and adds advice to the error.
func BundleError(name string, err error) error {
	switch {
	case errors.Is(err, bundle.ErrDamaged):
		return fmt.Errorf("%s: %w; get another copy, or rebuild it with `seam bundle`", terminal.Shown(name), err)
	case errors.Is(err, bundle.ErrNot):
		return fmt.Errorf("%s: %w; create one with `seam bundle -o %s FILE…`", terminal.Shown(name), err, terminal.Shown(name))
	}
	return fmt.Errorf("%s: %w", terminal.Shown(name), err)
}

// Item reads a document of the bundle.
func (b *bundleFile) Item(i int) (*bundle.Item, error) {
	it, err := b.Bundle.Item(i)
	if err != nil {
		return nil, BundleError(b.name, err)
	}
	return it, nil
}

// Vectors reads the vectors of an item.
func (b *bundleFile) Vectors(i int, it *bundle.Item) error {
	if err := b.Bundle.Vectors(i, it); err != nil {
		return BundleError(b.name, err)
	}
	return nil
}

// expand replaces each bundle by its documents.
func (l *lister) expand() {
	var all []Input
	for _, in := range l.all {
		if in.Err != nil || in.Name == "-" || !IsBundle(in.Name) {
			all = append(all, in)
			continue
		}
		if _, err := os.Stat(in.Name); err != nil {
			all = append(all, in) // reading it returns the error
			continue
		}
		b, err := OpenBundle(in.Name)
		if err == nil && len(b.Manifest.Documents) == 0 {
			err = fmt.Errorf("%s: this bundle is empty", terminal.Shown(in.Name))
		}
		if err != nil {
			all = append(all, Input{Name: in.Name, Err: err})
			continue
		}
		for i, e := range b.Manifest.Documents {
			rel := filepath.Clean(filepath.FromSlash(e.Name))
			if !filepath.IsLocal(rel) {
				rel = filepath.Base(rel)
			}
			if !filepath.IsLocal(rel) || rel == "." {
				rel = fmt.Sprintf("%d-%s", i+1, in.Rel)
			}
			all = append(all, Input{Name: in.Name, Rel: rel, Bundle: b, Item: i})
		}
	}
	l.all = all
}

// Opened is a document that was read, from its own file or from a bundle.
type Opened struct {
	*text.Document
	Source bundle.Source
	In     Input
	Item   *bundle.Item // nil if it is not from a bundle
	File   CachedFile   // the zero value: nothing of it is cached
}

// Saved returns the day on which the file was written, by the local clock. It returns "" for
// stdin and for a document of a bundle.
func (o Opened) Saved() string {
	if o.Item != nil || o.In.Name == "-" {
		return ""
	}
	info, err := os.Stat(o.In.Name)
	if err != nil {
		return ""
	}
	return info.ModTime().Format(time.DateOnly)
}

// Open reads the document of an input. If reading takes long, it looks in the cache first.
func (in Input) Open(ctx context.Context, std terminal.IO, password string, c *FileCache) (Opened, error) {
	f := CachedFile{}
	if slow(in.Name) {
		f = c.File(in)
	}
	return in.OpenAs(ctx, std, &Reading{Password: password, Cached: c, File: f, Text: true})
}

// OpenAs is Open with the result of an earlier look into the cache.
func (in Input) OpenAs(ctx context.Context, std terminal.IO, r *Reading) (Opened, error) {
	if in.Bundle == nil {
		doc, source, err := openFile(ctx, std, in.Name, r)
		if r.locked {
			r.File = CachedFile{}
		}
		return Opened{Document: doc, Source: source, In: in, File: r.File}, err
	}
	if err := ctx.Err(); err != nil {
		return Opened{}, err
	}
	it, err := in.Bundle.Item(in.Item)
	if err != nil {
		return Opened{}, err
	}
	printNotes(std, it.Document)
	return Opened{Document: it.Document, Source: it.Source, In: in, Item: it}, nil
}

// OnlyItem returns the document of a bundle that holds exactly one.
func OnlyItem(name string) (b *bundleFile, it *bundle.Item, err error) {
	if b, err = OpenBundle(name); err != nil {
		return nil, nil, err
	}
	if n := len(b.Manifest.Documents); n != 1 {
		return nil, nil, fmt.Errorf("%s holds %s, but one is needed here: get the text of each with `seam text -o FOLDER/ %s`", terminal.Shown(name), terminal.Count(n, "document"), terminal.Shown(name))
	}
	it, err = b.Item(0)
	return b, it, err
}

// onlyDocument is like OnlyItem, but returns only the text document.
func onlyDocument(std terminal.IO, name string) (*text.Document, error) {
	_, it, err := OnlyItem(name)
	if err != nil {
		return nil, err
	}
	printNotes(std, it.Document)
	return it.Document, nil
}
