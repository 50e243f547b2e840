// Package precomputed is an embedder for vectors made elsewhere, by any model and program,
// for the texts that seam prints.
package precomputed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"seam/shared/embed"
	"seam/shared/token"
	"seam/shared/vector"
)

// Prefix is the prefix of the embedder's name, followed by the names of the files.
const Prefix = "npy:"

// Vectors holds lists of vectors for sentences, chunks and queries. Make one with Parse.
type Vectors struct {
	id    string
	lists map[embed.Role]*list
}

var _ embed.Roled = (*Vectors)(nil)

// list holds the vectors of one role, and is the embedder for that role.
type list struct {
	of   *Vectors
	file string
	role embed.Role
	rows vector.Matrix
	keys map[key]int // rows by key; nil if the rows are in the order of the texts
	seen *key        // for rows in order: the texts they were used for
}

type key [sha256.Size]byte

// roles lists the roles in the order for messages.
var roles = []embed.Role{embed.Sentences, embed.Chunks, embed.Queries}

// Parse reads the files named by spec: one file, or
// "sentences=FILE,chunks=FILE,queries=FILE" with any of them left out. read returns the
// bytes of a file.
//
// A .npy file is a matrix with a row for each text, in the order in which seam prints them.
// A JSONL file has a line {"text": …, "vector": […]} for each text. In place of the text it
// may have its SHA-256 as "hash" (hex), or neither, which means that the lines are in
// order. "embedding" is accepted for "vector". A file with texts or hashes serves every
// role that has no file. A single file in order is for sentences.
func Parse(spec string, read func(file string) ([]byte, error)) (*Vectors, error) {
	v := &Vectors{lists: map[embed.Role]*list{}}
	files, err := split(spec)
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	for _, f := range files {
		b, err := read(f.name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(digest, "%s %d\n", f.role, len(b))
		digest.Write(b)
		l, err := parse(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if err := check(l.rows); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		for _, other := range v.lists {
			if other.rows.Dim != l.rows.Dim {
				return nil, fmt.Errorf("%s has vectors of %d numbers, %s of %d", f.name, l.rows.Dim, other.file, other.rows.Dim)
			}
		}
		l.of, l.file = v, f.name
		v.add(l, f.role)
	}
	v.id = Prefix + hex.EncodeToString(digest.Sum(nil)[:6])
	return v, nil
}

// add assigns a list its role. A list with keys and no role takes all roles that are free.
func (v *Vectors) add(l *list, role embed.Role) {
	switch {
	case role != "":
		l.role = role
		v.lists[role] = l
	case l.keys == nil:
		l.role = embed.Sentences
		v.lists[l.role] = l
	default:
		for _, r := range roles {
			one := *l
			one.role = r
			v.lists[r] = &one
		}
	}
}

type named struct {
	role embed.Role // "" if not given
	name string
}

func split(spec string) ([]named, error) {
	var files []named
	seen := map[embed.Role]bool{}
	for part := range strings.SplitSeq(spec, ",") {
		role, name, ok := strings.Cut(part, "=")
		r := embed.Role(role)
		if !ok || r != embed.Sentences && r != embed.Chunks && r != embed.Queries {
			if len(files) > 0 {
				return nil, fmt.Errorf("%q: write sentences=FILE,chunks=FILE,queries=FILE", spec)
			}
			return []named{{"", spec}}, nil // perhaps a name that contains commas
		}
		if name == "" || seen[r] {
			return nil, fmt.Errorf("%q: write one file for each of sentences, chunks and queries", spec)
		}
		seen[r] = true
		files = append(files, named{r, name})
	}
	return files, nil
}

func parse(b []byte) (*list, error) {
	if bytes.HasPrefix(b, []byte("\x93NUMPY")) {
		m, err := vector.ReadNPY(b)
		return &list{rows: m}, err
	}
	return parseLines(b)
}

// check refuses empty matrices, NaN and infinities.
func check(m vector.Matrix) error {
	if m.Dim == 0 || m.Rows == 0 {
		return fmt.Errorf("it holds no vectors")
	}
	for i := range m.Rows {
		for _, x := range m.Row(i) {
			if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
				return fmt.Errorf("row %d holds NaN or an infinity", i)
			}
		}
	}
	return nil
}

// ID returns an ID derived from the vectors' bytes.
func (v *Vectors) ID() string { return v.id }

// Counter returns token.Estimate, because the model is unknown.
func (v *Vectors) Counter() token.Counter { return token.Estimate }

// Embed embeds texts in the role of sentences.
func (v *Vectors) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	l := v.lists[embed.Sentences]
	if l == nil {
		return vector.Matrix{}, fmt.Errorf("%s has no vectors of sentences", v.id)
	}
	return l.Embed(ctx, texts, progress)
}

