module seam

go 1.26

require (
	github.com/alecthomas/kong v1.17.0
	github.com/andybalholm/brotli v1.2.8
	github.com/clipperhouse/uax29/v2 v2.7.0
	github.com/evanw/esbuild v0.28.2
	github.com/pdfcpu/pdfcpu v0.15.0
)

require (
	github.com/hhrutter/tiff v1.0.6 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/image v0.44.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.40.0 // indirect
)
