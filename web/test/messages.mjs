// Writes the messages that the Go tests are held to (../shared/engine/rpc/testdata)
// as TypeScript constants of the types in lib/api.ts, for tsc to check: a field
// that one side knows and the other does not is an error.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = resolve(fileURLToPath(import.meta.url), '../..');
const fixtures = join(web, '../shared/engine/rpc/testdata');
const lines = ["import type { EngineMethods, ErrorCode, PdfMethods, Progress } from '../lib/api.ts';", ''];

for (const file of readdirSync(fixtures).sort()) {
  const { worker, request, event, answer } = JSON.parse(readFileSync(join(fixtures, file), 'utf8'));
  const name = basename(file, '.json').replaceAll('-', '_');
  const methods = worker === 'pdf' ? 'PdfMethods' : 'EngineMethods';
  const constant = (part, type, value) => lines.push(`export const ${name}_${part}: ${type} = ${JSON.stringify(value)};`);
  if (answer?.result) {
    constant('params', `${methods}['${request.method}']['params']`, request.params);
    constant('result', `${methods}['${request.method}']['result']`, answer.result);
  }
  if (answer?.error) constant('error', '{ code: ErrorCode; message: string; hint?: string }', answer.error);
  if (event?.event === 'progress') constant('progress', 'Progress', event.data);
}

mkdirSync(join(web, '.cache'), { recursive: true });
writeFileSync(join(web, '.cache', 'messages.ts'), `${lines.join('\n')}\n`);
