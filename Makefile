# Seam. `make` or `make help` lists the targets.

SHELL       := /bin/bash
GO          ?= go
VERSION     := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS     := -s -w -X main.version=$(VERSION)
STATICCHECK := v0.8.2
ADDR        ?= 127.0.0.1:8787

# The folder where make test-scale installs programs. It must be readable by a user other
# than root.
ENGINES ?= /var/tmp/seam-engines
SCALE   ?= 10000

# The same flags everywhere, so that checks and programs share compiled packages.
export GOFLAGS := $(GOFLAGS) -trimpath

# The race detector needs a C compiler; without one the tests run without it. It covers the
# packages that start goroutines. The tests of the process are excluded, because they run a
# program compiled without it. They start first, because they take longest. The tests of
# webpage run after the page is built, with those of the browser.
RACE  := $(shell command -v gcc >/dev/null 2>&1 && echo -race)
RACED  = $(filter-out ./proxy/process ./proxy/bench ./proxy/recipes,$(addprefix ./,$(shell grep -rlE --include=*.go 'go func|[.]Go.func|^\s+go [a-z]' shared proxy | xargs -n1 dirname | sort -u)))
OTHERS = seam/proxy/process $(filter-out seam/proxy/process seam/proxy/webpage $(RACED:./%=seam/%),$(shell $(GO) list ./shared/... ./proxy/... ./web/... ./wasm/kernel))

# Every package of the engine also passes its tests in a browser's Go (make test-long). Node
# replaces the browser, with a small environment, because a large one does not fit into the
# memory where Go's js port puts it.
PURE     = $(shell $(GO) list ./shared/... | grep -v /arch)
WASM_RUN = env -i HOME=$(HOME) PATH=$(PATH) SEAM_DATA=$(SEAM_DATA) $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec

# The page's engine has a kernel in WebAssembly. Packages that use it also pass their tests
# with it, and its results are the same to the byte.
KERNEL     = ./shared/vector ./shared/embed/static ./shared/embed/builtin ./shared/embed/encoder ./shared/pipeline
KERNEL_RUN = env -i HOME=$(HOME) PATH=$(PATH) SEAM_DATA=$(SEAM_DATA) node --stack-size=8192 $(CURDIR)/wasm/kernel/exec.mjs

# The files of browser tests that do more in make test-long.
LONG_BROWSER = $(addprefix test/browser/,kills.test.mjs tabs.test.mjs leaks.test.mjs)

export SEAM_DATA ?= $(abspath ../shared/data)

.DEFAULT_GOAL := help
.PHONY: help run build test test-long bench bench-web shots fmt lint clean docs test-scale test-scale-chunk test-scale-search test-go test-wasm test-web web widget binary kernel words

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

run: ## Build what is needed, serve the page, print its address
	@GO="$(GO)" web/quick.sh "$(LDFLAGS)"
	bin/seam serve --dir web/.cache/page --addr $(ADDR)

build: web binary ## Build the page and the programs bin/seam and bin/seam-proxy for a release, print the page's sizes

web: web/node_modules/.made
	$(GO) run ./web/build --embed web/embedded

widget: ## Write what seam takes in beside the page: the widget of docs sites, and token ranks
	$(GO) run ./web/build --widget

docs: binary web/docs/node_modules/.made ## Build Seam's documentation, for the path BASE on its host, and print its folder
	cd web/docs && SEAM="$(CURDIR)/bin/seam" BASE="$(BASE)" npm run --silent build
	@echo "$(CURDIR)/web/docs/dist"

web/docs/node_modules/.made: web/docs/package-lock.json
	cd web/docs && npm ci --no-fund --no-audit
	touch $@

# Without cgo the program is static. grpcnotrace leaves out a page for the traces of gRPC, which nothing shows.
binary: widget
	CGO_ENABLED=0 $(GO) build -trimpath -tags grpcnotrace -ldflags '$(LDFLAGS)' -o bin/seam ./proxy
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/seam-proxy ./proxy/seam-proxy

test: lint test-go test-wasm test-web ## Run everything: checks, Go natively and as WebAssembly, the page in Chromium, and in Firefox and WebKit where they are installed

test-go: widget
	@proxy/remote/enginetest/install.sh postgres || echo "PostgreSQL with pgvector cannot be installed here: the tests with it are left out"
	REDIS_SERVER="$$(proxy/limit/redistest/find-redis.sh)" $(GO) test -timeout 30m $(OTHERS)
	REDIS_SERVER="$$(proxy/limit/redistest/find-redis.sh)" $(GO) test -timeout 30m $(RACE) $(RACED)

test-wasm: ## The goldens and all that the page computes, with its kernel, in a browser's Go
	GOOS=js GOARCH=wasm $(GO) test -tags kernel -exec '$(KERNEL_RUN)' $(KERNEL)

test-web: build web/node_modules/.made web/docs/node_modules/.made
	$(GO) test ./proxy/webpage
	cd web && test/find-chromium.sh --whole && CHROMIUM="$$(test/find-chromium.sh)" && export CHROMIUM && SEAM="$(CURDIR)/bin/seam" npm test

