package site

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// The facets that generators write into pages.
const (
	facetVersion  = "version"
	facetLanguage = "language"
	facetProduct  = "product"
)

// generated records the facets that a generator writes into a <meta>. Docusaurus uses names
// of the form docusaurus_…, others use DocSearch's names.
func (s *survey) generated(name, content string) {
	switch name {
	case "docusaurus_version", "docsearch:version":
		for v := range strings.SplitSeq(content, ",") {
			if v = strings.TrimSpace(v); v != "" {
				s.page.Filter(facetVersion, v)
				s.page.Versioned = true
			}
		}
	case "docusaurus_locale", "docsearch:language":
		if content != "" {
			s.page.Filter(facetLanguage, content)
			s.language = content
		}
	case "docusaurus_tag", "docsearch:docusaurus_tag":
		s.tag = content
	}
}

// product takes the product from a Docusaurus tag of the form docs-PRODUCT-VERSION.
func (s *survey) product() {
	rest, ok := strings.CutPrefix(s.tag, "docs-")
	if !ok {
		return
	}
	for _, v := range s.page.Filters[facetVersion] {
		if p, ok := strings.CutSuffix(rest, "-"+v); ok && p != "" {
			s.page.Filter(facetProduct, p)
		}
	}
}

// everywhere adds all versions to pages that belong to none, such as a blog, and to pages
// of a product with a single version. It applies only if a generator states the versions of
// other pages.
func everywhere(pages []*Page) {
	type part struct{ language, product string }
	partOf := func(p *Page) part {
		return part{Primary(p.Language), strings.Join(p.Filters[facetProduct], ",")}
	}
	versions := map[part]map[string]bool{}
	for _, p := range pages {
		for _, v := range p.Filters[facetVersion] {
			if at := partOf(p); p.Versioned {
				if versions[at] == nil {
					versions[at] = map[string]bool{}
				}
				versions[at][v] = true
			}
		}
	}
	single, several := map[string]map[string]bool{}, map[string]map[string]bool{} // by language
	for at, of := range versions {
		to := several
		if len(of) == 1 {
			to = single
		}
		if to[at.language] == nil {
			to[at.language] = map[string]bool{}
		}
		maps.Copy(to[at.language], of)
	}
	for _, p := range pages {
		if p.Versioned && len(versions[partOf(p)]) > 1 || !p.Versioned && p.Filters[facetVersion] != nil {
			continue
		}
		all := several[Primary(p.Language)]
		if all == nil {
			all = single[Primary(p.Language)]
		}
		delete(p.Filters, facetVersion)
		for _, v := range slices.Sorted(maps.Keys(all)) {
			p.Filter(facetVersion, v)
		}
	}
}

// Folders defines which folders of a page's path are facets of the page.
type Folders []folders

// folders is a path pattern, split into its parts.
type folders []folder

// folder is a part of a pattern: a glob, and the facet that takes the matching folder's
// name as its value.
type folder struct {
	glob, facet string
}

// ParseFolders parses patterns such as docs/{version}/**. {version} matches any folder,
// {version:v*} a folder if its name matches the glob, * any folder or file, and ** any
// number of them. A single word is short for {word}/**.
func ParseFolders(patterns []string) (Folders, error) {
	var all Folders
	for _, pattern := range patterns {
		if !strings.ContainsAny(pattern, "/{}*") {
			pattern = "{" + pattern + "}/**"
		}
		var f folders
		for part := range strings.SplitSeq(pattern, "/") {
			of := folder{glob: part}
			if inner, ok := strings.CutPrefix(part, "{"); ok && strings.HasSuffix(inner, "}") {
				of.facet, of.glob, ok = strings.Cut(strings.TrimSuffix(inner, "}"), ":")
				if !ok {
					of.glob = "*"
				}
			}
			_, err := path.Match(of.glob, "")
			if err != nil || strings.ContainsAny(of.glob+of.facet, "{}") || of.glob == "" || of.facet == "" && part != of.glob {
				return nil, fmt.Errorf("the pattern %q is not a path: write one like docs/{version}/** or {version:v*}/**", pattern)
			}
			f = append(f, of)
		}
		if !slices.ContainsFunc(f, func(of folder) bool { return of.facet != "" }) {
			return nil, fmt.Errorf("the pattern %q has no facet: write one like docs/{version}/**", pattern)
		}
		all = append(all, f)
	}
	return all, nil
}

// Mark sets the facets of the page at a path from its folders. It does not replace facets
// that the page already has. For each facet the first matching pattern wins.
func (all Folders) Mark(p *Page, at string) {
	for _, f := range all {
		values := map[string]string{}
		if !f.match(strings.Split(at, "/"), values) {
			continue
		}
		for facet, value := range values {
			if p.Filters[facet] == nil {
				p.Filter(facet, value)
			}
		}
	}
}

// match reports whether a path matches the pattern, and stores the values of facets.
func (f folders) match(at []string, values map[string]string) bool {
	switch {
	case len(f) == 0:
		return len(at) == 0
	case f[0].glob == "**":
		return f[1:].match(at, values) || len(at) > 0 && f.match(at[1:], values)
	case len(at) == 0 || f[0].facet != "" && len(at) == 1: // a file is not a folder
		return false
	}
	if ok, err := path.Match(f[0].glob, at[0]); err != nil || !ok || !f[1:].match(at[1:], values) {
		return false
	}
	if f[0].facet != "" {
		values[f[0].facet] = at[0]
	}
	return true
}
