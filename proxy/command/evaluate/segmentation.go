package evaluate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/eval"
	"seam/shared/pipeline"
	"seam/shared/text"
)

type evalSegmentationCommand struct {
	Files               []string `arg:"" optional:"" name:"file" help:"Plain text files with a line of ten or more = between segments, or folders of them."`
	Data                string   `placeholder:"FOLDER" help:"Folder with refs.json and its texts."`
	Refs                string   `placeholder:"FILE" help:"A refs.json with another name; text paths are relative to its folder."`
	Set                 string   `placeholder:"PREFIX" help:"Only sets with this prefix."`
	Lines               bool     `help:"One sentence per line in the files, as in Choi's sets (default: Seam splits sentences)."`
	Predictions         string   `placeholder:"FILE" help:"Also score chunks of another tool, {\"id\":[first byte of each chunk,…]}, in addition to --methods."`
	Baselines           *bool    `negatable:"" help:"Show baselines: cutting nowhere, everywhere, evenly and at random (default: when comparing several)."`
	PerDoc              string   `name:"per-doc" placeholder:"FILE" help:"Write each document's scores to this JSON file."`
	files.FolderOptions `group:"Files in folders:"`
	evalOptions
}

func (evalSegmentationCommand) Help() string {
	return `Pk and WindowDiff are errors (0 is best), F1 is agreement (1 is best); F1±1 allows a boundary to be one sentence off. A unit is
a sentence of the reference. ALL is the mean over documents; sets is the mean of the sets' means. With several methods,
differences and their standard errors follow; a star marks differences of more than two standard errors.

refs.json is {"docs":[{"id","set","file","sentences":[[first byte, end],…],"boundaries":[i,…]}]}: a segment ends after sentence i.
--json prints {"rows":[{"method","set","documents","segments","found","pk","windowdiff","f1","f1_1"}],
"differences":[{"method","against","documents","pk":{"mean","error"},"windowdiff","f1","f1_1"}]}.

Examples:
  seam eval segmentation --data segmentation --methods percentile,stddev:1,fixed
  seam eval segmentation --method gradient --embedder lexical my/texts/*.txt
  seam eval segmentation --lines --baselines --json choi/3-5`
}

// known is a text with known segments.
type known struct {
	eval.Reference
	raw     string
	session *pipeline.Session
}

// judged holds the scores of one method, one per document.
type judged struct {
	name   string
	scores []eval.Segmentation
	found  [][]int // boundaries
}

func (c evalSegmentationCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	variants, err := c.variants(std, nil)
	if err != nil {
		return err
	}
	texts, err := c.read(ctx, std)
	if err != nil {
		return err
	}
	var all []judged
	if c.Predictions != "" {
		given, err := c.predicted(std, texts)
		if err != nil {
			return err
		}
		all = append(all, given)
	}
	if c.Predictions == "" || len(c.Methods) > 0 {
		m, err := c.measure(ctx, std, b, variants)
		if err != nil {
			return hosted.RetryHint(err)
		}
		defer m.models.Close()
		methods, err := m.segment(texts)
		if err != nil {
			return err
		}
		all = append(all, methods...)
	}
	if c.Baselines == nil && len(all) > 1 || c.Baselines != nil && *c.Baselines {
		if all, err = withBaselines(all, texts); err != nil {
			return err
		}
	}
	if err := saveJSON(c.PerDoc, perDocument(all, texts)); err != nil {
		return err
	}
	out := bufio.NewWriter(std.Out)
	return errors.Join(c.print(out, all, texts), out.Flush())
}

// read reads the references and all their texts.
func (c evalSegmentationCommand) read(ctx context.Context, std terminal.IO) ([]known, error) {
	given := 0
	for _, is := range []bool{len(c.Files) > 0, c.Data != "", c.Refs != ""} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, terminal.Usagef("give text files with lines of ========== between segments, --data FOLDER with a refs.json, or --refs FILE")
	case len(c.Files) > 0 && c.Set != "":
		return nil, terminal.Usagef("--set needs --data or --refs")
	case len(c.Files) > 0:
		return c.separated(std)
	case c.Lines:
		return nil, terminal.Usagef("--lines needs files: refs.json lists its own sentences")
	}
	path := c.Refs
	if path == "" {
		path = filepath.Join(c.Data, "refs.json")
	}
	b, err := readData(std, path, `a refs.json, {"docs":[{"id","set","file","sentences","boundaries"}]}`)
	if err != nil {
		return nil, err
	}
	refs, err := eval.ReadReferences(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var texts []known
	for _, r := range refs {
		if !strings.HasPrefix(r.Set, c.Set) {
			continue
		}
		k, err := c.open(ctx, std, r, filepath.Join(filepath.Dir(path), filepath.FromSlash(r.File)))
		if err != nil {
			return nil, fmt.Errorf("%s names %s: %w", path, r.ID, err)
		}
		texts = append(texts, k)
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s has no set with the prefix %q", path, c.Set)
	}
	return texts, nil
}

