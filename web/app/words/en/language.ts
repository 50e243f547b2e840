// The words of the choice of a language, used in several bundles.

import { words } from '../language.ts';

export const choice = words('choice', {
  label: 'Language',
  /** Shown before the choice, because it reloads the page. */
  lost: 'The page is loaded again for that, and what is not kept in this browser would be lost.',
  busy: 'The page is loaded again for that, and something is under way. Choose again when it is done.',
  load: 'Load it anyway',
  stay: 'Not now',
  is: 'The page is in English now.',
});