// As returns the embedder for texts in a role, or nil if no file has vectors for it.
func (v *Vectors) As(r embed.Role) embed.Embedder {
	if l := v.lists[r]; l != nil {
		return l
	}
	return nil
}

// Bind sets the texts that the rows of a role belong to. It is needed if the rows are in
// order and the texts are requested one by one, as for queries.
func (v *Vectors) Bind(r embed.Role, texts []string) error {
	l := v.lists[r]
	if l == nil || l.keys != nil {
		return nil
	}
	if err := l.count(texts); err != nil {
		return err
	}
	keys := map[key]int{}
	for i, t := range texts {
		keys[keyOf(t)] = i
	}
	l.keys = keys
	return nil
}

func (l *list) ID() string             { return l.of.id }
func (l *list) Counter() token.Counter { return l.of.Counter() }

// Embed returns the vectors of texts, scaled to length 1.
func (l *list) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	if err := progress.Check(ctx, 0, len(texts)); err != nil {
		return vector.Matrix{}, err
	}
	m, err := vector.Make(len(texts), l.rows.Dim)
	if err != nil {
		return vector.Matrix{}, err
	}
	if l.keys == nil {
		if err := l.match(texts); err != nil {
			return vector.Matrix{}, err
		}
		copy(m.Data, l.rows.Data)
	} else if err := l.lookUp(texts, m); err != nil {
		return vector.Matrix{}, err
	}
	vector.Normalize(m)
	return m, progress.Report(len(texts), len(texts))
}

// none is the error if no text has a vector.
type none struct{ error }

func (none) Is(target error) bool { return target == embed.ErrNone }

func (l *list) lookUp(texts []string, m vector.Matrix) error {
	missing, first := 0, ""
	for i, t := range texts {
		row, ok := l.keys[keyOf(t)]
		if !ok {
			row, ok = l.keys[sha256.Sum256([]byte(t))]
		}
		if ok {
			copy(m.Row(i), l.rows.Row(row))
			continue
		}
		if missing++; missing == 1 {
			first = t
		}
	}
	if missing == 0 {
		return nil
	}
	err := fmt.Errorf("%s has no vector for %d of %d %s, the first is %.60q: %s", l.file, missing, len(texts), l.role, first, l.hint())
	if missing == len(texts) {
		return none{err}
	}
	return err
}

// match checks that the rows can belong to texts, and that they are used for the same texts
// every time.
func (l *list) match(texts []string) error {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d\n%s", len(t), t)
	}
	k := key(h.Sum(nil))
	if l.seen != nil && *l.seen != k {
		return fmt.Errorf("the rows of %s are for the %s of one document, but here is another: give each vector's text in a JSONL file", l.file, l.role)
	}
	if err := l.count(texts); err != nil {
		return err
	}
	l.seen = &k
	return nil
}

func (l *list) count(texts []string) error {
	if len(texts) != l.rows.Rows {
		return fmt.Errorf("%s has %d rows for %d %s: %s", l.file, l.rows.Rows, len(texts), l.role, l.hint())
	}
	return nil
}

// hint explains which texts are needed.
func (l *list) hint() string {
	switch l.role {
	case embed.Chunks:
		return "`seam chunk --format jsonl`, with the same options, prints their texts"
	case embed.Queries:
		return "give one row per query, in order"
	}
	return "`seam sentences`, with the same --view and for notebook-* with --method notebook, prints their texts"
}

// keyOf returns the key of a text. White space does not matter.
func keyOf(t string) key { return sha256.Sum256([]byte(embed.Normalize(t))) }
