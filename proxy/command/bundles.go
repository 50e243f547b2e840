package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"seam/shared/bundle"
	"seam/shared/read"
	"seam/shared/text"
)

// bundleFile is a bundle that is open, for as long as the command runs.
type bundleFile struct {
	*bundle.Bundle
	name string
	size int64
}

// isBundle reports whether a file is a bundle, or is called one.
func isBundle(name string) bool {
	if strings.EqualFold(filepath.Ext(name), "."+bundle.Extension) {
		return true
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || formats.InFolder(filepath.Base(name)) {
		return false // a pipe can be read once
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, read.Head)
	n, _ := io.ReadFull(f, head)
	return formats.Recognise(name, head[:n]).Name == read.Bundle
}

// openBundle opens a bundle. Errors name the file.
func openBundle(name string) (*bundleFile, error) {
	f, err := os.Open(name)
	if err != nil {
		_, err := readInput(IO{}, name) // says what is wrong
		return nil, err
	}
	info, err := f.Stat()
	var b *bundle.Bundle
	switch {
	case err == nil && info.IsDir():
		err = errors.New("it is a folder")
	case err == nil:
		b, err = bundle.Open(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, bundleError(name, err)
	}
	return &bundleFile{b, name, info.Size()}, nil
}

// bundleError names the bundle, and says what to do about what is wrong with it.
func bundleError(name string, err error) error {
	switch {
	case errors.Is(err, bundle.ErrDamaged):
		return fmt.Errorf("%s: %w; get another copy, or make it again with `seam bundle`", shown(name), err)
	case errors.Is(err, bundle.ErrNot):
		return fmt.Errorf("%s: %w; `seam bundle -o %s FILE…` makes one", shown(name), err, shown(name))
	}
	return fmt.Errorf("%s: %w", shown(name), err)
}

// item reads a document of the bundle.
func (b *bundleFile) item(i int) (*bundle.Item, error) {
	it, err := b.Item(i)
	if err != nil {
		return nil, bundleError(b.name, err)
	}
	return it, nil
}

// vectors reads those of an item.
func (b *bundleFile) vectors(i int, it *bundle.Item) error {
	if err := b.Vectors(i, it); err != nil {
		return bundleError(b.name, err)
	}
	return nil
}

// expand puts the documents of bundles in the place of these.
func (l *lister) expand() {
	var all []input
	for _, in := range l.all {
		if in.err != nil || in.name == "-" || !isBundle(in.name) {
			all = append(all, in)
			continue
		}
		if _, err := os.Stat(in.name); err != nil {
			all = append(all, in) // reading it says what is wrong
			continue
		}
		b, err := openBundle(in.name)
		if err == nil && len(b.Manifest.Documents) == 0 {
			err = fmt.Errorf("%s: there is no document in this bundle", shown(in.name))
		}
		if err != nil {
			all = append(all, input{name: in.name, err: err})
			continue
		}
		for i, e := range b.Manifest.Documents {
			rel := filepath.Clean(filepath.FromSlash(e.Name))
			if !filepath.IsLocal(rel) {
				rel = filepath.Base(rel)
			}
			if !filepath.IsLocal(rel) || rel == "." {
				rel = fmt.Sprintf("%d-%s", i+1, in.rel)
			}
			all = append(all, input{name: in.name, rel: rel, bundle: b, item: i})
		}
	}
	l.all = all
}

// opened is a document that was read, from its own file or from a bundle.
type opened struct {
	*text.Document
	source bundle.Source
	in     input
	item   *bundle.Item // nil: it is of no bundle
	file   keptFile     // the zero value: nothing of it is kept
}

// open reads the document of an input, or finds it where reading takes long.
func (in input) open(ctx context.Context, std IO, password string, k *keeper) (opened, error) {
	f := keptFile{}
	if slow(in.name) {
		f = k.file(in)
	}
	return in.openAs(ctx, std, &reading{password: password, kept: k, file: f, text: true})
}

// openAs is open for a file that was looked at.
func (in input) openAs(ctx context.Context, std IO, r *reading) (opened, error) {
	if in.bundle == nil {
		doc, source, err := openFile(ctx, std, in.name, r)
		if r.secret {
			r.file = keptFile{}
		}
		return opened{Document: doc, source: source, in: in, file: r.file}, err
	}
	if err := ctx.Err(); err != nil {
		return opened{}, err
	}
	it, err := in.bundle.item(in.item)
	if err != nil {
		return opened{}, err
	}
	printNotes(std, it.Document)
	return opened{Document: it.Document, source: it.Source, in: in, item: it}, nil
}

// onlyItem is the document of a bundle which has one.
func onlyItem(name string) (b *bundleFile, it *bundle.Item, err error) {
	if b, err = openBundle(name); err != nil {
		return nil, nil, err
	}
	if n := len(b.Manifest.Documents); n != 1 {
		return nil, nil, fmt.Errorf("%s holds %s, and here one is needed: `seam text -o FOLDER/ %s` writes the text of each", shown(name), count(n, "document"), shown(name))
	}
	it, err = b.item(0)
	return b, it, err
}

// onlyDocument is that of onlyItem.
func onlyDocument(std IO, name string) (*text.Document, error) {
	_, it, err := onlyItem(name)
	if err != nil {
		return nil, err
	}
	printNotes(std, it.Document)
	return it.Document, nil
}
