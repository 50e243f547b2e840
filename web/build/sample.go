package main

import (
	"os"
	"path/filepath"
	"strings"

	"seam/shared/pdftext/pdftest"
)

// sampleFile returns the document for "Try the sample". It is a PDF, so that it is read
// like a user's own documents.
func sampleFile(web string) (file, error) {
	text, err := os.ReadFile(filepath.Join(web, "sample", "sample.txt"))
	if err != nil {
		return file{}, err
	}
	paragraphs := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	return hashed("sample.pdf", other, pdftest.Article(paragraphs...)), nil
}
