package sniff

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestFormat(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a page":                        {"<!DOCTYPE html>\n<title>Bees</title><p>Bees dance.", "html"},
		"a page in small letters":       {"\n\n<html lang=en><body>Bees dance.", "html"},
		"a page after a comment":        {"<?xml version='1.0'?>\n<!-- saved -->\n<html xmlns='x'></html>", "html"},
		"a page with a mark":            {"\ufeff<!doctype html><p>Bees.", "html"},
		"a part of a page":              {"<div class=a><h1>Bees</h1>\n<p>They dance.</p></div>\n", "html"},
		"a template":                    {"<!DOCTYPE html><?php echo $title; ?><p>Bees.</p>", "html"},
		"a program in PHP":              {"<?php\necho '<p>Bees.</p>';\n", ""},
		"feeds":                         {"<?xml version='1.0'?><rss><title>Bees</title></rss>", ""},
		"a text about a tag":            {"<p> begins a paragraph. </p> ends it, and the text goes on.", ""},
		"a title and a text":            {"# Bees\n\nThey dance.\n", "markdown"},
		"a title without an empty line": {"# Bees\nThey dance for each other.\n", "markdown"},
		"a page of GitHub":              {"<p align=center><img src=a.png></p>\n\n# Bees\n\nThey dance.\n", "markdown"},
		"lines of another system":       {"# Bees\r\n\r\nThey dance.\r\n\r\n## How\r\n\r\nIn circles.\r\n", "markdown"},
		"front matter":                  {"---\ntitle: Bees\ntags:\n  - a\n---\nThey dance.\n", "markdown"},
		"a component":                   {"import A from './a'\n\n# Bees\n\n<A/>\n\nThey dance.\n", "markdown"},
		"a list with links":             {"See\n\n- [one](https://example.org)\n- [two](b.md)\n", "markdown"},
		"an underlined title":           {"Bees\n====\n\nThey **dance** here.\n", "markdown"},
		"a script":                      {"#!/bin/sh\n# Bees\n\n# They dance\n", ""},
		"a program in Python":           {"# Bees dance.\n\nimport os\nfor b in bees:\n    b.dance()\n", ""},
		"settings":                      {"# The port\n\nport = 80\nhost = \"a\"\n", ""},
		"a list of letters":             {"- bread\n- milk\n", ""},
		"prose":                         {"Bees dance. The price is 3 * 4, or #5 of [1].\n", ""},
		"a number sign":                 {"#1 is the best.\n\n#2 is not.\n", ""},
		"nothing":                       {"", ""},
	} {
		if got := Format([]byte(test.text)); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestFormatUTF16(t *testing.T) {
	for name, order := range map[string]bool{"little-endian": true, "big-endian": false} {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff<!doctype html><p>Bienen tanzen für sich.")) {
			if order {
				b = append(b, byte(u), byte(u>>8))
			} else {
				b = append(b, byte(u>>8), byte(u))
			}
		}
		if got := Format(b); got != "html" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestFormatOfZip(t *testing.T) {
	for want, list := range map[string][][2]string{
		"epub":         {{"mimetype", "application/epub+zip"}, {"a.xhtml", "<p>Bees.</p>"}},
		"word":         {{"[Content_Types].xml", "<Types/>"}, {"word/document.xml", "<w/>"}},
		"excel":        {{"[Content_Types].xml", "<Types/>"}, {"xl/workbook.xml", "<w/>"}},
		"powerpoint":   {{"ppt/presentation.xml", "<p/>"}},
		"opendocument": {{"mimetype", "application/vnd.oasis.opendocument.text"}},
		"":             {{"bees.txt", "Bees."}},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, m := range list {
			w, err := z.Create(m[0])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(m[1])); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if got := Format(b.Bytes()); got != want {
			t.Errorf("%v: got %q, want %q", list, got, want)
		}
		if got := Format(b.Bytes()[:b.Len()/2]); got != "" {
			t.Errorf("half of %v: got %q", list, got)
		}
	}
}

// FuzzFormat checks that no bytes make Format panic, and that a script is never Markdown.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"# A\n\nb", "<p>a</p>", "PK\x03\x04", "---\na: b\n---\n", "```\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got := Format(b)
		if strings.HasPrefix(string(b), "#!") && got == "markdown" {
			t.Errorf("a script is Markdown: %q", b)
		}
	})
}
