// Loads the words of another language if one is chosen. It is the first import of main.ts,
// and the build keeps modules in order, so all others are evaluated after the words are
// loaded.

import { LANGUAGE } from '../words/choice.ts';
import { preload } from './preload.ts';
import { remembered } from './remembered.ts';

/** Set by the build: the file and integrity of each language by its name. */
declare const __LANGUAGES__: string;

const files = JSON.parse(__LANGUAGES__) as Record<string, [file: string, integrity: string]>;
const wanted = [remembered(LANGUAGE), ...navigator.languages].map((each) => each.replace(/-.*/, ''));
const [file, integrity] = files[wanted.find((each) => each === 'en' || each in files) ?? ''] ?? [];
// If it fails, the page is in English.
if (file) await preload(file, integrity).catch(() => undefined);
