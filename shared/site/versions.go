package site

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"seam/shared/index"
	"seam/shared/site/shards"
)

// sameIn finds pages that the site has in several versions, and sets their Versions. These
// are pages whose addresses differ only in a folder named like a version, with the same
// title and mostly the same words, and pages that name another as their canonical address.
// Pages with a version among their filters are left alone: readers choose that themselves.
func sameIn(pages []*Page) {
	byURL, byKey := map[string]*Page{}, map[string][]*Page{}
	for _, p := range pages {
		byURL[p.URL] = p
	}
	var keys []string
	for _, p := range pages {
		if p.Filters[facetVersion] != nil {
			continue
		}
		key := withoutVersion(p.URL)
		if to := canonicalOf(p, byURL); to != nil && to.Filters[facetVersion] == nil {
			key = withoutVersion(to.URL)
		}
		if key += "\x00" + Primary(p.Language); byKey[key] == nil {
			keys = append(keys, key)
		}
		byKey[key] = append(byKey[key], p)
	}
	for _, key := range keys {
		group := byKey[key]
		slices.SortStableFunc(group, func(a, b *Page) int { return newerFirst(versionOf(a.URL), versionOf(b.URL)) })
		for i, p := range group {
			if to := canonicalOf(p, byURL); to != nil && to != p {
				if at := slices.Index(group, to); at > 0 && at != i {
					group = slices.Insert(slices.Delete(group, at, at+1), 0, to)
				}
				break
			}
		}
		first := group[0]
		group = slices.DeleteFunc(group, func(p *Page) bool {
			return p != first && canonicalOf(p, byURL) != first && (p.Title != first.Title || index.Likeness(p.Text, first.Text) < alike)
		})
		if len(group) < 2 {
			continue
		}
		var all []shards.Version
		for _, p := range group {
			all = append(all, shards.Version{Name: versionOf(p.URL), URL: p.URL})
		}
		for _, p := range group {
			p.Versions = all
		}
	}
}

// alike is the minimum share of common words of two versions of a page.
const alike = .4

// canonicalOf returns the page of the site that a page names as its canonical one, or nil.
// The site may be at any path of its host, so the longest ending of the address decides.
func canonicalOf(p *Page, byURL map[string]*Page) *Page {
	u, err := url.Parse(p.Canonical)
	if p.Canonical == "" || err != nil {
		return nil
	}
	at := strings.TrimPrefix(u.EscapedPath(), "/")
	for {
		for _, name := range []string{at, at + "/", strings.TrimSuffix(at, "index.html"), at + ".html"} {
			if to := byURL[name]; to != nil && name != "" {
				return to
			}
		}
		_, rest, ok := strings.Cut(at, "/")
		if !ok {
			return nil
		}
		at = rest
	}
}

// versionOf returns the first folder of an address that is named like a version, or "".
func versionOf(at string) string {
	dir, _ := path.Split(at)
	for folder := range strings.SplitSeq(dir, "/") {
		if isVersion(folder) {
			return folder
		}
	}
	return ""
}

// withoutVersion returns an address without that folder.
func withoutVersion(at string) string {
	if v := versionOf(at); v != "" {
		return strings.Replace("/"+at, "/"+v+"/", "/*/", 1)
	}
	return at
}

// released and unreleased are names of versions without a number.
var (
	released   = setOf("latest stable current release")
	unreleased = setOf("next main master dev devel edge nightly canary unstable")
)

// isVersion reports whether a folder's name is a version: "1.2", "v3", "2.x", "latest".
func isVersion(name string) bool {
	name = strings.ToLower(name)
	return released[name] || unreleased[name] || numbersOf(name) != nil
}

// numbersOf returns the numbers of a version, or nil if it has none. A year is not a version.
func numbersOf(name string) (all []int) {
	name = strings.TrimPrefix(strings.ToLower(name), "v")
	for i, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '_' || r == '-' }) {
		n, err := strconv.Atoi(part)
		switch {
		case err == nil:
			all = append(all, n)
		case i == 0 || part != "x" && !strings.HasPrefix(part, "rc") && !strings.HasPrefix(part, "beta") && !strings.HasPrefix(part, "alpha"):
			return nil
		}
	}
	if len(all) == 1 && all[0] >= 1000 {
		return nil
	}
	return all
}

// newerFirst compares versions: released ones without a number, then by number, then
// unreleased ones.
func newerFirst(a, b string) int {
	rank := func(v string) int {
		switch v = strings.ToLower(v); {
		case v == "" || released[v]:
			return 0
		case unreleased[v]:
			return 2
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), slices.Compare(numbersOf(b), numbersOf(a)))
}
