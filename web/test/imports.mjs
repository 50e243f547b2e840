// Reads the imports of TypeScript files, and builds a graph from them: see rooms.test.mjs.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/**
 * Returns the imports of a source: the file, and whether only types are imported, which no
 * bundle contains.
 */
export function importsOf(source) {
  const found = [];
  // A statement begins a line; there is no quote or semicolon between it and its file.
  const statement = /^[ \t]*(?:import|export)\b(?:([^;'"`()=]*?)\bfrom)?\s*(['"])([^'"\n]+)\2/gm;
  for (const [, names, , file] of source.matchAll(statement)) found.push({ file, type: names !== undefined && ofTypes(names) });
  for (const [, shape, , file] of source.matchAll(/(\btypeof\s+)?\bimport\s*\(\s*(['"])([^'"\n]+)\2/g)) found.push({ file, type: shape !== undefined });
  return found;
}

/** Reports whether all names between `import` and `from` are types. */
function ofTypes(names) {
  if (/^\s*type\b/.test(names)) return true;
  const braces = /^\s*\{([\s\S]*)\}\s*$/.exec(names);
  const each = braces?.[1].split(',').map((name) => name.trim()).filter((name) => name !== '');
  return each !== undefined && each.length > 0 && each.every((name) => /^type\s/.test(name));
}

/** Returns the files of some folders below a root by their relative paths, with their sources. */
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

/** Returns the imports of each file within a tree. An import without a file is an error. */
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

/** Returns the cycles of a graph: sets of nodes that can all reach each other. */
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
