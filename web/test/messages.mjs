// Writes the messages of the Go tests (../shared/engine/rpc/testdata) as TypeScript
// constants with the types of lib/api.ts. tsc then rejects a field that only one side has.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = resolve(fileURLToPath(import.meta.url), '../..');
const folder = join(web, '../shared/engine/rpc/testdata');

/** Returns the constants as a module. `change` may modify a value, to test that tsc rejects it. */
export function constants(change = (_name, value) => value) {
  const lines = ["import type { EngineMethods, ErrorCode, PdfMethods, Progress } from '../lib/api.ts';", ''];
  const constant = (name, type, value) => lines.push(`export const ${name}: ${type} = ${JSON.stringify(change(name, value))};`);
  for (const file of readdirSync(folder).sort()) {
    const name = basename(file, '.json').replaceAll('-', '_');
    const { worker, request, event, answer } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const methods = worker === 'pdf' ? 'PdfMethods' : 'EngineMethods';
    if (answer?.result) {
      constant(`${name}_params`, `${methods}['${request.method}']['params']`, request.params);
      constant(`${name}_result`, `${methods}['${request.method}']['result']`, answer.result);
    }
    if (answer?.error) constant(`${name}_error`, '{ code: ErrorCode; message: string; hint?: string }', answer.error);
    if (event?.event === 'progress') constant(`${name}_progress`, 'Progress', event.data);
    else if (event?.event && request) constant(`${name}_event`, `${methods}['${request.method}']['events']['${event.event}']`, event.data);
  }
  return `${lines.join('\n')}\n`;
}

/** The file that tsc checks: see tsconfig.json. */
export const place = join(web, '.cache', 'messages.ts');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(web, '.cache'), { recursive: true });
  writeFileSync(place, constants());
}
