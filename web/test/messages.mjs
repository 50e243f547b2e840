// Writes the messages that the Go tests are held to (../shared/engine/rpc/testdata,
// ../shared/protocol/testdata) as TypeScript constants of the types in lib/api.ts
// and lib/protocol.ts, for tsc to check: a field that one side knows and the
// other does not is an error.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = resolve(fileURLToPath(import.meta.url), '../..');
const shared = join(web, '../shared');

const fixtures = (folder) => readdirSync(join(shared, folder)).sort()
  .map((file) => [basename(file, '.json').replaceAll('-', '_'), JSON.parse(readFileSync(join(shared, folder, file), 'utf8'))]);

function workers(constant) {
  for (const [name, { worker, request, event, answer }] of fixtures('engine/rpc/testdata')) {
    const methods = worker === 'pdf' ? 'PdfMethods' : 'EngineMethods';
    if (answer?.result) {
      constant(`${name}_params`, `${methods}['${request.method}']['params']`, request.params);
      constant(`${name}_result`, `${methods}['${request.method}']['result']`, answer.result);
    }
    if (answer?.error) constant(`${name}_error`, '{ code: ErrorCode; message: string; hint?: string }', answer.error);
    if (event?.event === 'progress') constant(`${name}_progress`, 'Progress', event.data);
    else if (event?.event && request) constant(`${name}_event`, `${methods}['${request.method}']['events']['${event.event}']`, event.data);
  }
}

/** What is inside a message, by type of message and field. */
const inside = {
  'ack.limits': 'Limits', 'ack.models': 'Model', 'chat.messages': 'ChatMessage', 'chat.params': 'Params', 'hits.hits': 'Passage', 'end.usage': 'Usage',
};

function protocol(constant) {
  const keys = {};
  const see = (type, value) => {
    keys[type] ??= {};
    for (const key of Object.keys(value)) keys[type][key] = true;
  };
  for (const [name, message] of fixtures('protocol/testdata/messages')) {
    constant(`protocol_${name}`, `Messages['${message.type}']`, message);
    see(`Messages['${message.type}']`, message);
    for (const [field, value] of Object.entries(message)) {
      const type = inside[`${message.type}.${field}`];
      for (const each of type ? [value].flat() : []) see(type, each);
    }
  }
  // The other way round: the fixtures have every field, so that these types have no more.
  Object.entries(keys).forEach(([type, all], i) => constant(`protocol_keys_${i}`, `Record<KeysOf<${type}>, true>`, all));
  const codes = readFileSync(join(shared, 'protocol/protocol.go'), 'utf8').matchAll(/^\t\w+\s+Code = "(\w+)"/gm);
  constant('protocol_codes', 'Record<Code, true>', Object.fromEntries([...codes].map(([, code]) => [code, true])));
}

/** The constants as a module; `change` may do something to a value, to see that tsc objects. */
export function constants(change = (_name, value) => value) {
  const lines = [
    "import type { EngineMethods, ErrorCode, PdfMethods, Progress } from '../lib/api.ts';",
    "import type { ChatMessage, Code, Limits, Messages, Model, Params, Passage, Usage } from '../lib/protocol.ts';",
    'type KeysOf<T> = T extends unknown ? keyof T : never;',
    '',
  ];
  const constant = (name, type, value) => lines.push(`export const ${name}: ${type} = ${JSON.stringify(change(name, value))};`);
  workers(constant);
  protocol(constant);
  return `${lines.join('\n')}\n`;
}

/** Where tsc looks for them: see tsconfig.json. */
export const place = join(web, '.cache', 'messages.ts');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(web, '.cache'), { recursive: true });
  writeFileSync(place, constants());
}
