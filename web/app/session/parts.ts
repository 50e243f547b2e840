// Parts of the list of documents: the documents of a folder, and the documents with a tag. A document’s folder
// is the path in its name; its tags are the user’s.

import type { Doc } from './doc.ts';

/** A part of the list, by the path of its folder or by its tag. */
export interface Part {
  kind: 'tag' | 'folder';
  name: string;
}

/** The most characters of a tag. It has to fit into a row. */
export const TAG_LENGTH = 40;

const collator = new Intl.Collator(undefined, { numeric: true });
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort(collator.compare);

export const folderOf = ({ name }: Doc): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));

export const isIn = (doc: Doc, { kind, name }: Part): boolean =>
  kind === 'tag' ? doc.tags.includes(name) : folderOf(doc) === name;

export const tagsOf = (docs: readonly Doc[]): string[] => sorted(docs.flatMap(({ tags }) => tags));

/** Returns the parts of a list, tags first. A folder is one if it has several documents. */
export function partsOf(docs: readonly Doc[]): Part[] {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const folder of docs.map(folderOf)) {
    if (folder && seen.has(folder)) several.add(folder);
    seen.add(folder);
  }
  return [
    ...tagsOf(docs).map((name): Part => ({ kind: 'tag', name })),
    ...sorted(several).map((name): Part => ({ kind: 'folder', name })),
  ];
}

/** Returns the tag that was typed, in the spelling of one in `known` that differs only in case. */
export function tagNamed(typed: string, known: readonly string[]): string {
  const tag = typed.normalize().replace(/\s+/g, ' ').trim().slice(0, TAG_LENGTH).trim();
  return known.find((each) => each.toLowerCase() === tag.toLowerCase()) ?? tag;
}

/** Returns the new tags of those documents that a change of one tag changes. */
export function retagged(docs: readonly Doc[], tag: string, on: boolean): Map<Doc, readonly string[]> {
  const changed = docs.filter(({ tags }) => tags.includes(tag) !== on);
  return new Map(
    changed.map((doc) => [doc, on ? sorted([...doc.tags, tag]) : doc.tags.filter((each) => each !== tag)]),
  );
}
