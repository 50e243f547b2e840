package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"

	"seam/shared/read"
)

// webManifest is the manifest of the installable page. All addresses are relative to it, so
// that it works below any path. There is no id, because a relative one is resolved against
// the root of the host; without it, the start address is the id.
type webManifest struct {
	Name            string        `json:"name"`
	ShortName       string        `json:"short_name"`
	Description     string        `json:"description"`
	Lang            string        `json:"lang"`
	StartURL        string        `json:"start_url"`
	Scope           string        `json:"scope"`
	Display         string        `json:"display"`
	BackgroundColor string        `json:"background_color"`
	ThemeColor      string        `json:"theme_color"`
	Categories      []string      `json:"categories"`
	Icons           []webIcon     `json:"icons"`
	LaunchHandler   launchHandler `json:"launch_handler"`
	FileHandlers    []fileHandler `json:"file_handlers"`
	ShareTarget     shareTarget   `json:"share_target"`
	Shortcuts       []shortcut    `json:"shortcuts"`
}

type webIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

type launchHandler struct {
	ClientMode string `json:"client_mode"`
}

type fileHandler struct {
	Action string              `json:"action"`
	Accept map[string][]string `json:"accept"`
}

// shareTarget is handled by the service worker: web/sw/sw.ts.
type shareTarget struct {
	Action  string `json:"action"`
	Method  string `json:"method"`
	Enctype string `json:"enctype"`
	Params  struct {
		Title string      `json:"title"`
		Text  string      `json:"text"`
		URL   string      `json:"url"`
		Files []sharePart `json:"files"`
	} `json:"params"`
}

type sharePart struct {
	Name   string   `json:"name"`
	Accept []string `json:"accept"`
}

// shortcut opens the page with a query handled by web/app/visits/launches.ts.
type shortcut struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Colours of the light page, as in styles/tokens.css; index.html has the dark ones.
const background = "#fbfaf8"

// installFiles returns the manifest and the icons. icon and manifest are the file names of
// the tab icon and the manifest.
func installFiles(web string) (files []file, icon, manifest string, err error) {
	svg, err := os.ReadFile(filepath.Join(web, "app", "icon.svg"))
	if err != nil {
		return nil, "", "", err
	}
	vector := hashed("icon.svg", other, svg)
	files = []file{vector}
	icons := []webIcon{{vector.name, "any", "image/svg+xml", ""}}
	for _, each := range []struct {
		name, purpose string
		size          int
	}{{"icon-192.png", "", 192}, {"icon-512.png", "", 512}, {"icon-maskable.png", "maskable", 512}} {
		body, err := drawIcon(svg, each.size, each.purpose == "maskable")
		if err != nil {
			return nil, "", "", fmt.Errorf("icon.svg: %w", err)
		}
		f := hashed(each.name, apart, body)
		files = append(files, f)
		icons = append(icons, webIcon{f.name, fmt.Sprintf("%dx%d", each.size, each.size), "image/png", each.purpose})
	}
	body, err := json.Marshal(manifestOf(icons))
	if err != nil {
		return nil, "", "", err
	}
	m := hashed("seam.webmanifest", other, body)
	return append(files, m), vector.name, m.name, nil
}

func manifestOf(icons []webIcon) webManifest {
	m := webManifest{
		Name: "Seam", ShortName: "Seam", Lang: "en",
		Description: "Cuts documents into chunks by meaning, in the browser itself.",
		StartURL:    "./", Scope: "./", Display: "standalone",
		BackgroundColor: background, ThemeColor: background,
		Categories:    []string{"productivity", "utilities"},
		Icons:         icons,
		LaunchHandler: launchHandler{"focus-existing"},
		Shortcuts:     []shortcut{{"Open files", "./?open"}, {"Try the sample", "./?sample"}},
	}
	accept := map[string][]string{}
	var all []string
	for _, f := range read.All() {
		if f.Room == "" {
			continue
		}
		media := f.MediaTypes[0]
		for _, extension := range f.Extensions {
			accept[media] = append(accept[media], "."+extension)
		}
		all = append(append(all, media), accept[media]...)
	}
	m.FileHandlers = []fileHandler{{"./", accept}}
	m.ShareTarget.Action, m.ShareTarget.Method, m.ShareTarget.Enctype = "./share", "POST", "multipart/form-data"
	m.ShareTarget.Params.Title, m.ShareTarget.Params.Text, m.ShareTarget.Params.URL = "title", "text", "url"
	m.ShareTarget.Params.Files = []sharePart{{"files", all}}
	return m
}

// rect is an element of icon.svg.
type rect struct {
	X      float64 `xml:"x,attr"`
	Y      float64 `xml:"y,attr"`
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
	Radius float64 `xml:"rx,attr"`
	Fill   string  `xml:"fill,attr"`
}

// drawIcon draws an SVG of rectangles as a PNG; the first rectangle is the background. In a
// maskable icon, the background reaches the edges, because the system cuts it to its own
// shape. The rest is inside the circle that every shape shows.
func drawIcon(svg []byte, size int, maskable bool) ([]byte, error) {
	var drawing struct {
		ViewBox string `xml:"viewBox,attr"`
		Rects   []rect `xml:"rect"`
	}
	if err := xml.Unmarshal(svg, &drawing); err != nil {
		return nil, err
	}
	var left, top, width, height float64
	if _, err := fmt.Sscan(drawing.ViewBox, &left, &top, &width, &height); err != nil || left != 0 || top != 0 || width != height || len(drawing.Rects) < 2 {
		return nil, fmt.Errorf("a square of rectangles from 0 0 on is drawn, not %q with %d", drawing.ViewBox, len(drawing.Rects))
	}
	if strings.Count(string(svg), "<") != len(drawing.Rects)+2 {
		return nil, errors.New("it has more than rectangles")
	}
	if maskable {
		drawing.Rects[0].Radius = 0
	}
	out := image.NewNRGBA(image.Rect(0, 0, size, size))
	for _, r := range drawing.Rects {
		var c color.NRGBA
		if _, err := fmt.Sscanf(r.Fill, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
			return nil, fmt.Errorf("the colour %q: %w", r.Fill, err)
		}
		r.draw(out, c, float64(size)/width)
	}
	var b bytes.Buffer
	err := png.Encode(&b, out)
	return b.Bytes(), err
}

// draw fills r, scaled to pixels, with smooth edges.
func (r rect) draw(out *image.NRGBA, c color.NRGBA, scale float64) {
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			over := r.covers((float64(x)+0.5)/scale, (float64(y)+0.5)/scale, scale)
			if over == 0 {
				continue
			}
			under := out.NRGBAAt(x, y)
			alpha := over + float64(under.A)/255*(1-over)
			mix := func(a, b uint8) uint8 {
				return uint8(math.Round((float64(a)*over + float64(b)*float64(under.A)/255*(1-over)) / alpha))
			}
			out.SetNRGBA(x, y, color.NRGBA{mix(c.R, under.R), mix(c.G, under.G), mix(c.B, under.B), uint8(math.Round(alpha * 255))})
		}
	}
}

// covers returns how much of the pixel around x, y is inside r, from 0 to 1. It uses the
// distance to the edge, which is exact on straight edges.
func (r rect) covers(x, y, scale float64) float64 {
	dx := math.Abs(x-r.X-r.Width/2) - r.Width/2 + r.Radius
	dy := math.Abs(y-r.Y-r.Height/2) - r.Height/2 + r.Radius
	outside := math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - r.Radius
	return min(max(0.5-outside*scale, 0), 1)
}
