import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginsAt, movePlace, splitPlace } from '../../app/hand/edit-places.ts';
import type { Chunk, CurveKind } from '../../lib/api.ts';
import type { Chunking } from '../../app/session/doc.ts';

const text = 'One. Two. Three.\n\nFour. Five.';
const at = (word: string) => text.indexOf(word);

/** Returns `text` with chunks that end after these words. */
function cut(ends: string[], curve: number[] = [], kind: CurveKind = '', overlap = 0): Chunking {
  const sentences = [...text.matchAll(/\w+\./g)].flatMap(({ index, 0: { length } }) => [index, index + length]);
  let end = 0;
  const chunks = ends.map((word): Chunk => {
    const start = end === 0 ? 0 : end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0) - overlap;
    end = at(word) + word.length + 1;
    return { id: '', start, end, tokens: 1, page: 0, pages: [], section: '', reason: { kind: 'end' } };
  });
  return {
    text: {
      view: 'reading',
      pages: [],
      links: [],
      headings: [],
      elements: new Int32Array(),
      marks: new Int32Array(),
      text,
    },
    curve: Float32Array.from(curve),
    sentences: Int32Array.from(sentences),
    boundaries: new Int32Array(),
    eased: '',
    settings: '',
    followed: {},
    unit: '',
    embedder: '',
    result: {
      doc: 1,
      view: 'reading',
      method: '',
      setting: null,
      threshold: null,
      curve: kind,
      sentences: 5,
      chunks,
      milliseconds: {},
      cached: [],
      embedder: '',
      estimated: false,
      minTokens: 0,
      maxTokens: 0,
      unknown: null,
      remedy: null,
      edits: { count: 0, held: 0, canUndo: false, canRedo: false },
      embedded: 0,
      reused: 0,
    },
  };
}

test('a chunk is split where it comes apart most', () => {
  assert.equal(splitPlace(cut(['Three', 'Five'], [0.2, 0.9, 0.95, 0.1], 'distance'), 0), at('Three'));
  assert.equal(splitPlace(cut(['Three', 'Five'], [0.2, 0.9, 0.1, 0.1], 'similarity'), 0), at('Two'));
  assert.equal(splitPlace(cut(['Five']), 0), at('Three'), 'in the middle without a curve');
  assert.equal(splitPlace(cut(['Three', 'Five'], [], '', 5), 1), at('Five'), 'not in what it overlaps');
  assert.equal(splitPlace(cut(['One', 'Five']), 0), null, 'of one sentence');
});

test('an end moves by a sentence, and not over the next', () => {
  const chunking = cut(['Two', 'Four', 'Five']);
  assert.equal(movePlace(chunking, 0, true), at('Four'));
  assert.equal(movePlace(chunking, 0, false), at('Two'));
  assert.equal(movePlace(chunking, 1, true), null, 'the next has one sentence');
  assert.equal(movePlace(chunking, 1, false), at('Four'));
  assert.equal(movePlace(chunking, 2, true), null, 'the last');
  assert.equal(movePlace(cut(['One', 'Five']), 0, false), null, 'it has one sentence');
});

test('which chunk begins at a place', () => {
  const chunking = cut(['Three', 'Five']);
  assert.equal(beginsAt(chunking, at('Four')), 1);
  assert.equal(beginsAt(chunking, 0), -1);
  assert.equal(beginsAt(chunking, at('Five')), -1);
});
