// German: the choice of a language.

import type { Words } from '../words.ts';

export const choice: Words['choice'] = {
  label: 'Sprache',
  lost: 'Dafür wird die Seite neu geladen, und was nicht in diesem Browser gespeichert ist, ginge verloren.',
  busy: 'Dafür wird die Seite neu geladen, und noch ist etwas in Arbeit. Wählen Sie noch einmal, wenn es fertig ist.',
  load: 'Trotzdem laden',
  stay: 'Nicht jetzt',
  is: 'Die Seite ist jetzt auf Deutsch.',
};
