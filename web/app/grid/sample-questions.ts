// Questions about the sample, with answers quoted from its text (web/sample), so that a
// first visit can compare settings. Some share words with their answers, some do not.

import type { Question } from '../../lib/api.ts';
import { spansOf } from '../../lib/questions.ts';
import type { Chunking } from '../session/doc.ts';

const ABOUT: readonly [question: string, excerpt: string][] = [
  [
    'How does a scout tell the others where a hollow is?',
    'The angle of the dance tells the direction, its length tells the distance, and the number of repetitions tells how good the place is.',
  ],
  [
    'When does a swarm stop deliberating?',
    'As soon as some twenty or thirty scouts are present at one site at the same time, they fly back and make the piping sound that tells the others to warm up their flight muscles.',
  ],
  ['How was the metre defined at first?', 'one ten-millionth of the distance from the pole to the equator'],
  [
    'Why is the metre slightly too short?',
    'The metre that came out of it was short by about a fifth of a millimetre, because the Earth is less regular than they had assumed.',
  ],
  ['What does kneading do?', 'Kneading lines up the strands and makes the network strong enough to hold gas.'],
  [
    'Where does the taste of sourdough come from?',
    'A slow rise in a cool place lets bacteria add acids, which is where much of the flavour of a sourdough loaf comes from.',
  ],
  [
    'Why is a loaf brown only outside?',
    'The crust browns only when its surface has dried out, because the reactions between sugars and proteins need temperatures that wet dough cannot reach.',
  ],
  [
    'How far back do calendars of tree rings go?',
    'researchers have built calendars that reach back more than twelve thousand years in central Europe',
  ],
  [
    'How was radiocarbon dating corrected?',
    'Measuring wood of known age gave the curve by which every radiocarbon laboratory now adjusts its results.',
  ],
  [
    'Who began the mathematics of queues?',
    'In 1909 the Danish engineer Agner Krarup Erlang asked how many lines an exchange needed so that few callers would find all of them busy.',
  ],
  [
    'How long is the wait if the clerk is nearly always occupied?',
    'At ninety per cent the wait is nine times as long, and at ninety-nine per cent it is ninety-nine times.',
  ],
  [
    'Why is one shared line better?',
    'One line that feeds several counters is fairer than a line for each, since nobody can be stuck behind the one slow case.',
  ],
  [
    'What holds desert soil together?',
    'Their sticky threads glue grains of soil together, so that wind and water carry less of it away.',
  ],
  [
    'How long until a trampled crust is healed?',
    'Recovery takes from twenty years to several centuries, depending on how much rain falls.',
  ],
  [
    'What was Fresnel’s idea?',
    'Only the surface of a lens bends the light, so he cut the surface into rings and left out the glass behind them.',
  ],
  [
    'How did sailors know which lighthouse they saw?',
    'each lighthouse was given a rhythm of its own, so that a captain could tell one from another by counting',
  ],
  [
    'How many letters does an expert see at a glance?',
    'A practised reader moves the eyes four or five times a second and takes in seven or eight letters to the right of each stop.',
  ],
  [
    'Which part of the brain reads?',
    'all scripts make use of the same small region on the left side of the visual cortex',
  ],
];

/** Returns the questions with their places in a text, or none if it is not the sample. */
export function sampleQuestions({ text: { text, view } }: Chunking): Question[] {
  const questions = ABOUT.flatMap(([question, excerpt]) =>
    spansOf({ question, excerpts: [excerpt] }, text, view).map(({ start, end }) => ({
      question,
      excerpts: [text.slice(start, end)],
      places: [{ view, start }],
    })),
  );
  return questions.length === ABOUT.length ? questions : [];
}
