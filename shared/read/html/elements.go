package html

import "golang.org/x/net/html/atom"

// leftOut lists elements whose text is never read: programs, styles, fallbacks for
// unsupported content, and pronunciation hints.
var leftOut = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Svg: true, atom.Rt: true, atom.Rp: true,
	atom.Object: true, atom.Iframe: true, atom.Audio: true, atom.Video: true, atom.Canvas: true, atom.Noframes: true, atom.Noembed: true,
	atom.Annotation: true, atom.AnnotationXml: true, // repeats a formula in another language
}

// raw lists elements with raw text up to their end tag. That holds even for a self-closing
// tag as in XML, because HTML has no such tags.
var raw = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Title: true, atom.Textarea: true, atom.Iframe: true, atom.Noscript: true, atom.Noframes: true, atom.Noembed: true,
}

// around lists elements that belong to the page's interface, not to its text.
var around = map[atom.Atom]bool{
	atom.Nav: true, atom.Button: true, atom.Select: true, atom.Textarea: true, atom.Datalist: true, atom.Dialog: true,
}

// ofHead lists the elements allowed in a head. Any other element ends it.
var ofHead = map[atom.Atom]bool{
	atom.Head: true, atom.Title: true, atom.Meta: true, atom.Link: true, atom.Base: true, atom.Script: true, atom.Style: true,
	atom.Noscript: true, atom.Template: true,
}

// void lists elements without content or end tag.
var void = map[atom.Atom]bool{
	atom.Area: true, atom.Base: true, atom.Br: true, atom.Col: true, atom.Embed: true, atom.Hr: true, atom.Img: true, atom.Input: true,
	atom.Link: true, atom.Meta: true, atom.Source: true, atom.Track: true, atom.Wbr: true,
}

// blocks lists elements on separate lines, with the number of line ends around each.
var blocks = map[atom.Atom]int{
	atom.Address: 2, atom.Article: 2, atom.Aside: 2, atom.Blockquote: 2, atom.Body: 2, atom.Caption: 2, atom.Center: 2, atom.Dd: 1, atom.Details: 2,
	atom.Div: 2, atom.Dl: 2, atom.Dt: 1, atom.Fieldset: 2, atom.Figcaption: 2, atom.Figure: 2, atom.Footer: 2, atom.Form: 2, atom.H1: 2,
	atom.H2: 2, atom.H3: 2, atom.H4: 2, atom.H5: 2, atom.H6: 2, atom.Header: 2, atom.Hgroup: 2, atom.Hr: 2, atom.Legend: 2, atom.Li: 1,
	atom.Main: 2, atom.Menu: 2, atom.Nav: 2, atom.Ol: 2, atom.P: 2, atom.Pre: 2, atom.Search: 2, atom.Section: 2, atom.Summary: 2,
	atom.Table: 2, atom.Tbody: 1, atom.Tfoot: 1, atom.Thead: 1, atom.Tr: 1, atom.Ul: 2,
}
