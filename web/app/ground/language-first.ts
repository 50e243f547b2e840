// Brings the words of another language, if the page is to be in one. It is the first import of
// main.ts, and the build puts modules one after another: all others are evaluated when the
// words are there.

import { LANGUAGE } from '../words/choice.ts';
import { preload } from './preload.ts';
import { remembered } from './remembered.ts';

/** Put in by the build: the file and the integrity of each, by the name of the language. */
declare const __LANGUAGES__: string;

const files = JSON.parse(__LANGUAGES__) as Record<string, [file: string, integrity: string]>;
const wanted = [remembered(LANGUAGE), ...navigator.languages].map((each) => each.replace(/-.*/, ''));
const [file, integrity] = files[wanted.find((each) => each === 'en' || each in files) ?? ''] ?? [];
// Without it the page is in English.
if (file) await preload(file, integrity).catch(() => undefined);
