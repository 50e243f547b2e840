package addone

// message asks the engine for the number of words in a document.
var message = kind{
	name: "message", readme: "shared/README.md", word: "count", most: 3,
	edits: []edit{
		{"shared/engine/documents.go", "\t\t{\"close\", handle(e.close)},\n", "\t\t{\"count\", handle(e.count)},\n"},
		{"shared/engine/documents.go", "type textParams struct {", `type countParams struct {
	Doc int ` + "`json:\"doc\"`" + `
}

type countReply struct {
	Words int ` + "`json:\"words\"`" + `
}

func (e *Engine) count(_ context.Context, _ *rpc.Call, p *countParams) (*countReply, error) {
	d, err := e.document(p.Doc)
	if err != nil {
		return nil, err
	}
	return &countReply{len(strings.Fields(d.Document.View(text.Reading).Text))}, nil
}

`},
		{"web/lib/api.ts", "  text: { params: { doc: number; view: View }; result: ViewPages };\n", "  count: { params: { doc: number }; result: { words: number } };\n"},
	},
	packages: []string{"./shared/engine", "./shared/arch"},
	tests:    []string{"TestMessages", "TestSentences", "TestRooms", "TestFilesReferForward"},
	unit:     []string{"messages"},
}
