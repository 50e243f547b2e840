package pdftest

import "fmt"

// Bookmark is an outline entry to write.
type Bookmark struct {
	Title string
	Level int     // from 1 at the top; at most one more than the previous entry's
	Page  int     // index
	Y     float64 // upwards from the bottom of the media box
	Named bool    // through an action and a name, instead of directly
}

// catalogEntries writes the objects that the catalog refers to, and returns its entries.
// pages are the objects of the pages.
func (w *writer) catalogEntries(pages []int) (entries string) {
	d := w.doc
	if d.Layers {
		entries += fmt.Sprintf(" /OCProperties << /OCGs [%d 0 R %d 0 R] /D << /OFF [%d 0 R] >> >>", w.on, w.off, w.off)
	}
	if d.Language != "" {
		entries += fmt.Sprintf(" /Lang <%x>", d.Language)
	}
	if d.Tags != "" {
		numbers := make([]any, len(pages))
		for i, n := range pages {
			numbers[i] = n
		}
		entries += " /StructTreeRoot << " + fmt.Sprintf(d.Tags, numbers...) + " >>"
	}
	if d.Labels != "" {
		entries += " /PageLabels << /Nums [" + d.Labels + "] >>"
	}
	if d.XMP != "" {
		entries += fmt.Sprintf(" /Metadata %d 0 R", w.stream("/Type /Metadata /Subtype /XML", d.XMP))
	}
	if len(d.Attached) > 0 {
		names, specs := "", ""
		for i, f := range d.Attached {
			stream := w.stream(fmt.Sprintf("/Type /EmbeddedFile %s", f.Entries), f.Data)
			spec := w.reserve()
			w.set(spec, fmt.Sprintf("<< /Type /Filespec /UF <%x> /EF << /F %d 0 R >> >>", w.encrypt(spec, []byte(f.Name)), stream))
			names += fmt.Sprintf("(f%05d) %d 0 R ", i, spec)
			specs += fmt.Sprintf("%d 0 R ", spec)
		}
		entries += " /Names << /EmbeddedFiles << /Names [" + names + "] >> >> /AF [" + specs + "]"
	}
	if d.Names != "" && len(d.Outline) == 0 {
		entries += " /Names << /Dests " + d.Names + " >>"
	}
	if len(d.Outline) > 0 {
		root, names := w.outline(pages)
		entries += fmt.Sprintf(" /Outlines %d 0 R /Names << /Dests << /Names [%s] >> >>", root, names)
	}
	return entries
}

// outline writes the outline. It returns its object and the pairs of the name tree of
// destinations.
func (w *writer) outline(pages []int) (root int, names string) {
	root = w.reserve()
	items := make([]int, len(w.doc.Outline))
	for i := range items {
		items[i] = w.reserve()
	}
	first := map[int]int{0: items[0]}
	for i, b := range w.doc.Outline {
		dest := fmt.Sprintf("[%d 0 R /XYZ null %g null]", pages[b.Page], b.Y)
		body := fmt.Sprintf("<< /Title <%x> /Parent %d 0 R", b.Title, root)
		if b.Named {
			names += fmt.Sprintf("(d%03d) << /D %s >> ", i, dest)
			body += fmt.Sprintf(" /A << /S /GoTo /D (d%03d) >>", i)
		} else {
			body += " /Dest " + dest
		}
		for k := i + 1; k < len(items); k++ {
			next := w.doc.Outline[k].Level
			if next == b.Level {
				body += fmt.Sprintf(" /Next %d 0 R", items[k])
			}
			if next <= b.Level {
				break
			}
			if next == b.Level+1 && first[i+1] == 0 {
				first[i+1] = items[k]
				body += fmt.Sprintf(" /First %d 0 R", items[k])
			}
		}
		w.set(items[i], body+" >>")
	}
	w.set(root, fmt.Sprintf("<< /Type /Outlines /First %d 0 R >>", first[0]))
	return root, names
}
