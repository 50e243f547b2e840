export function kernelFor(memory: () => WebAssembly.Memory): {
  open(bytes: BufferSource): number;
  imports: WebAssembly.ModuleImports;
};
