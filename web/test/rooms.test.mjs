// The page's files must follow the rules of rooms.mjs. Type imports count too.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { circlesOf, graphOf, importsOf, readTree } from './imports.mjs';
import { BUNDLES, circlesOfRooms, EXCEPTIONS, ROOMS, ROOT, taken, unpaired, upward } from './rooms.mjs';

const web = dirname(dirname(fileURLToPath(import.meta.url)));

const tree = readTree(web, ['app', 'lib', 'widget', 'worker', 'sw']);
const graph = graphOf(tree, web);

test('no circle of files', () => {
  assert.ok(tree.size > 200);
  assert.deepEqual(circlesOf(graph), []);
});

test('each package that a test imports is installed with it', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  const files = readdirSync(join(web, 'test'), { recursive: true }).filter((name) => /^(\w+\/)?[\w-]+(\.test)?\.mjs$/.test(name));
  assert.ok(files.length > 100);
  for (const name of files) {
    const [head] = readFileSync(join(web, 'test', name), 'utf8').split(/^(?:const|let|async|function|export|test)\b/m); // site sources below it have imports too
    for (const { file } of importsOf(head)) {
      const [, of] = /^((?:@[^/]+\/)?[^/.][^/]*)/.exec(file) ?? [];
      if (of !== undefined && !of.startsWith('node:')) assert.ok(of in { ...dependencies, ...devDependencies }, `${name} imports ${file}, which package.json does not name`);
    }
  }
});

test('no import leads to a higher room, and rooms make no circle', () => {
  assert.deepEqual(upward(graph), []);
  assert.deepEqual(circlesOfRooms(graph), []);
  for (const room of ROOMS) assert.ok([...tree.keys()].some((path) => path.startsWith(`${room}/`) || path.startsWith(`app/${room}/`)) || room === 'main', `${room} is empty`);
});

test('at the root of app stands what puts the page together', () => {
  assert.deepEqual(readdirSync(join(web, 'app')).filter((name) => name.endsWith('.ts')).sort(), [...ROOT].sort());
});

test('each file of English words has one of German words', () => assert.deepEqual(unpaired([...tree.keys()]), []));

test('a bundle takes values from itself and from below', () => {
  assert.deepEqual(taken(graph), []);
  assert.ok(Object.values(EXCEPTIONS).flatMap((each) => Object.keys(each)).length <= 16, 'there are more exceptions than there were');
});

test('all bundles are known', () => {
  const built = ['page', 'drawing'].map((name) => readFileSync(join(web, `build/${name}.go`), 'utf8')).join('');
  const parts = /\[\]struct\{ name, source string \}\{(.*)\} \{\n/.exec(built)?.[1] ?? '';
  const sources = [...parts.matchAll(/\{"[\w-]+", "([\w/-]+)"\}/g)].map(([, source]) => `app/${source}.ts`);
  const named = [...built.matchAll(/bundlePart\(web, "(app\/[\w/-]+\.ts)"/g)].map(([, source]) => source);
  assert.deepEqual(Object.keys(BUNDLES).sort(), [...sources, ...named, 'app/words/de.ts'].sort());
});

// ---- small trees that break a rule

test('all forms of an import are seen', () => {
  const source = `
// import { no } from './comment.ts';
import './bare.ts';
import type { A } from './type.ts';
import { type B, type C } from './types.ts';
import { type D, e } from './both.ts';
import {
  f,
} from "./lines.ts";
import g, { h } from './default.ts';
export * from './all.ts';
export type { I } from './passed.ts';
const j = loader<typeof import('./shape.ts')>();
const k = await import('./later.ts');
`;
  assert.deepEqual(importsOf(source).map(({ file, type }) => (type ? `type ${file}` : file)).sort(), [
    './all.ts', './bare.ts', './both.ts', './default.ts', './later.ts', './lines.ts',
    'type ./passed.ts', 'type ./shape.ts', 'type ./type.ts', 'type ./types.ts']);
});

const treeOf = (files) => new Map(Object.entries(files));
const drawn = (files) => graphOf(treeOf(files));

test('a circle of types is one', () => {
  const tree = treeOf({ 'a.ts': "import { b } from './b.ts';", 'b.ts': "import type { C } from './c.ts';", 'c.ts': "import type { A } from './a.ts';", 'd.ts': "import './a.ts';" });
  assert.deepEqual(circlesOf(graphOf(tree)), [['a.ts', 'b.ts', 'c.ts']]);
});

test('an import that leads nowhere is an error', () => {
  assert.throws(() => graphOf(treeOf({ 'a.ts': "import './gone.ts';" })), /a\.ts imports \.\/gone\.ts/);
});

test('a type from a higher room is an error', () => {
  const graph = drawn({ 'app/session/a.ts': "import type { B } from '../text/b.ts';", 'app/text/b.ts': "import '../../lib/c.ts';", 'lib/c.ts': '', 'app/elsewhere/d.ts': '' });
  assert.deepEqual(upward(graph), ['app/elsewhere/d.ts stands in no room', 'app/session/a.ts -> app/text/b.ts']);
});

test('rooms may make a circle where files make none', () => {
  const graph = drawn({ 'app/grid/a.ts': "import '../text/b.ts';", 'app/text/b.ts': '', 'app/text/c.ts': "import type { D } from '../grid/d.ts';", 'app/grid/d.ts': '' });
  assert.deepEqual(circlesOf(graph), []);
  assert.deepEqual(circlesOfRooms(graph), [['grid', 'text']]);
});

test('words of one language alone are an error', () => {
  assert.deepEqual(unpaired(['app/words/en/a.ts', 'app/words/en/b.ts', 'app/words/de/a.ts', 'app/words/de/c.ts']), ['de/b.ts', 'en/c.ts']);
});

test('a bundle that takes from another one is an error, but for its types', () => {
  const graph = drawn({
    'app/grid/a.ts': "import '../ground/b.ts';\nimport type { C } from '../text/c.ts';\nimport '../hosted/d.ts';",
    'app/ground/b.ts': '', 'app/text/c.ts': '', 'app/hosted/d.ts': "import './e.ts';", 'app/hosted/e.ts': '',
  });
  const bundles = { 'app/grid/a.ts': ['grid'] };
  assert.deepEqual(taken(graph, bundles, { 'app/grid/a.ts': { 'app/hosted/d.ts': 'why' } }), ['app/grid/a.ts takes app/hosted/e.ts']);
  assert.deepEqual(taken(graph, bundles, { 'app/grid/a.ts': { 'app/hosted/d.ts': 'why', 'app/hosted/e.ts': 'why', 'app/hosted/f.ts': 'why' } }),
    ['app/grid/a.ts takes app/hosted/f.ts no more: it is no exception']);
});
