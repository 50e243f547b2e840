// Runs a Go program with the kernel, like go_js_wasm_exec: GOOS=js GOARCH=wasm
// go test -tags kernel -exec 'node …/exec.mjs'. With SEAM_KERNEL=off it runs like a
// browser that cannot run the kernel.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { kernelFor } from './imports.js';

const goroot = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (bytes, imports) => {
  let program;
  const kernel = kernelFor(() => program.instance.exports.mem);
  program = await instantiate(bytes, { ...imports, kernel: kernel.imports });
  const file = new URL('kernel.wasm', import.meta.url);
  if (process.env.SEAM_KERNEL !== 'off' && !kernel.open(readFileSync(file))) throw new Error('this Node cannot run the kernel');
  return program;
};
createRequire(import.meta.url)(join(goroot, 'lib', 'wasm', 'wasm_exec_node.js'));
