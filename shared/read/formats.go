package read

// table lists all formats in the order in which their marks are checked. Marks at the very
// beginning come before marks that may occur later. It includes formats that Seam does not
// read, so that they can be recognized and named.
var table = Formats{
	{Name: "jpeg", One: "a JPEG picture", German: German{One: "ein JPEG-Bild"}, Marks: []Mark{{Bytes: "\u00ff\u00d8\u00ff"}}},
	{Name: "png", One: "a PNG picture", German: German{One: "ein PNG-Bild"}, Marks: []Mark{{Bytes: "\u0089PNG"}}},
	{Name: "gif", One: "a GIF picture", German: German{One: "ein GIF-Bild"}, Marks: []Mark{{Bytes: "GIF8?a??????\x00"}}}, // a text may begin with these letters, too
	{Name: "riff", One: "a picture or a sound", German: German{One: "ein Bild oder ein Ton"}, Marks: []Mark{{Bytes: "RIFF????WEBP"}, {Bytes: "RIFF????WAVE"}, {Bytes: "RIFF????AVI "}}},
	bundle,
	{Name: "zip", One: "a packed archive", German: German{One: "ein gepacktes Archiv"}, Marks: []Mark{{Bytes: "PK\x03\x04"}}},
	{Name: "gzip", One: "a packed archive", German: German{One: "ein gepacktes Archiv"}, Marks: []Mark{{Bytes: "\x1f\u008b"}}},
	{Name: "office", One: "a file of an old office program", German: German{One: "eine Datei eines alten Büroprogramms"}, Marks: []Mark{{Bytes: "\u00d0\u00cf\x11\u00e0"}}},
	{Name: "rtf", One: "an RTF document", German: German{One: "ein RTF-Dokument"}, Marks: []Mark{{Bytes: `{\rtf`}}},
	{Name: "word", One: "a Word document", German: German{One: "ein Word-Dokument"}, In: "zip", Extensions: []string{"docx"}},
	{Name: "excel", One: "an Excel workbook", German: German{One: "eine Excel-Arbeitsmappe"}, In: "zip", Extensions: []string{"xlsx"}},
	{Name: "powerpoint", One: "a PowerPoint presentation", German: German{One: "eine PowerPoint-Präsentation"}, In: "zip", Extensions: []string{"pptx"}},
	{Name: "opendocument", One: "an OpenDocument file", German: German{One: "eine OpenDocument-Datei"}, In: "zip", Extensions: []string{"odt", "ods", "odp"}},
	{Name: "mail", One: "a mail message", German: German{One: "eine E-Mail"}, Extensions: []string{"eml", "emlx", "mbox"}},
	{Name: "notebook", One: "a Jupyter notebook", German: German{One: "ein Jupyter-Notebook"}, Extensions: []string{"ipynb"}},
	pdf,
	markdown,
	html,
	epub,
	plain,
}

// Bundle is the name of the bundle format, which package bundle writes.
const Bundle = "bundle"

// bundle holds several documents, so it has no Reader here. The command line and the page's
// worker open it with package bundle, which would add 56 kB to the engine.
var bundle = Format{
	Name: Bundle, Label: "Seam bundles", One: "a Seam bundle", Extensions: []string{"seam"}, MediaTypes: []string{"application/x-seam"}, In: "zip", Room: PDF,
	German: German{Label: "Seam-Bündel", One: "ein Seam-Bündel"},
	// The first member of the zip file has this name and is stored uncompressed.
	Marks: []Mark{{Bytes: "PK\x03\x04??????????????????????????mimetypeapplication/x-seam"}},
}

// pdf is read by package read/pdf, which is too large for the engine.
var pdf = Format{
	Name: "pdf", Label: "PDF", One: "a PDF", Extensions: []string{"pdf"}, MediaTypes: []string{"application/pdf"},
	// PDF readers search this far, because some files begin with other bytes.
	Marks:  []Mark{{Bytes: "%PDF-", Within: Head}},
	Room:   PDF,
	German: German{One: "ein PDF"},
}