func (c evalSegmentationCommand) open(ctx context.Context, std terminal.IO, r eval.Reference, path string) (known, error) {
	raw, err := terminal.ReadInput(std, path)
	if err != nil {
		return known{}, err
	}
	if err := r.Fits(string(raw)); err != nil {
		return known{}, fmt.Errorf("%s: %w", path, err)
	}
	doc, err := files.OpenDocument(ctx, std, path, c.Password)
	if err != nil {
		return known{}, err
	}
	return known{r, string(raw), pipeline.NewSession(doc)}, nil
}

// separated reads files with lines of "=" between segments. The name of a file's folder is
// its set.
func (c evalSegmentationCommand) separated(std terminal.IO) ([]known, error) {
	inputs, err := c.InputsOf(std, c.Files)
	if err != nil {
		return nil, err
	}
	var texts []known
	boundaries := 0
	var names []string
	for _, file := range inputs {
		if file.Err != nil {
			return nil, file.Err
		}
		name := file.Name
		names = append(names, name)
		b, err := terminal.ReadInput(std, name)
		if err != nil {
			return nil, err
		}
		if f := files.Formats.Recognise(name, b); len(f.Marks) > 0 || f.In != "" { // not a text file
			return nil, fmt.Errorf("%s: %s cannot hold lines of ========== between segments: save its text with seam text --document and add them", name, f.One)
		}
		t, _, err := files.Decoder(std)(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; it should be a text file", name, files.WithEncoding(err))
		}
		plain, ref := eval.Separated(t, c.Lines)
		if len(ref.Sentences) == 0 {
			return nil, fmt.Errorf("%s: no sentence found", name)
		}
		ref.ID, ref.Set, ref.File = name, filepath.ToSlash(filepath.Dir(name)), name
		boundaries += len(ref.Boundaries)
		doc := text.NewPlain(plain)
		doc.Name = name
		texts = append(texts, known{ref, plain, pipeline.NewSession(doc)})
	}
	if boundaries == 0 {
		return nil, fmt.Errorf("%s: no known boundary: put a line of ten or more = between segments", strings.Join(names, ", "))
	}
	return texts, nil
}

// predicted scores chunks made elsewhere.
func (c evalSegmentationCommand) predicted(std terminal.IO, texts []known) (judged, error) {
	const form = `{"id":[first byte of each chunk,…]}`
	j := judged{name: strings.TrimSuffix(filepath.Base(c.Predictions), filepath.Ext(c.Predictions))}
	b, err := readData(std, c.Predictions, form)
	if err != nil {
		return j, err
	}
	var starts map[string][]int
	if err := json.Unmarshal(b, &starts); err != nil {
		return j, fmt.Errorf("%s is not %s: %w", c.Predictions, form, err)
	}
	for _, k := range texts {
		its, ok := starts[k.ID]
		if !ok {
			return j, fmt.Errorf("%s has no chunks of %s: it should be %s with every document", c.Predictions, k.ID, form)
		}
		j.add(k, eval.Bounds(k.Sentences, its))
	}
	return j, nil
}

func (j *judged) add(k known, found []int) {
	j.scores = append(j.scores, eval.Segment(len(k.Sentences), k.Boundaries, found))
	j.found = append(j.found, found)
}

// segment cuts and scores all texts in all ways.
func (m measurement) segment(texts []known) ([]judged, error) {
	all := make([]judged, len(m.variants))
	for i, v := range m.variants {
		all[i].name = v.name
	}
	sessions := make([]*pipeline.Session, len(texts))
	for i, k := range texts {
		sessions[i] = k.session
	}
	if err := m.begin(sessions); err != nil {
		return nil, err
	}
	return all, m.cut(sessions, func(v, d int, r *pipeline.Result) error {
		starts := make([]int, len(r.Chunks))
		for i, c := range r.Chunks {
			starts[i] = c.Start
		}
		all[v].add(texts[d], eval.Bounds(texts[d].Sentences, starts))
		return verbatim(texts[d].ID, texts[d].raw, r)
	})
}

// withBaselines adds the trivial segmentations.
func withBaselines(all []judged, texts []known) ([]judged, error) {
	for _, name := range eval.Baselines {
		j := judged{name: name}
		for _, k := range texts {
			found, err := eval.Baseline(name, len(k.Sentences), len(k.Boundaries)+1, eval.Seed(k.ID))
			if err != nil {
				return nil, err
			}
			j.add(k, found)
		}
		all = append(all, j)
	}
	return all, nil
}

