// All English sentences of the engine and of a proxy must have a German form.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { german, say } from '../../app/words/german/says.ts';

/** All sentences found by the Go tests. */
const sentences = readFileSync('shared/engine/testdata/sentences.txt', 'utf8').trimEnd().split('\n');

/** Sentences that only a bug of the page could cause. */
const FAULTS = new Set([
  '%s has no vectors of %d sentences, and comparing sends nothing',
  'a chunk cannot begin with sentence %d of %d',
  '%d bytes are not vectors of %d texts',
  'invalid number of hits: %d',
  '%d strengths of %d sentences',
  '%s needs %d blobs and got %d',
  'a matrix of %d×%d',
  'A %s message is not a request.',
  'The %s is longer than %d bytes or did not arrive.',
  'Request %d is already running.',
  'The first message must be init.',
  'invalid diversity %v: use 0 to 1',
  'a plan that does not fit the method %s',
  'cancel needs the id of a call',
  'choose one of setting, threshold and count',
  'a page join needs the content view',
  'keep takes document, vectors, seen, index or bytes',
  'enrich takes statements, titles or parts',
  'layout gave up',
  'models cannot be opened here',
  'open takes the kind document or file',
  'the changes by hand are for an unknown view %q',
  'the message is not a request: %s',
  'the method cluster needs a vector of every sentence',
  'the page supports only pages joined by a space',
  'the parameters of %s cannot be read: %v',
  'the view is reading or content',
  'this method has no curve, so it takes no %s',
  'unknown action %q: choose split, merge, move, undo, redo, back or clear',
  'unknown view %q: choose reading or content',
  'vectors of %d results and written texts of %d, for %d results',
]);

test('every sentence has its German one', () => {
  assert.ok(sentences.length > 200);
  assert.deepEqual(
    sentences.filter((each) => !(each in german) && !FAULTS.has(each)),
    [],
  );
  assert.deepEqual(
    [...FAULTS].filter((each) => !sentences.includes(each) || each in german),
    [],
  );
});

const VERB = /%(?:\.\d+)?[a-z]/g;

test('each is found by what the engine makes of it, with all of its values', () => {
  for (const [form, made] of Object.entries(german)) {
    let n = 10;
    const values: string[] = [];
    const english = form.replace(VERB, (verb) => {
      const value = String(++n);
      values.push(value);
      return verb.endsWith('q') ? `"${value}"` : value;
    });
    const text = say(english);
    assert.notEqual(text, english, form);
    assert.doesNotMatch(text, /\$\d|undefined|%[a-z]/, form);
    if (typeof made === 'string') for (const value of values) assert.ok(text.includes(value), `${form}: ${text}`);
  }
});

test('values are written as German has them, and sentences within sentences are German', () => {
  for (const [english, said] of [
    ['page 4 holds images without text (scanned)', 'Seite 4: Bild ohne Text (gescannt)'],
    ['pages 3, 7–9 hold images without text (scanned)', 'Seiten 3, 7–9: Bilder ohne Text (gescannt)'],
    [
      'this file has no text: page 1 holds images without text (scanned)',
      'diese Datei enthält keinen Text: Seite 1: Bild ohne Text (gescannt)',
    ],
    [
      'no distance is 6.5 standard deviations above the mean',
      'kein Abstand liegt 6,5 Standardabweichungen über dem Mittel',
    ],
    [
      'the minimum of 2000 tokens is above the maximum of 512',
      'das Minimum von 2.000\u00a0Token liegt über dem Maximum von 512',
    ],
    [
      'read as koi8-r, found by its letters; offsets count in its UTF-8 form',
      'als koi8-r gelesen, an den Buchstaben erkannt; Stellen zählen in seiner UTF-8-Form',
    ],
    ['Seam reads PDF, HTML, plain text and Seam bundles.', 'Seam liest PDF, HTML, reinen Text und Seam-Bündel.'],
    [
      'The budget of team for this month is used up. It is renewed on 2026-12-01 at 00:00 UTC.',
      'Das Budget von team für diesen Monat ist aufgebraucht. Es wird am 2026-12-01 um 00:00 UTC erneuert.',
    ],
    ['Something of a later version.', 'Something of a later version.'],
  ])
    assert.equal(say(english ?? ''), said);
});
