// Runs `seam`. The pages show its help and results unchanged.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const program = process.env.SEAM ?? `${root}bin/seam`;

/** Returns the output of `seam`, run in the folder of the sample text without a cache. */
export function seam(...args) {
  const env = { ...process.env, SEAM_CACHE: 'off' };
  delete env.COLUMNS; // help has the same width everywhere
  return execFileSync(program, args, { cwd: `${root}web/sample`, env, encoding: 'utf8', maxBuffer: 1 << 26 });
}
