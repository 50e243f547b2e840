/** $(go env GOROOT)/lib/wasm/wasm_exec.js, inserted by the build. It defines the global `Go`. */
declare module 'go-wasm-exec';
