package read_test

import (
	"errors"
	"fmt"
	"strings"

	"seam/shared/read"
	"seam/shared/text"
)

func ExampleFormats_Read() {
	d, err := read.All().Read("mills.md", []byte("# Mills\n\nTwo stand here.\n\n## Sails\n\nThey turn.\n"), read.Options{})
	if err != nil {
		panic(err)
	}
	for _, s := range d.Sections {
		fmt.Printf("%d %s: %d bytes\n", s.Level, s.Title, s.Len())
	}
	fmt.Println(len(d.View(text.Reading).Text), "bytes in all")
	// Output:
	// 1 Mills: 47 bytes
	// 2 Sails: 21 bytes
	// 47 bytes in all
}

// A file is recognized by its first bytes, regardless of its name.
func ExampleUnreadError() {
	_, err := read.All().Read("notes.txt", []byte("\x89PNG\r\n\x1a\n"), read.Options{})
	var unread *read.UnreadError
	fmt.Println(errors.As(err, &unread), unread.One)
	fmt.Println(strings.TrimSuffix(err.Error(), unread.Reads)) // "Seam bundles, PDF, …"
	// Output:
	// true a PNG picture
	// a PNG picture, which Seam does not read; save or export it as
}
