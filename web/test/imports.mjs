// What a file of TypeScript imports, and what follows from that for a tree of files:
// see rooms.test.mjs.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** One import of a source: what it names, and whether it is of types alone, which no bundle has. */
export function importsOf(source) {
  const found = [];
  // A statement stands at the head of its line; none has a quote or a semicolon before its file.
  const statement = /^[ \t]*(?:import|export)\b(?:([^;'"`()=]*?)\bfrom)?\s*(['"])([^'"\n]+)\2/gm;
  for (const [, names, , file] of source.matchAll(statement)) found.push({ file, type: names !== undefined && ofTypes(names) });
  for (const [, shape, , file] of source.matchAll(/(\btypeof\s+)?\bimport\s*\(\s*(['"])([^'"\n]+)\2/g)) found.push({ file, type: shape !== undefined });
  return found;
}

/** Whether all that stands between `import` and `from` is of types. */
function ofTypes(names) {
  if (/^\s*type\b/.test(names)) return true;
  const braces = /^\s*\{([\s\S]*)\}\s*$/.exec(names);
  const each = braces?.[1].split(',').map((name) => name.trim()).filter((name) => name !== '');
  return each !== undefined && each.length > 0 && each.every((name) => /^type\s/.test(name));
}

/** The files of some folders below a root by their paths there, each with its source. */
export function readTree(root, folders) {
  const tree = new Map();
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join('/');
      if (entry.isFile() && path.endsWith('.ts')) tree.set(path, readFileSync(join(root, path), 'utf8'));
    }
  }
  return tree;
}

/** What each file of a tree imports of it. Where an import leads to no file, that is an error. */
export function graphOf(tree, root) {
  const graph = new Map();
  for (const [path, source] of tree) {
    const arrows = [];
    for (const { file, type } of importsOf(source)) {
      if (!file.startsWith('.')) continue;
      const to = posix.normalize(posix.join(posix.dirname(path), file));
      if (tree.has(to)) arrows.push({ to, type });
      else if (root === undefined || !existsSync(join(root, to))) throw new Error(`${path} imports ${file}, which is not there`);
    }
    graph.set(path, arrows);
  }
  return graph;
}

/** The circles of a graph: sets of nodes of which each leads to each other. */
export function circlesOf(graph) {
  const circles = [];
  const at = new Map();
  const low = new Map();
  const stack = [];
  const visit = (node) => {
    at.set(node, at.size);
    low.set(node, at.get(node));
    stack.push(node);
    for (const { to } of graph.get(node) ?? []) {
      if (!at.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node), low.get(to)));
    }
    if (low.get(node) !== at.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1 || (graph.get(node) ?? []).some(({ to }) => to === node)) circles.push(circle.sort());
  };
  for (const node of graph.keys()) if (!at.has(node)) visit(node);
  return circles;
}
