import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const lists = ['body', 'ignore', 'include', 'exclude', 'folders'];
const others = ['out', 'program', 'attributes'];

/** Returns the arguments of `seam index` for a site built into `dir`. */
export function argumentsOf(dir, options) {
  const unknown = Object.keys(options).find((name) => !lists.includes(name) && !others.includes(name) && name !== 'id'); // set by Docusaurus
  if (unknown) throw new Error(`docusaurus-seam: there is no option ${unknown}: choose of ${[...others, ...lists].join(', ')}`);
  const flags = lists.flatMap((name) => [options[name] ?? []].flat().map((value) => `--${name}=${value}`));
  return ['index', '--site', dir, '--out', join(dir, options.out ?? 'seam'), ...flags];
}

/** Runs `seam index` on a site built into `dir`. */
export function runIndex(dir, options) {
  const program = options.program ?? process.env.SEAM ?? 'seam';
  const { error, status } = spawnSync(program, argumentsOf(dir, options), { stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    throw new Error(`docusaurus-seam: there is no program ${program}: put seam into the PATH, or name it by the option program or the variable SEAM`);
  }
  if (error) throw new Error(`docusaurus-seam: ${program} could not be run`, { cause: error });
  if (status !== 0) throw new Error(`docusaurus-seam: ${program} index failed, see above`);
}
