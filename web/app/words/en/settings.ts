// The words of less common settings: presets, the address that shares them, undo. They are
// part of their bundle.

import { words } from '../language.ts';
import { count, number } from './page.ts';

export const settings = words('settings', {
  presets: {
    label: 'What the chunks are for',
    /** Each has a label and an explanation. */
    names: {
      short: ['For search', 'Short passages: at most 128 tokens'],
      answers: ['For answers', 'The defaults'],
      long: ['For long context', 'Long passages: 400 to 2,000 tokens'],
      langchain: ['As in LangChain’s tutorial', 'Recursive, 1,000 characters, overlap 200'],
    } satisfies Record<string, readonly [label: string, title: string]>,
  },
  remedy: {
    use: (setting: number, chunks: number) => `Use ${number.format(setting)}: ${count(chunks, 'chunk')}`,
    /** The method's default cuts nothing, and the user has not set a number. */
    eased: (setting: number) => `So ${number.format(setting)} is used.`,
    /** The same for a method without a number. */
    deepest: (chunks: number) => `So the deepest places are cut: ${count(chunks, 'chunk')}.`,
    published: (setting: number | null) =>
      `Use ${setting === null ? 'the rule as it is' : number.format(setting)} all the same`,
  },
  headers: {
    label: 'Titles before each chunk',
    help: 'The titles of the document and of its sections are embedded with each chunk, and count in its length.',
  },
  methods: 'What each does',
  back: 'Back to what it was',
  wentBack: 'The settings are as they were before the last change.',
  copy: 'Copy link',
  copyHint: 'An address of this page with these settings; nothing of your documents is in it.',
  copied: 'Copied: an address with these settings, and nothing of your documents.',
  copyThis: 'This browser does not let the page copy. Here is the address, selected:',
  address: 'Address with these settings',
  taken: 'Settings from the address.',
  same: 'The settings in the address are those that you have.',
  unknown: (parts: readonly string[], more: number) =>
    `Left out, as not understood: ${[...parts, ...(more > 0 ? [`${count(more, 'other')}`] : [])].join(', ')}.`,
  tooLong: 'The address is too long for one with settings; nothing was changed.',
  mine: 'Back to mine',
  isMine: 'Your settings are back.',
  dismiss: 'Dismiss this line',
});
