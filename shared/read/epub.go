package read

// epub is read by package read/epub. Its files are zip files and recognized by name.
var epub = Format{
	Name: "epub", Label: "EPUB", One: "an EPUB book", Extensions: []string{"epub"}, MediaTypes: []string{"application/epub+zip"},
	In: "zip", Room: PDF, German: German{One: "ein EPUB-Buch"},
}
