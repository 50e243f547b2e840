// The functions that a Go program built with the tag `kernel` imports under that name. The
// kernel needs the program's memory, which exists only after the program is instantiated.
// So these functions forward to the kernel, which is made later. No view of the memory is
// held across a call, because Go may grow the memory at any time.

/** @param {() => WebAssembly.Memory} the program's memory, once it exists */
export function kernelFor(memory) {
  let k;
  /** Opens the kernel, which then does the work. Returns 0 if this browser cannot run it. */
  const open = (bytes) => {
    if (!WebAssembly.validate(bytes)) return 0;
    k = new WebAssembly.Instance(new WebAssembly.Module(bytes), { go: { mem: memory() } }).exports;
    return 1;
  };
  const imports = {
    start: (at, size) => open(new Uint8Array(memory().buffer, at, size)),
    ready: () => (k ? 1 : 0),
    /** Returns the size of Go's memory in pages of 64 kB. */
    pages: () => memory().buffer.byteLength / 65536,
    // Written out, so that each is a call of one known function.
    scores: (a, b, c, d, e) => k.scores(a, b, c, d, e),
    cosines: (a, b, c, d, e, f) => k.cosines(a, b, c, d, e, f),
    dotlanes: (a, b, c, d) => k.dotlanes(a, b, c, d),
    dot4lanes: (a, b, c, d, e, f, g) => k.dot4lanes(a, b, c, d, e, f, g),
    addrows: (a, b, c, d) => k.addrows(a, b, c, d),
    adjacent: (a, b, c, d) => k.adjacent(a, b, c, d),
    normalise: (a, b, c) => k.normalise(a, b, c),
    quantise: (a, b, c, d, e, f) => k.quantise(a, b, c, d, e, f),
    scores8: (a, b, c, d, e, f, g) => k.scores8(a, b, c, d, e, f, g),
    best: (a, b, c, d, e, f) => k.best(a, b, c, d, e, f),
    add: (a, b, c, d) => k.add(a, b, c, d),
    codes16: (a, b, c, d, e, f) => k.codes16(a, b, c, d, e, f),
    product8: (a, b, c, d, e, f, g, h, i, j) => k.product8(a, b, c, d, e, f, g, h, i, j),
    product: (a, b, c, d, e, f, g, h, i) => k.product(a, b, c, d, e, f, g, h, i),
    layernorm: (a, b, c, d, e, f) => k.layernorm(a, b, c, d, e, f),
    softmax: (a, b) => k.softmax(a, b),
    gelu: (a, b) => k.gelu(a, b),
  };
  return { open, imports };
}
