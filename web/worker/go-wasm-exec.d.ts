/** $(go env GOROOT)/lib/wasm/wasm_exec.js, put in by the build; it defines the global `Go`. */
declare module 'go-wasm-exec';
