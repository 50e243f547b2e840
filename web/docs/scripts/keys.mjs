// Lists the keys of the proxy's configuration from the fields and comments in
// proxy/config/config.go.

import { readFileSync } from 'node:fs';
import { root } from './seam.mjs';

const kinds = {
  string: 'text', bool: 'true or false', int: 'number', int64: 'number', '*float64': 'number', float64: 'number', Bytes: 'size, as 64MB',
  'time.Duration': 'time, as 30s', '[]string': 'list', 'map[string]string': 'names and values', 'protocol.Prompts': 'client or server', 'protocol.Kind': 'embed or chat',
};

/**
 * Returns every group of keys: its name, its description, and its keys with kind, default
 * and meaning.
 */
function groups() {
  const source = readFileSync(`${root}proxy/config/config.go`, 'utf8');
  const structs = new Map([...source.matchAll(/((?:^\/\/.*\n)+)type (\w+) struct \{\n([\s\S]*?)^\}/gm)].map(([, comment, name, body]) => [name, { comment, fields: fieldsOf(body) }]));
  const defaults = defaultsOf(source);
  const found = [];
  const add = (path, fieldPath, name, list, told) => {
    const { comment, fields } = structs.get(name);
    const group = { path, list, about: path && (told || sentenceOf(comment, name)), keys: [] };
    found.push(group);
    for (const { field, kind, key, meaning } of fields) {
      const element = kind.replace(/^(\[\]|map\[string\])/, '');
      const at = path ? `${path}.${key}` : key;
      const own = [...fieldPath, field];
      if (structs.has(element)) add(at, own, element, kind !== element && (kind[0] === '[' ? 'list' : 'by name'), meaning);
      else group.keys.push({ key: at, kind: kinds[kind] ?? kind, meaning, standard: defaults[own.join('.')] ?? '' });
    }
  };
  add('', [], 'Config', false, '');
  return found;
}

const fieldsOf = (body) => [...body.matchAll(/^\t(\w+) +(\S+) +`key:"(\w+)"`(?: *\/\/ ?(.*))?$/gm)]
  .map(([, field, kind, key, meaning = '']) => ({ field, kind, key, meaning }));

const sentenceOf = (comment, name) => comment.replace(/^\/\/ ?/gm, '').replace(/\s+/g, ' ').trim().replace(new RegExp(`^${name} (is|names|says|bound|keeps|are) `), (_, verb) => `${verb} `);

/** Parses Default into a value for each path of fields. */
function defaultsOf(source) {
  const body = /^func Default\(\) Config \{\n\treturn Config\{\n([\s\S]*?)^\t\}/m.exec(source)[1];
  const out = {};
  const path = [];
  for (const [token, name, opens, plain] of body.matchAll(/(\w+): *(?:(\w+\{)|([^,{}\n]+))|\}/g)) {
    if (token === '}') path.pop();
    else if (opens) path.push(name);
    else out[[...path, name].join('.')] = value(plain);
  }
  return out;
}

/** Converts a Go expression to a value of the configuration. */
function value(expression) {
  const e = expression.trim();
  if (/^"/.test(e)) return JSON.parse(e);
  const [, n, by] = /^(\d+) << (\d+)$/.exec(e) ?? [];
  if (n) return String(Number(n) * 2 ** Number(by));
  if (/time\./.test(e)) return e.replace('30 * 24 * time.Hour', '720h').replace(/^time\.Hour$/, '1h').replace(/^(\d+) \* time\.Second$/, '$1s');
  return Number(e.replaceAll('_', ''));
}

/**
 * Returns the page of the keys in Markdown, with a heading for each so that a search can
 * lead to it.
 */
export function pageOfKeys() {
  const parts = groups().flatMap(({ path, list, about, keys }) => {
    const kind = { list: ' A list; each entry has these keys.', 'by name': ' Entries by their names; each has these keys.' }[list] ?? '';
    return [path ? `## ${path} {#${anchor(path)}}` : '## At the top {#top-level}', sentence(about) + kind, ...keys.map(keyed)];
  });
  return ['# Every key', 'The keys of the configuration of `seam-proxy` and `seam serve`, as `proxy/config/config.go` has them.', ...parts.filter(Boolean)].join('\n\n');
}

const anchor = (path) => path.replaceAll('.', '-');

function keyed({ key, kind, standard, meaning }) {
  const parts = [`${kind[0].toUpperCase()}${kind.slice(1)}${standard && `, by default \`${standard}\``}.`, sentence(meaning)];
  return `### \`${key}\` {#${anchor(key)}-key}\n\n${parts.filter(Boolean).join(' ')}`;
}

const escaped = (text) => text.replace(/[<>{}*_|]/g, (c) => `&#${c.charCodeAt(0)};`);

function sentence(text) {
  const about = escaped(text.replace(/^(is|says|names) /, ''));
  return about && `${about[0].toUpperCase()}${about.slice(1)}${/[.]$/.test(about) ? '' : '.'}`;
}
