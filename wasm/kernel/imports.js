// What a Go program that was built with the tag `kernel` imports under that name. Its
// memory is there only when it has been instantiated, the kernel needs that memory, and
// so the functions lead to what comes later. Nothing here holds a view of the memory
// across a call: Go may let it grow at any time.

/** @param {() => WebAssembly.Memory} memory of the program, once it is there */
export function kernelFor(memory) {
  let k;
  /** Whether this browser can run the kernel; from then on it does the work. */
  const open = (bytes) => {
    if (!WebAssembly.validate(bytes)) return 0;
    k = new WebAssembly.Instance(new WebAssembly.Module(bytes), { go: { mem: memory() } }).exports;
    return 1;
  };
  const imports = {
    start: (at, size) => open(new Uint8Array(memory().buffer, at, size)),
    ready: () => (k ? 1 : 0),
    /** How large Go's memory is, in pages of 64 kB. */
    pages: () => memory().buffer.byteLength / 65536,
    // Written out, as each then is a call of one known function.
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
