// The rooms of the page, lowest first, and the rules between them. A room is a folder of
// app/, the root of app/ ("main"), or another folder of web/.

import { posix } from 'node:path';
import { circlesOf } from './imports.mjs';

export const ROOMS = [
  'lib', 'worker', 'sw', 'widget', 'words', 'ground', 'session', 'policy', 'open', 'search', 'methods', 'settings', 'curve', 'hosted', 'first',
  'visits', 'kept', 'page', 'text', 'statements', 'grid', 'compare', 'hand', 'chunks', 'main',
];

/** The lowest rooms. Every bundle may contain a copy of them. */
const BELOW = ['lib', 'words', 'ground', 'session', 'policy'];

/**
 * The bundles loaded later, with their own rooms. build/page.go and build/drawing.go create
 * them.
 */
export const BUNDLES = {
  'app/document-views.ts': ['main', 'curve', 'text', 'chunks', 'hand', 'compare', 'search'],
  'app/page/look-view.ts': ['page'],
  'app/page/page-view.ts': ['page'],
  'app/grid/grid-view.ts': ['grid'],
  'app/statements/statements-view.ts': ['statements'],
  'app/hosted/hosted-parts.ts': ['hosted'],
  'app/hosted/each-view.ts': ['hosted'],
  'app/kept/kept-parts.ts': ['kept'],
  'app/visits/visits.ts': ['visits'],
  'app/methods/methods-view.ts': ['methods'],
  'app/settings/settings-parts.ts': ['settings'],
  'app/first/first-run.ts': ['first'],
  'app/open/folder-view.ts': ['open'],
  'app/words/de.ts': ['words'],
};

/** Files that bundles use from other rooms, with the reason. The list must not grow. */
export const EXCEPTIONS = {
  'app/document-views.ts': {
    'app/grid/grid-opener.ts': 'loads the bundle of the grid',
    'app/statements/statements-opener.ts': 'loads the bundle of the statements',
    'app/statements/statements.ts': 'tells the engine of statements that a document came with, also where none are made',
    'app/kept/bundle-saver.ts': 'Save as a bundle stands among the ways to save chunks',
    'app/open/list-actions.ts': 'Add stands above the list once there is a document',
    'app/settings/knob.ts': 'the slider stands below the curve, too',
    'app/settings/method-options.ts': 'methods are chosen in a row of the comparison, too',
    'app/settings/own-model.ts': 'is needed with the first document only',
    'app/settings/step-finder.ts': 'asks for the steps of the slider after each cut',
  },
  'app/grid/grid-view.ts': {
    'app/hosted/replies.ts': 'its judges are hosted models',
    'app/hosted/consent.ts': 'its judges are hosted models',
  },
  'app/statements/statements-view.ts': { 'app/hosted/replies.ts': 'a hosted model writes them' },
  'app/visits/visits.ts': { 'app/settings/language-choice.ts': 'stands among the keys' },
  'app/first/first-run.ts': { 'app/settings/language-choice.ts': 'stands below the empty page' },
  'app/page/page-view.ts': {
    'app/kept/originals.ts': 'reads the file of a document that is kept',
    'app/kept/keys.ts': 'finds that file',
  },
};

/** The files allowed at the root of app/. */
export const ROOT = ['main.ts', 'document-views.ts', 'lazy.ts', 'settings-hooks.ts', 'visit-hooks.ts'];

export function roomOf(path) {
  const [folder, room, file] = path.split('/');
  return folder !== 'app' ? folder : file === undefined ? 'main' : room;
}

/**
 * Returns imports, including type imports, from a room that is not below; and files in
 * unknown rooms.
 */
export function upward(graph, rooms = ROOMS) {
  const wrong = new Set();
  for (const [from, arrows] of graph) {
    if (!rooms.includes(roomOf(from))) wrong.add(`${from} stands in no room`);
    for (const { to } of arrows) if (rooms.indexOf(roomOf(to)) > rooms.indexOf(roomOf(from))) wrong.add(`${from} -> ${to}`);
  }
  return [...wrong].sort();
}

/** Returns cycles of rooms, regardless of their order. */
export function circlesOfRooms(graph) {
  const rooms = new Map();
  for (const [from, arrows] of graph) {
    const known = rooms.get(roomOf(from)) ?? [];
    rooms.set(roomOf(from), [...known, ...arrows.map(({ to }) => ({ to: roomOf(to) })).filter(({ to }) => to !== roomOf(from))]);
  }
  return circlesOf(rooms);
}

/** Returns the word files that one language has and the other lacks. */
export function unpaired(paths) {
  const of = (language) => paths.filter((path) => path.startsWith(`app/words/${language}/`)).map((path) => posix.basename(path));
  const [en, de] = [of('en'), of('de')];
  return [...en.filter((name) => !de.includes(name)).map((name) => `de/${name}`), ...de.filter((name) => !en.includes(name)).map((name) => `en/${name}`)];
}

/** Returns all files of a bundle. */
function partsOf(graph, entry) {
  const parts = new Set([entry]);
  for (const part of parts) for (const { to, type } of graph.get(part) ?? []) if (!type) parts.add(to);
  return parts;
}

/**
 * Returns files in bundles that are neither in their own rooms, nor below, nor exceptions;
 * and unused exceptions.
 */
export function taken(graph, bundles = BUNDLES, exceptions = EXCEPTIONS) {
  const wrong = [];
  for (const [entry, own] of Object.entries(bundles)) {
    const parts = [...partsOf(graph, entry)].filter((part) => ![...BELOW, ...own].includes(roomOf(part)));
    const known = Object.keys(exceptions[entry] ?? {});
    wrong.push(...parts.filter((part) => !known.includes(part)).map((part) => `${entry} takes ${part}`));
    wrong.push(...known.filter((part) => !parts.includes(part)).map((part) => `${entry} takes ${part} no more: it is no exception`));
  }
  return wrong;
}
