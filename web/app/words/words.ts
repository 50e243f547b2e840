// The parts of a language. They have the types of the English words, so a missing or
// extra translation does not compile.

import type { Part } from './language.ts';
import type { kept } from './en/kept.ts';
import type { words as look } from './en/look.ts';
import type { words as pages } from './en/pages.ts';
import type { length, say, strings, troubles } from './en/page.ts';
import type { each } from './en/each.ts';
import type { first } from './en/first.ts';
import type { folder } from './en/folder.ts';
import type { grid, judged } from './en/grid.ts';
import type { hosted, hostedTroubles } from './en/hosted.ts';
import type { choice } from './en/language.ts';
import type { methods } from './en/methods.ts';
import type { statements } from './en/statements.ts';
import type { settings } from './en/settings.ts';
import type { terms } from './en/terms.ts';
import type { shown, shownReason } from './en/views.ts';
import type { visits } from './en/visits.ts';

export interface Words extends Record<Part, unknown> {
  /** A BCP 47 tag. */
  language: string;
  title: string;
  description: string;
  strings: typeof strings;
  length: typeof length;
  /** Translates a sentence of the engine from English. */
  say: typeof say;
  troubles: typeof troubles;
  views: typeof shown;
  shownReason: typeof shownReason;
  hosted: typeof hosted;
  hostedTroubles: typeof hostedTroubles;
  each: typeof each;
  grid: typeof grid;
  judged: typeof judged;
  kept: typeof kept;
  pages: typeof pages;
  look: typeof look;
  settings: typeof settings;
  statements: typeof statements;
  methods: typeof methods;
  terms: typeof terms;
  visits: typeof visits;
  first: typeof first;
  folder: typeof folder;
  choice: typeof choice;
}