type documentScoreJSON struct {
	Method     string  `json:"method"`
	ID         string  `json:"id"`
	Set        string  `json:"set"`
	Segments   int     `json:"segments"`
	Found      int     `json:"found"`
	Pk         float64 `json:"pk"`
	WindowDiff float64 `json:"windowdiff"`
	F1         float64 `json:"f1"`
	F1Near     float64 `json:"f1_1"`
	Boundaries []int   `json:"boundaries"`
}

func perDocument(all []judged, texts []known) []documentScoreJSON {
	var out []documentScoreJSON
	for _, j := range all {
		for i, s := range j.scores {
			out = append(out, documentScoreJSON{j.name, texts[i].ID, texts[i].Set, s.Segments, s.Found, s.Pk, s.WindowDiff, s.F1, s.F1Near, append([]int{}, j.found[i]...)})
		}
	}
	return out
}

type segmentationRowJSON struct {
	Method string `json:"method"`
	eval.SegmentationRow
}

type segmentationDifferenceJSON struct {
	Method     string         `json:"method"`
	Against    string         `json:"against"`
	Documents  int            `json:"documents"`
	Pk         differenceJSON `json:"pk"`
	WindowDiff differenceJSON `json:"windowdiff"`
	F1         differenceJSON `json:"f1"`
	F1Near     differenceJSON `json:"f1_1"`
}

// segmentationFigures are the figures by which methods are compared.
var segmentationFigures = [4]func(eval.Segmentation) float64{
	func(s eval.Segmentation) float64 { return s.Pk },
	func(s eval.Segmentation) float64 { return s.WindowDiff },
	func(s eval.Segmentation) float64 { return s.F1 },
	func(s eval.Segmentation) float64 { return s.F1Near },
}

func (c evalSegmentationCommand) print(out *bufio.Writer, all []judged, texts []known) error {
	sets := make([]string, len(texts))
	for i, k := range texts {
		sets[i] = k.Set
	}
	tables := make([][]eval.SegmentationRow, len(all))
	for i, j := range all {
		tables[i] = eval.SummariseSets(j.scores, sets)
	}
	switch {
	case c.JSON:
		return printSegmentationJSON(out, all, tables)
	case c.CSV:
		var rows [][]string
		for i, j := range all {
			for _, r := range tables[i] {
				rows = append(rows, []string{j.name, r.Set, strconv.Itoa(r.Documents), exact(r.Segments), exact(r.Found), exact(r.Pk), exact(r.WindowDiff), exact(r.F1), exact(r.F1Near)})
			}
		}
		return printCSV(out, "method,set,documents,segments,found,pk,windowdiff,f1,f1_1", rows)
	}
	t := terminal.Table{{"set", "method", "docs", "segments", "found", "Pk", "WD", "F1", "F1±1"}}
	for set := range tables[0] {
		for i, j := range all {
			r := tables[i][set]
			t = append(t, []string{r.Set, j.name, strconv.Itoa(r.Documents), fixed(r.Segments, 1), fixed(r.Found, 1), fixed(r.Pk, 3), fixed(r.WindowDiff, 3), fixed(r.F1, 3), fixed(r.F1Near, 3)})
		}
		if len(all) > 1 {
			t = append(t, nil)
		}
	}
	t.Print(out)
	if len(all) < 2 {
		return nil
	}
	fmt.Fprintf(out, "Differences from %s (documents: %d), ± standard error:\n", all[0].name, len(texts))
	d := terminal.Table{{"", "method", "Pk", "WD", "F1", "F1±1"}}
	for _, j := range all[1:] {
		row := []string{"", j.name}
		for _, x := range comparedBy(j.scores, all[0].scores, segmentationFigures) {
			row = append(row, printDifference(x, 1, 3))
		}
		d = append(d, row)
	}
	d.Print(out)
	return nil
}

func printSegmentationJSON(out *bufio.Writer, all []judged, tables [][]eval.SegmentationRow) error {
	rows, differences := []segmentationRowJSON{}, []segmentationDifferenceJSON{}
	for i, j := range all {
		for _, r := range tables[i] {
			rows = append(rows, segmentationRowJSON{j.name, r})
		}
		if i > 0 {
			d := comparedBy(j.scores, all[0].scores, segmentationFigures)
			differences = append(differences, segmentationDifferenceJSON{j.name, all[0].name, d[0].N, differenceOf(d[0]), differenceOf(d[1]), differenceOf(d[2]), differenceOf(d[3])})
		}
	}
	return terminal.WriteJSON(out, struct {
		Rows        []segmentationRowJSON        `json:"rows"`
		Differences []segmentationDifferenceJSON `json:"differences"`
	}{rows, differences})
}
