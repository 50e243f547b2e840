package answer

import (
	"strings"
	"unicode"
)

// Source says where a passage comes from.
type Source struct {
	Name    string   // of the file, perhaps with folders before it
	Title   string   // of the document; may be empty
	Section string   // titles, outermost first, with Inside between them; may be empty
	Pages   []string // printed numbers of the pages that the passage touches
	Date    string   // of the document, as the file states it; may be empty
	Saved   string   // when the file was written; used without Date
}

// Inside separates the titles of a section.
const Inside = " › "

const (
	apart    = " · "
	ellipsis = "…"
)

// Sizes in quarters of a token. A line has at most about 20 tokens.
const (
	longestLine  = 76
	longestPages = 24
	longestDate  = 42
	leastSection = 12
)

// Line returns the source in one line: title, or name without its folders, section, pages,
// date. A long title is cut in the middle, then the section. Characters that nobody sees, such
// as controls, are left out.
func (s Source) Line() string {
	title, bare := plain(s.Title), ""
	if title == "" {
		title = plain(s.Name[strings.LastIndexAny(s.Name, `/\`)+1:])
		bare = title[:max(0, strings.LastIndexByte(title, '.'))]
	}
	tail := ""
	for _, part := range []string{pagesOf(s.Pages), datedBy(s.Date, s.Saved)} {
		if part != "" {
			tail += apart + part
		}
	}
	room := longestLine - quarters(tail)
	section := sectionOf(s.Section, title, room-min(quarters(title), room/2)-quarters(apart))
	if section != "" {
		section = apart + section
	}
	if room -= quarters(section); bare != "" && quarters(title) > room {
		title = bare
	}
	line := middle(title, room) + section + tail
	return strings.TrimPrefix(line, apart)
}

// sectionOf returns the titles of a section that fit, innermost first to go in, without the
// document's title.
func sectionOf(section, title string, room int) string {
	titles := strings.Split(plain(section), Inside)
	if titles[0] == title {
		titles = titles[1:]
	}
	for ; len(titles) > 0; titles = titles[1:] {
		if all := strings.Join(titles, Inside); quarters(all) <= room || len(titles) == 1 && room >= leastSection {
			return middle(all, room)
		}
	}
	return ""
}

// pagesOf returns the first and the last page.
func pagesOf(pages []string) string {
	if len(pages) == 0 {
		return ""
	}
	first, last := plain(pages[0]), plain(pages[len(pages)-1])
	switch {
	case first == "" || last == "":
		return ""
	case first == last:
		return middle("page "+first, longestPages)
	}
	return middle("pages "+first+"-"+last, longestPages)
}

// datedBy returns the date of a document, or the date of its file.
func datedBy(date, saved string) string {
	if date = dayOf(date); date == "" && saved != "" {
		date = "saved " + plain(saved)
	}
	return middle(date, longestDate)
}

// DateOf returns the date in a document's metadata, or "".
func DateOf(meta map[string][]string) string {
	for _, name := range []string{"date", "published", "article:published_time", "created", "updated", "lastmod"} {
		for _, value := range meta[name] {
			if day := dayOf(value); day != "" {
				return day
			}
		}
	}
	return ""
}

// dayOf returns the day of a date with a time, and other dates as they are. A value without
// a digit is no date.
func dayOf(date string) string {
	date = plain(date)
	const form = "0000-00-00"
	if len(date) > len(form) && strings.Map(digit, date[:len(form)]) == form && !unicode.IsDigit(rune(date[len(form)])) {
		return date[:len(form)]
	}
	if !strings.ContainsFunc(date, unicode.IsNumber) {
		return ""
	}
	return date
}

// digit returns 0 for every digit.
func digit(r rune) rune {
	if '0' <= r && r <= '9' {
		return '0'
	}
	return r
}

// plain returns a text on one line, without control characters and characters without a
// width, and at most its first and last 80 characters.
func plain(s string) string {
	const most = 4000 // bytes looked at
	if len(s) > 2*most {
		s = s[:most] + s[len(s)-most:]
	}
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) || r == '\ufffd':
			return -1
		}
		return r
	}, s)), " ")
	if all := []rune(s); len(all) > 160 {
		return without(all, 80, len(all)-80)
	}
	return s
}

// without returns a text with an ellipsis in place of the characters from h to t.
func without(all []rune, h, t int) string {
	return strings.TrimSpace(string(all[:h])) + ellipsis + strings.TrimSpace(string(all[t:]))
}

// middle cuts a text in the middle to at most that many quarters of a token.
func middle(s string, most int) string {
	if quarters(s) <= most {
		return s
	}
	all := []rune(s)
	for n := len(all) - 1; n > 0; n-- {
		if cut := without(all, (n+1)/2, len(all)-n/2); quarters(cut) <= most {
			return cut
		}
	}
	return ""
}

// lengths are the lengths of characters in quarters of a token, by the last character of a
// range of Unicode. They follow the measurements of package token; the digits of a date take
// more than letters.
var lengths = []struct {
	last     rune
	quarters int
}{{' ', 1}, {'@', 2}, {0x7f, 1}, {0x2ff, 2}, {0x52f, 3}, {0x58f, 9}, {0x6ff, 5}, {0x1fff, 10}, {0xffff, 6}, {0x10ffff, 12}}

// quarters estimates the length of a text in quarters of a token.
func quarters(s string) (sum int) {
	for _, r := range s {
		i := 0
		for r > lengths[i].last {
			i++
		}
		sum += lengths[i].quarters
	}
	return sum
}
