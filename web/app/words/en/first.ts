// The words of the first visit: gallery, questions, tour. They are part of its bundle.

import { words } from '../language.ts';
import { count, number } from './page.ts';

/** The download size in kilobytes. */
const kilobytes = (bytes: number) => count(Math.max(1, Math.round(bytes / 1024)), 'kB', 'kB');

export const first = words('first', {
  gallery: {
    /**
     * The kind of a document and a hint for the reader, by its name. If missing here,
     * gallery.json has them.
     */
    about: {} as Record<string, { kind: string; look: string }>,
    title: 'Or open one of these',
    dialog: 'Example documents',
    hint: 'Written for this page. Each is fetched from its own host when you choose it.',
    tour: 'Take the tour',
    close: 'Close',
    size: (pages: number, words: number, bytes: number) =>
      [pages ? count(pages, 'page') : '', `${number.format(words)} words`, kilobytes(bytes)]
        .filter(Boolean)
        .join(' · '),
    away: 'Needs the network: its file is not kept in this browser.',
    lost: (name: string) => `${name} could not be fetched: the host of this page does not answer.`,
  },
  line: {
    label: 'An example with a line to move',
    drag: 'Drag the line.',
    what: 'Each bar shows how far a sentence is from the next. Where a bar is higher than the line, the text is cut.',
    different: 'new subject',
    same: 'same subject',
    knob: 'The line',
    chunks: (n: number) => count(n, 'chunk'),
  },
  sealed:
    'Sealed: nothing that you open is kept. Documents, questions and changes are gone when this tab is closed. Settings are kept apart from the ordinary page’s.',
  uses: [
    ['Find', 'Search by words and by meaning. Each passage shows its page and why it was found.'],
    ['Ask', 'See which passages would go to a model before anything is sent.'],
    ['Feed to a model', 'Save the chunks as JSON Lines, CSV or Markdown, with their pages and offsets.'],
  ],
  collection: (host: string) => `Or search the collection at ${host}`,
  questions: {
    title: 'To begin with, ask it:',
    sample: [
      'How does a swarm choose its new home?',
      'Why is a loaf crisp on the outside?',
      'What makes people wait for so long?',
    ],
  },
  tour: {
    offer: 'New here? Four steps show what is where.',
    take: 'Take the tour',
    no: 'No thanks',
    at: (n: number, of: number) => `${n} of ${of}`,
    said: (at: string, title: string, text: string) => `${at}: ${title}. ${text}`,
    back: 'Back',
    next: 'Next',
    done: 'Done',
    skip: 'Skip',
    steps: {
      text: {
        title: 'The text, in chunks',
        text: 'A line begins a new chunk. Colours tell neighbours apart; a press on a sentence finds its chunk in the list.',
      },
      curve: {
        title: 'The curve, and its line',
        text: 'Each bar is the gap between two sentences: the higher, the further apart they are. What rises above the line is cut. Drag the line, and text and list follow at once.',
      },
      reasons: {
        title: 'A reason for each cut',
        text: 'Every chunk says why it ends where it does: a new subject, a heading, the maximum, or your own hand. Here you can also merge, split and save.',
      },
      search: {
        title: 'Search, and what leaves',
        text: 'Ask a question: the best passages of all your documents are found by meaning and by words. The mark at the top right says what left this browser: nothing.',
        proxy:
          'Ask a question: the best passages of all your documents are found by meaning and by words. The mark at the top right says what has left this browser: nothing, until you choose a hosted model and press Send.',
      },
    },
  },
});