web/node_modules/.made: web/package-lock.json
	cd web && npm ci --no-fund --no-audit
	touch $@

test-long: build web/node_modules/.made web/docs/node_modules/.made ## Run what takes long: every fuzz target for a while, the proxy under load, programs and browsers that are killed, real docs sites, the page in Firefox and WebKit, the engine on arm64
	./shared/fuzz.sh 30s
	GOOS=js GOARCH=wasm $(GO) vet ./shared/... ./wasm/...
	GOOS=js GOARCH=wasm $(GO) test -exec '$(WASM_RUN)' $(PURE)
	SEAM_LONG=1 $(GO) test -count=1 -v -run 'Soak|Hostile' ./proxy/seam-proxy
	SEAM_LONG=1 $(GO) test -count=1 -v -run 'Killed|RealLocal|SlowStart' ./proxy/process
	cd web && test/find-chromium.sh --whole && CHROMIUM="$$(test/find-chromium.sh)" && export CHROMIUM && SEAM="$(CURDIR)/bin/seam" SEAM_LONG=1 node --test --test-concurrency=1 $(LONG_BROWSER) test/long/*.test.mjs
	cd web && CHROMIUM="$$(test/find-chromium.sh)" && export CHROMIUM && SEAM="$(CURDIR)/bin/seam" node --test --test-concurrency=1 test/sites/*.test.mjs
	cd web && test/find-firefox.sh --install && test/find-webkit.sh --install && SEAM="$(CURDIR)/bin/seam" SEAM_LONG=1 npm run test:browsers
	@command -v qemu-aarch64 >/dev/null || echo "skipping arm64: qemu-aarch64 is not installed (package qemu-user)"
	! command -v qemu-aarch64 >/dev/null || GOARCH=arm64 CGO_ENABLED=0 $(GO) test -exec qemu-aarch64 $(PURE)

test-scale: test-scale-chunk test-scale-search ## Run with the engines of many machines, which are installed: chunks with Spark and Ray, collections in Weaviate, OpenSearch and PostgreSQL; executors and nodes are killed

test-scale-chunk: $(ENGINES)/chunk/.made
	SEAM_ENGINES=$(ENGINES) SEAM_SCALE=1 $(GO) test -count=1 -v ./proxy/recipes

$(ENGINES)/chunk/.made: proxy/recipes/requirements.txt
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet -r $<
	touch $@

test-scale-search: ## The second half of it; SCALE="10000 100000" chunks are pushed and searched
	proxy/remote/enginetest/install.sh
	SEAM_ENGINES=$(ENGINES) SEAM_CLUSTERS=1 SEAM_SCALE="$(SCALE)" $(GO) test -count=1 -v -timeout 80m -p 1 ./proxy/remote/...
	SEAM_ENGINES=$(ENGINES) SEAM_CLUSTERS=1 $(GO) test -count=1 -v -timeout 20m -run 'TestPush(Weaviate|OpenSearch)' ./proxy/process

words: ## Print phrases and sentences of the prose that are hard to read, with their places
	@$(GO) run ./web/words/list -places

bench: binary ## Measure speed, as ratios to a named peer in one interleaved run
	$(GO) run ./proxy/bench

kernel: ## Compile wasm/kernel/kernel.wat, which needs wat2wasm (package wabt)
	wat2wasm wasm/kernel/kernel.wat -o wasm/kernel/kernel.wasm
	wat2wasm web/bench/read.wat -o web/bench/read.wasm

bench-web: build web/node_modules/.made web/bench/node_modules/.made ## Measure the vector work in Chromium, against JavaScript and npm packages
	cd web && CHROMIUM="$$(test/find-chromium.sh)" && export CHROMIUM && node bench/bench.mjs

shots: build web/node_modules/.made ## Take pictures of the states of the page, light, dark and in forced colours, 360 to 2200 px: web/test/.work/shots
	cd web && CHROMIUM="$$(test/find-chromium.sh)" && export CHROMIUM && SEAM="$(CURDIR)/bin/seam" node test/shots.mjs

web/bench/node_modules/.made: web/bench/package-lock.json
	cd web/bench && npm ci --no-fund --no-audit
	touch $@

fmt: ## Format the Go code
	gofmt -w shared proxy wasm web/*.go web/build web/test

lint: bin/staticcheck ## Check format, vet and staticcheck, natively and for js
	@test -z "$$(gofmt -l shared proxy wasm web/*.go web/build web/test)" || { gofmt -l shared proxy wasm web/*.go web/build web/test; echo "run make fmt"; exit 1; }
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet -tags kernel ./shared/... ./wasm/...
	bin/staticcheck ./...
	GOOS=js GOARCH=wasm bin/staticcheck -tags kernel ./shared/... ./wasm/...

bin/staticcheck: Makefile
	GOBIN="$(CURDIR)/bin" $(GO) install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK)
	@touch $@

clean: ## Remove everything that was built or installed here
	rm -rf bin web/.cache web/node_modules web/bench/node_modules web/docs/node_modules web/docs/dist web/test/.work
	rm -rf web/dist
	find web/embedded web/widget/dist proxy/ranks/packed -mindepth 1 ! -name .gitkeep -delete
