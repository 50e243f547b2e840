// The rows of the list of all documents: filtered, sorted, and by folder.

import { needsUser, type Doc } from '../session/doc.ts';
import { folderOf } from '../session/parts.ts';

/** `saved` means from an earlier visit, and not opened so far. */
export type Group = 'ready' | 'saved' | 'reading' | 'needs';
export const GROUPS: readonly Group[] = ['ready', 'saved', 'reading', 'needs'];

export const SORTS = ['name', 'added', 'pages', 'chunks', 'state'] as const;
export type Sort = (typeof SORTS)[number];

/** The row of a folder, with its documents that pass the filter. */
export interface FolderItem {
  path: string;
  docs: readonly Doc[];
  folded: boolean;
}

export type Item = FolderItem | Doc;

export interface Wanted {
  filter: string;
  group: Group | null;
  /** The tag of the documents wanted; '' for all. */
  tag: string;
  sort: Sort;
  folded: ReadonlySet<string>;
}

export const isFolder = (item: Item): item is FolderItem => 'folded' in item;

export function groupOf(doc: Doc): Group {
  if (needsUser(doc)) return 'needs';
  if (doc.state === 'kept') return 'saved';
  return doc.state === 'ready' ? 'ready' : 'reading';
}

export const fileOf = ({ name }: Doc): string => name.slice(name.lastIndexOf('/') + 1);
export const pagesOf = ({ opened, kept }: Doc): number => opened?.pages ?? kept?.record?.pages ?? 0;
export const chunksOf = ({ chunking, kept }: Doc): number =>
  chunking?.result.chunks.length ?? kept?.record?.chunks ?? 0;

const collator = new Intl.Collator(undefined, { numeric: true });
const byName = (a: Doc, b: Doc) => collator.compare(a.name, b.name);

/** The trouble comes first, the largest and the newest too. */
const orders: Record<Sort, (a: Doc, b: Doc) => number> = {
  name: byName,
  added: (a, b) => b.key - a.key,
  pages: (a, b) => pagesOf(b) - pagesOf(a) || byName(a, b),
  chunks: (a, b) => chunksOf(b) - chunksOf(a) || byName(a, b),
  state: (a, b) => GROUPS.indexOf(groupOf(b)) - GROUPS.indexOf(groupOf(a)) || byName(a, b),
};

export function itemsOf(docs: readonly Doc[], { filter, group, tag, sort, folded }: Wanted): Item[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const passing = docs.filter(
    (doc) =>
      (!group || groupOf(doc) === group) &&
      (!tag || doc.tags.includes(tag)) &&
      words.every((word) => doc.name.toLowerCase().includes(word)),
  );
  passing.sort(orders[sort]);
  const folders = new Map<string, Doc[]>();
  for (const doc of passing) {
    const path = folderOf(doc);
    const inside = folders.get(path);
    if (inside) inside.push(doc);
    else folders.set(path, [doc]);
  }
  const loose = folders.get('') ?? [];
  folders.delete('');
  const paths = [...folders.keys()].sort(collator.compare);
  return [
    ...loose,
    ...paths.flatMap((path): Item[] => {
      const inside = folders.get(path) ?? [];
      const closed = folded.has(path);
      return [{ path, docs: inside, folded: closed }, ...(closed ? [] : inside)];
    }),
  ];
}

/** Returns the documents of rows, also of folded folders. */
export const docsOf = (items: readonly Item[]): Doc[] => [
  ...new Set(items.flatMap((item) => (isFolder(item) ? item.docs : [item]))),
];
