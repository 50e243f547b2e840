// What a language has: the types are those of the English words, so that one without its
// translation, and one too many, do not compile.

import type { Part } from '../language.ts';
import type { kept } from '../kept/strings.ts';
import type { words as look } from '../page/look-strings.ts';
import type { words as pages } from '../page/strings.ts';
import type { length, say, strings, troubles } from '../strings.ts';
import type { first } from '../strings-first.ts';
import type { grid, judged } from '../strings-grid.ts';
import type { hosted, hostedTroubles } from '../strings-hosted.ts';
import type { choice } from '../strings-language.ts';
import type { methods } from '../strings-methods.ts';
import type { statements } from '../strings-statements.ts';
import type { settings } from '../strings-settings.ts';
import type { terms } from '../strings-terms.ts';
import type { shown, shownReason } from '../strings-views.ts';
import type { visits } from '../strings-visits.ts';

export interface Words extends Record<Part, unknown> {
  /** As BCP 47 names it. */
  language: string;
  title: string;
  description: string;
  strings: typeof strings;
  length: typeof length;
  /** A sentence of the engine, which it has in English. */
  say: typeof say;
  troubles: typeof troubles;
  views: typeof shown;
  shownReason: typeof shownReason;
  hosted: typeof hosted;
  hostedTroubles: typeof hostedTroubles;
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
  choice: typeof choice;
}
