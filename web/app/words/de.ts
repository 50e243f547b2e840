// The bundle of the German words.

import { begin } from './begin.ts';
import { german } from './german.ts';

begin(german);
