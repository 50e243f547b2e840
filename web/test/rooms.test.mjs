// How the files of the page may stand to each other; imports of types count, too.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { circlesOf, graphOf, importsOf, readTree } from './imports.mjs';

const web = dirname(dirname(fileURLToPath(import.meta.url)));

test('no circle of files', () => {
  const tree = readTree(web, ['app', 'lib', 'widget', 'worker', 'sw']);
  assert.ok(tree.size > 200);
  assert.deepEqual(circlesOf(graphOf(tree, web)), []);
});

// ---- the same of small trees that break a rule

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

test('a circle of types is one', () => {
  const tree = treeOf({ 'a.ts': "import { b } from './b.ts';", 'b.ts': "import type { C } from './c.ts';", 'c.ts': "import type { A } from './a.ts';", 'd.ts': "import './a.ts';" });
  assert.deepEqual(circlesOf(graphOf(tree)), [['a.ts', 'b.ts', 'c.ts']]);
});

test('an import that leads nowhere is an error', () => {
  assert.throws(() => graphOf(treeOf({ 'a.ts': "import './gone.ts';" })), /a\.ts imports \.\/gone\.ts/);
});
