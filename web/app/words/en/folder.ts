// The words of the list of all documents.

import { words } from '../language.ts';
import { count, number } from './page.ts';

const docs = (n: number) => count(n, 'document');

export const folder = words('folder', {
  label: 'All documents',
  title: (n: number) => docs(n),
  /** The counts of those ready, saved, being read, and in need of the user. */
  counts: ({ ready, saved, reading, needs }: Record<'ready' | 'saved' | 'reading' | 'needs', number>) =>
    [
      ready > 0 ? `${number.format(ready)} ready` : '',
      saved > 0 ? `${number.format(saved)} saved and not opened` : '',
      reading > 0 ? `${number.format(reading)} being read` : '',
      needs > 0 ? `${number.format(needs)} ${needs === 1 ? 'needs' : 'need'} you` : '',
    ]
      .filter(Boolean)
      .join(', '),
  goesOn: 'Reading goes on.',
  add: 'Add files',
  close: 'Close',
  filter: 'Filter by name',
  tagFilter: 'Tag',
  anyTag: 'any or none',
  states: { ready: 'ready', saved: 'saved, opens when chosen' },
  groups: { all: 'All', ready: 'Ready', saved: 'Saved', reading: 'Being read', needs: 'Need you' },
  byState: 'Filter by state',
  sort: 'Sort by',
  sorts: {
    name: 'name',
    added: 'date added, newest first',
    pages: 'pages, most first',
    chunks: 'chunks, most first',
    state: 'state, those that need you first',
  },
  columns: { pick: 'Chosen', name: 'Name', pages: 'Pages', chunks: 'Chunks', state: 'State' },
  choose: (name: string) => `Choose ${name}`,
  chooseFolder: (path: string) => `Choose all in ${path}`,
  chooseAll: 'Choose all documents shown',
  none: 'No document passes the filter.',
  shown: (n: number) => `${docs(n)} shown`,
  chosen: (n: number) => `${number.format(n)} chosen`,
  chunks: (n: number) => count(n, 'chunk'),
  search: 'Search in these',
  undo: 'Undo',
  tag: 'Tag…',
  tags: 'Tags',
  tagTitle: 'Tags of the chosen documents',
  newTag: 'New tag, or part of one',
  addTag: 'Add',
  makeTag: 'Add new tag',
  noTags: 'No document has a tag. Tags filter this list, and search and questions can keep to one.',
  tagged: (tag: string, n: number) => `${docs(n)} now ${n === 1 ? 'has' : 'have'} the tag “${tag}”.`,
  untagged: (tag: string, n: number) => `${docs(n)} no longer ${n === 1 ? 'has' : 'have'} the tag “${tag}”.`,
  save: 'Save chunks',
  saveTitle: 'Save the chunks of all chosen documents as one file',
  saveHint: 'Start and end count bytes (UTF-8).',
  formats: {
    jsonl: 'JSON Lines (JSONL)',
    langchain: 'JSON Lines for LangChain and LlamaIndex',
    csv: 'CSV for programs',
    spreadsheet: 'CSV for a spreadsheet, without formulas',
  },
  collecting: (n: number, of: number) => `Collecting document ${number.format(n)} of ${number.format(of)}…`,
  /** `names` are of documents without chunks. */
  saved: (n: number, names: readonly string[]) =>
    [
      n > 0 ? `Saved the chunks of ${docs(n)}.` : 'No chunks to save.',
      names.length === 0
        ? ''
        : names.length === 1
          ? `${names[0]} has no chunks.`
          : `${docs(names.length)} have no chunks, the first of them ${names[0]}.`,
    ]
      .filter(Boolean)
      .join(' '),
  unlike:
    'The documents have different columns, because some have headers and some have none. Save JSON Lines instead.',
  file: (n: number) => `${number.format(n)} documents`,
  remove: 'Remove',
  removed: (n: number) => `${docs(n)} removed`,
  keys: { move: 'move', choose: 'choose', open: 'open' },
  space: 'Space',
  enter: 'Enter',
  needs: (n: number) => `${number.format(n)} ${n === 1 ? 'needs' : 'need'} you`,
  locked: 'Locked. Enter its password in its row. Other files are read meanwhile.',
  left: (n: number) => `Left out: ${count(n, 'file')}`,
  leftWhy: {
    kind: 'Seam does not read files of this kind.',
    hidden: 'It is hidden, and was not looked into.',
    broken: 'The browser could not read it.',
    beyond: 'It comes after the first files of its folder. Drop it by itself.',
    deep: 'It is too deep in the folder, and was not looked into.',
    many: 'The folder has too many files, and this one was not looked at.',
  },
  more: (n: number) => `and ${number.format(n)} more`,
});
