// The words about updates, files from outside, offline use, and dialogs. They are part of
// their bundle.

import { words } from '../language.ts';
import { count } from './page.ts';

export const visits = words('visits', {
  ready: 'A new version is ready.',
  use: 'Use it',
  later: 'Later',
  working: 'The new version waits: something is under way. Try again when it is done.',
  edited: 'The new version waits: your changes by hand are in this tab alone. Save them first, or clear them.',
  older: 'Another tab has taken the new version; this one goes on with the old one.',
  reload: 'Reload',
  sharedText: (n: number) => (n > 1 ? `Shared text ${n}.txt` : 'Shared text.txt'),
  nothingShared: 'What was shared has not arrived. Nothing was kept of it; share it again.',
  lookAgain: 'Look again',
  noAnswer: (host: string) => `${host} does not answer`,
  notKept: 'needs the network',
  hostedAway: (host: string) =>
    `Hosted models need ${host}, which does not answer. All else works; a document that is open with them can still be cut, and searched by words.`,
  tablesAway: 'The host of this page does not answer. What is not kept in this browser is greyed; all else works.',
  kept: 'Offline use: ready. All that the page needs is kept in this browser.',
  keeping: 'Offline use: the page’s files are being kept…',
  notComplete: (n: number) =>
    `Offline use: not complete. ${count(n, 'file')} of the page could not be stored, because there is no room or the host did not send ${n === 1 ? 'it' : 'them'}. With its host, the page works.`,
  unknown: 'Offline use: not known, as the host does not answer and its list of files was not kept.',
  keepAgain: 'Try again',
  never: 'Offline use: not in this browser or at this address.',
  menu: { keys: 'Keys…', tour: 'Take the tour', examples: 'Example documents…' },
  keys: {
    title: 'Keys',
    close: 'Close',
    tour: 'Take the tour',
    list: [
      [['Ctrl K', '⌘ K'], 'search all documents'],
      [['↓', '↑'], 'from the search field to the passages found, and along them: each is shown in the text'],
      [['Enter'], 'on a passage or a chunk: show it in the text'],
      [['Esc'], 'clear the search; stop an answer; close a dialog'],
      [['←', '→'], 'on the tabs: the next one; on a slider: one step'],
      [['Page ↑', 'Page ↓'], 'on a slider: a large step'],
      [['Enter'], 'on the curve: show that place in the text'],
      [['+', '−'], 'on a long curve: zoom'],
      [['↑', '↓'], 'on a chunk: the one before, the next one'],
      [['→', '←'], 'on a chunk: its tools, and back'],
      [['Alt ↑', 'Alt ↓'], 'on a chunk: move its end by a sentence'],
      [['Ctrl Z', '⌘ Z'], 'undo a change by hand; with Shift: redo'],
      [['Q'], 'with text selected, or a passage shown: keep a question that it answers'],
      [['Del'], 'on a question: remove it'],
      [['Ctrl V', '⌘ V'], 'outside a field: open the copied text or files'],
      [['?'], 'this list'],
    ] as [string[], string][],
  },
});
