// The words about documents kept between visits.

import type { SeamError } from '../../../lib/seam-error.ts';
import { words } from '../language.ts';
import { count, number, sentence } from './page.ts';

function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))}\u00a0kB`;
  const [of, unit] = bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${number.format(Math.round((10 * bytes) / of) / 10)}\u00a0${unit}`;
}

export const kept = words('kept', {
  title: 'Kept in this browser',
  open: (n: number, bytes: number) => `${count(n, 'document')} kept in this browser · ${size(bytes)}`,
  none: 'Documents are kept in this browser.',
  nothing: 'Nothing is kept: documents are gone when this page is closed.',
  manage: 'Manage…',
  close: 'Close',
  size,
  date: (when: number) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(when),
  use: (used: number, quota: number) =>
    quota > 0
      ? `This page uses ${size(used)} of the ${size(quota)} that the browser gives it.`
      : used > 0
        ? `This page uses ${size(used)}. The browser does not say how much is left.`
        : '',
  persistent: 'The browser does not delete it by itself.',
  fleeting: 'When the disk gets full the browser may delete it; export what you cannot do without.',
  name: (name: string) => `Name of ${name}`,
  delete: 'Delete',
  deleteNamed: (name: string) => `Delete ${name}`,
  saveNamed: (name: string) => `Save ${name} as .seam`,
  saveAll: 'Save all as .seam',
  allName: 'documents',
  deleteAll: 'Delete all…',
  deleteAllSure: (n: number) => `Delete ${count(n, 'kept document')}, questions and stored vectors?`,
  sure: 'Delete all',
  cancel: 'Cancel',
  keep: 'Keep documents in this browser',
  keepHelp: 'Texts, vectors, changes by hand and questions stay on this device, for this address alone.',
  files: 'Keep the files themselves, too',
  filesHelp:
    'Then the pages of a PDF are there on the next visit. Without it only what was read of a file is kept. Files that are kept are deleted when you turn this off.',
  fileQuestion: (n: number, bytes: number) =>
    `Keep the ${n === 1 ? 'file itself' : 'files themselves'}, too (${size(bytes)})? The next visit needs a PDF to show its pages.`,
  fileYes: 'Keep files',
  fileNo: 'Only the text',
  nearlyFull: (used: number, quota: number) =>
    `The browser’s storage for this page is nearly full: ${size(used)} of ${size(quota)} are used. Delete what you do not need.`,
  dropFiles: (bytes: number) => `Delete the files, keep the texts (${size(bytes)})`,
  fileNotKept: (name: string, error: SeamError) =>
    `The file of ${name} is not kept; what was read of it is. ${kept.failed(error)}`,
  questions: 'Questions asked',
  noQuestions: 'None yet.',
  askAgain: (question: string) => `Search again for “${question}”`,
  removed: (names: string[]) =>
    names.length === 1 ? `${names[0]} is removed.` : `${count(names.length, 'document')} are removed.`,
  stillKept: (name: string, error: SeamError) =>
    `${name} is still kept in this browser and could not be deleted. ${sentence(error.message)}`,
  notBack: (name: string, error: SeamError) => `${name} could not be brought back. ${sentence(error.message)}`,
  undo: 'Undo',
  notKept: (name: string, why: string) => `${name} is not kept. ${why}`,
  failed: (error: SeamError) =>
    error.message === kept.blocked
      ? kept.blocked
      : /quota|room/i.test(error.message)
        ? 'The disk is full, or the browser gives this page no more room: delete something, or export the document. Work goes on in this tab.'
        : `${sentence(error.message.replace('JavaScript error: ', ''))} Work goes on in this tab.`,
  chosen: 'You have chosen to keep nothing; what was kept before is as it was.',
  blocked:
    'This browser keeps nothing for this page: a private window, or storage that is blocked. Work goes on in this tab.',
  outdated: 'A newer version of this page is open in another tab: this one keeps nothing any more. Reload it.',
  later: 'a later version of this page has kept documents here: reload this one to see them',
  deletedInOtherTab: 'what was kept of it was deleted in another tab',
  lead: 'Change it here',
  following: (name: string) => `${name} is open in another tab, which makes its changes; this one follows.`,
});
