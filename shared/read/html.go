package read

// html is read by package read/html. A page is recognized by its name only, because a text
// that begins with a tag may be about HTML.
var html = Format{
	Name: "html", Label: "HTML", One: "an HTML page", Extensions: []string{"html", "htm", "xhtml"}, MediaTypes: []string{"text/html", "application/xhtml+xml"},
	Room: PDF, German: German{One: "eine HTML-Seite"},
}
