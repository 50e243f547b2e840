package text_test

import (
	"fmt"

	"seam/shared/text"
)

// A span of a view leads back to the pages of its text.
func ExampleView_PageRange() {
	d := text.NewPlain("Two mills stand\fon the hill.")
	v := d.View(text.Reading)
	first, last, ok := v.PageRange(text.Span{Start: 4, End: 18})
	fmt.Println(d.Pages[first].Number, d.Pages[last].Number, ok)
	// Output: 1 2 true
}

func ExampleJoinPages() {
	pages := []text.Page{{Number: 1, Text: "Two mills\n"}, {Number: 2, Text: "stand here.\n"}}
	v := text.JoinPages(pages, " ", true)
	fmt.Printf("%q\n", v.Text)
	// Output: "Two mills\n stand here."
}

// An emoji is two units in JavaScript and four bytes in UTF-8.
func ExampleUTF16() {
	u := text.NewUTF16("🌾 mill")
	fmt.Println(u.FromByte(4), u.FromByte(5), u.Len())
	// Output: 2 3 7
}
