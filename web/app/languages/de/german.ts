// All German words, for their bundle.

import type { Words } from '../words.ts';
import { length } from './helpers.ts';
import { first } from './first.ts';
import { grid, judged } from './grid.ts';
import { hosted, hostedTroubles } from './hosted.ts';
import { kept } from './kept.ts';
import { choice } from './language.ts';
import { look } from './look.ts';
import { methods } from './methods.ts';
import { strings, troubles } from './page.ts';
import { pages } from './pages.ts';
import { say } from './says.ts';
import { settings } from './settings.ts';
import { statements } from './statements.ts';
import { terms } from './terms.ts';
import { shownReason, views } from './views.ts';
import { visits } from './visits.ts';

export const german: Words = {
  language: 'de',
  title: 'Seam – sehen, wo ein Text auseinandergeht',
  description: 'Schneidet Dokumente nach ihrer Bedeutung in Abschnitte, im Browser selbst.',
  strings, length, say, troubles, views, shownReason, grid, judged, hosted, hostedTroubles, kept, pages, look, settings, statements, methods, terms, visits, first, choice,
};
