package pdftext

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"seam/shared/pdftext/interp"
)

var errLayout = errors.New("layout gave up")

// notes collects the pages to report to the user.
type notes struct {
	scanned, partial, large, garbled, hidden []int
	options                                  []int
	lost                                     int     // entries of the page tree
	withHidden                               bool    // hidden text was asked for
	missing                                  []error // character collections
}

// page records one page with its number of words.
func (n *notes) page(number int, c interp.Content, words int, err, layoutErr error) {
	switch {
	case errors.Is(err, interp.ErrLimit):
		n.large = append(n.large, number)
	case err != nil || layoutErr != nil:
		n.partial = append(n.partial, number)
	case words == 0 && c.Images > 0:
		n.scanned = append(n.scanned, number)
	}
}

func (n *notes) sentences() (out []string) {
	note := func(format string, pages []int) {
		if len(pages) > 0 {
			out = append(out, fmt.Sprintf(format, pageList(pages)))
		}
	}
	if len(n.scanned) == 1 {
		note("%s holds images without text (scanned)", n.scanned)
	} else {
		note("%s hold images without text (scanned)", n.scanned)
	}
	note("%s could not be read completely", n.partial)
	note("%s could not be read completely: too much content", n.large)
	lost := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if n.lost == 1 {
		lost("a page, or a part with several, is missing in this damaged file")
	} else if n.lost > 1 {
		lost("%d pages, or parts with several, are missing in this damaged file", n.lost)
	}
	note("the text may be garbled, because fonts do not say which letters they show: %s", n.garbled)
	if n.withHidden {
		note("hidden text is in the reading view: %s", n.hidden)
	} else {
		note("hidden text is left out of the reading view: %s", n.hidden)
	}
	note("options of list boxes that are not chosen are left out of the reading view: %s", n.options)
	for _, err := range n.missing {
		out = append(out, err.Error())
	}
	return out
}

// pageList formats ascending page numbers: "page 4", "pages 3, 7–9".
func pageList(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		k := i
		for k+1 < len(numbers) && numbers[k+1] == numbers[k]+1 {
			k++
		}
		first, last := strconv.Itoa(numbers[i]), strconv.Itoa(numbers[k])
		switch k - i {
		case 0:
			parts = append(parts, first)
		case 1:
			parts = append(parts, first, last)
		default:
			parts = append(parts, first+"–"+last)
		}
		i = k + 1
	}
	if len(numbers) == 1 {
		return "page " + parts[0]
	}
	return "pages " + strings.Join(parts, ", ")
}
