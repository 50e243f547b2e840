package shards

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"seam/shared/index"
	"seam/shared/text"
)

// Versions of the format of all files except the entry. An index with expansions has its
// own version, because a reader that does not know expansions would misread it.
const (
	version        = 3
	versionExpands = 4
)

// blockJSON is a shard of texts: consecutive chunks with their pages.
type blockJSON struct {
	Pages  []pageJSON  `json:"pages"`
	Chunks []chunkJSON `json:"chunks"`
}

type pageJSON struct {
	Page  int               `json:"p"`
	URL   string            `json:"u"`
	Title string            `json:"t"`
	Meta  map[string]string `json:"m,omitempty"`
	Date  string            `json:"d,omitempty"`
	// Versions lists the versions of the page, newest first, the page itself among them.
	Versions []Version `json:"v,omitempty"`
}

type chunkJSON struct {
	Page    int         `json:"p"` // index in Pages of the block
	Text    string      `json:"x"`
	Section []string    `json:"s,omitempty"`
	Places  []placeJSON `json:"a,omitempty"`
	List    bool        `json:"l,omitempty"` // of references, or a table of contents; see text.PartOf
}

// placeJSON has its start in UTF-16 units, because JavaScript reads it.
type placeJSON struct {
	Start int    `json:"i"`
	ID    string `json:"a"`
	Title string `json:"t,omitempty"`
	List  bool   `json:"l,omitempty"` // as in chunkJSON
	// Overload is as in Place.
	Overload bool `json:"o,omitempty"`
}

// texts writes the shards of the texts for excerpts, and returns the chunks in each.
func (b *builder) texts(pages []Page, to *packing) (counts []int, err error) {
	var block blockJSON
	size := 0
	flush := func() error {
		if len(block.Chunks) == 0 {
			return nil
		}
		content, err := json.Marshal(block)
		if err != nil {
			return fmt.Errorf("write texts: %w", err)
		}
		to.add(content)
		counts = append(counts, len(block.Chunks))
		block, size = blockJSON{}, 0
		return nil
	}
	for i, p := range pages {
		for j, c := range p.Chunks {
			if size+len(c.Text) > textSize {
				if err := flush(); err != nil {
					return nil, err
				}
			}
			if j == 0 || len(block.Pages) == 0 {
				block.Pages = append(block.Pages, pageJSON{i, p.URL, p.Title, p.Meta, p.Date, p.Versions})
			}
			block.Chunks = append(block.Chunks, chunkJSON{len(block.Pages) - 1, c.Text, c.Section, placesOf(c), text.PartOf(c.Section, c.Text) != ""})
			size += len(c.Text)
		}
	}
	return counts, flush()
}

func placesOf(c Chunk) (out []placeJSON) {
	at, units := 0, 0
	for i, p := range c.Places {
		end := len(c.Text)
		if i+1 < len(c.Places) {
			end = c.Places[i+1].Start
		}
		for _, r := range c.Text[at:p.Start] {
			if units++; r > 0xffff {
				units++
			}
		}
		at = p.Start
		out = append(out, placeJSON{units, p.ID, p.Title, text.PartOf([]string{p.Title}, c.Text[p.Start:end]) != "", p.Overload})
	}
	return out
}

// meta writes the first data that every search needs: lengths, function words, endings.
func (b *builder) meta(p *packer) {
	if b.expands {
		p.uint(versionExpands)
	} else {
		p.uint(version)
	}
	p.uint(len(b.pages))
	p.uint(len(b.chunks))
	total := 0
	for _, n := range b.chunks {
		total += n
	}
	p.uint(1000 * total / max(1, len(b.chunks)))
	total = 0
	for _, c := range b.pages {
		total += c.length
	}
	p.uint(1000 * total / max(1, len(b.pages)))
	total = 0
	for _, c := range b.pages {
		total += c.summary
	}
	p.uint(1000 * total / max(1, len(b.pages)))
	for _, c := range b.pages {
		p.uint(c.chunks)
	}
	for _, c := range b.pages {
		p.uint(c.title)
	}
	for _, c := range b.pages {
		p.b = append(p.b, lengthCode(c.length))
	}
	for _, c := range b.pages {
		p.b = append(p.b, lengthCode(c.summary))
	}
	for _, n := range b.chunks {
		p.b = append(p.b, lengthCode(n))
	}
	little := slices.Sorted(slices.Values(index.FunctionWords(b.language)))
	p.uint(len(little))
	for _, w := range little {
		p.word(w)
	}
	p.uint(len(b.endings))
	for _, e := range b.endings {
		p.string(e)
	}
}

func (p *packer) hash(hex string) {
	for i := 0; i < len(hex); i += 2 {
		n, _ := strconv.ParseUint(hex[i:i+2], 16, 8) // hex.EncodeToString wrote it
		p.b = append(p.b, byte(n))
	}
}

// writeMeta writes the pages' data for a search: weights in hundredths, days, filters.
func (b *builder) writeMeta(p *packer, pages []Page) {
	each := func(of func(Page) (int, bool)) {
		var list [][2]int
		for i, page := range pages {
			if n, ok := of(page); ok {
				list = append(list, [2]int{i, n})
			}
		}
		p.uint(len(list))
		last := 0
		for _, x := range list {
			p.uint(x[0] - last)
			p.uint(x[1])
			last = x[0]
		}
	}
	each(func(page Page) (int, bool) { return int(page.Weight*100 + .5), page.Weight != 1 })
	each(func(page Page) (int, bool) {
		day, err := strconv.Atoi(strings.ReplaceAll(page.Date, "-", ""))
		return day, err == nil && day > 0
	})
	filters := map[string]map[string][]int{}
	for i, page := range pages {
		for name, values := range page.Filters {
			for _, v := range values {
				if filters[name] == nil {
					filters[name] = map[string][]int{}
				}
				if list := filters[name][v]; len(list) == 0 || list[len(list)-1] != i {
					filters[name][v] = append(list, i)
				}
			}
		}
	}
	p.uint(len(filters))
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		p.string(name)
		p.uint(len(filters[name]))
		for _, value := range slices.Sorted(maps.Keys(filters[name])) {
			p.string(value)
			p.uint(len(filters[name][value]))
			last := 0
			for _, i := range filters[name][value] {
				p.uint(i - last)
				last = i
			}
		}
	}
}
