// All German words, for their bundle.

import type { Words } from './words.ts';
import { length } from './german/helpers.ts';
import { each } from './de/each.ts';
import { first } from './de/first.ts';
import { folder } from './de/folder.ts';
import { grid, judged } from './de/grid.ts';
import { hosted, hostedTroubles } from './de/hosted.ts';
import { kept } from './de/kept.ts';
import { choice } from './de/language.ts';
import { look } from './de/look.ts';
import { methods } from './de/methods.ts';
import { strings, troubles } from './de/page.ts';
import { pages } from './de/pages.ts';
import { say } from './german/says.ts';
import { settings } from './de/settings.ts';
import { statements } from './de/statements.ts';
import { terms } from './de/terms.ts';
import { shownReason, views } from './de/views.ts';
import { visits } from './de/visits.ts';

export const german: Words = {
  language: 'de',
  title: 'Seam – sehen, wo ein Text auseinandergeht',
  description: 'Schneidet Dokumente nach ihrer Bedeutung in Abschnitte, im Browser selbst.',
  strings,
  length,
  say,
  troubles,
  views,
  shownReason,
  each,
  grid,
  judged,
  hosted,
  hostedTroubles,
  kept,
  pages,
  look,
  settings,
  statements,
  methods,
  terms,
  visits,
  first,
  folder,
  choice,
};
