package bundle

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits on the tags of a document. They are larger than a program needs, so that a file
// cannot make a list of millions.
const (
	mostTags = 1000
	maxTag   = 1000 // bytes
)

// checkTags refuses tags that no list can show.
func (it *Item) checkTags() error {
	if len(it.Tags) > mostTags {
		return fmt.Errorf("%d tags: the limit is %d", len(it.Tags), mostTags)
	}
	seen := make(map[string]bool, len(it.Tags))
	for _, tag := range it.Tags {
		switch {
		case strings.TrimSpace(tag) == "":
			return errors.New("a tag has no letters")
		case len(tag) > maxTag || !utf8.ValidString(tag):
			return fmt.Errorf("the tag %.20q has more than %d bytes or is not UTF-8", tag, maxTag)
		case seen[tag]:
			return fmt.Errorf("the tag %q is there twice", tag)
		}
		seen[tag] = true
	}
	return nil
}
