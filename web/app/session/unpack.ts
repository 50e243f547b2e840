// The documents of a bundle, as rows of the list. Loaded with the first bundle, so that it
// imports nothing that the page has.

import type { Bundled, Hello, Plan } from '../../lib/api.ts';
import type { Answer } from '../../lib/client.ts';
import type { Settings } from '../../lib/cut.ts';
import type { Doc } from './doc.ts';

/** Characters. */
const NAME_LENGTH = 200;

/** Those that are not there already, text and changes by hand alike, get a row of their own, whose name no other has: nothing that is open is changed. */
export function rowsOf({ result, blobs }: Answer<{ documents: Bundled[] }>, docs: readonly Doc[], hello: Hello, newDoc: (name: string, source: null) => Doc): { made: Doc[]; twins: Doc[] } {
  const made: Doc[] = [];
  const twins: Doc[] = [];
  result.documents.forEach(({ name, source, log, plan, digest, questions, statements }, i) => {
    const there = [...docs, ...made];
    const twin = there.find(({ packed, kept }) => (packed?.digest ?? kept?.record?.packed) === digest);
    if (twin) {
      if (!twins.includes(twin)) twins.push(twin);
      return;
    }
    const given = settingsOf(plan, hello);
    const [document, vectors] = [0, 1].map((at) => new Blob([blobs[2 * i + at] ?? new ArrayBuffer(0)])) as [Blob, Blob];
    made.push(Object.assign(newDoc(unlike(name.slice(0, NAME_LENGTH), there), null), {
      state: 'queued', size: source.size ?? document.size, given, questions, statements,
      packed: { document, vectors, log, digest, source, note: plan.method && !given ? `${plan.method}, ${plan.embedder}` : '' },
    }));
  });
  return { made, twins };
}

function unlike(name: string, docs: readonly Doc[]): string {
  for (let n = 1, next = name; ; next = `${name} (${++n})`) if (!docs.some((each) => each.name === next)) return next;
}

/** Settings that make a plan; null where the engine cannot follow it here. */
export function settingsOf({ method, view, join, embedder, criterion, limits, headers }: Plan, { methods, embedders }: Hello): Settings | null {
  const known = methods.find(({ name }) => name === method);
  if (!known || view !== known.view || join.given || !embedders.some(({ name }) => name === embedder)) return null;
  return {
    method, embedder,
    ...(criterion.by && { [criterion.by]: criterion.value ?? 0 }),
    maxTokens: limits.asked ? limits.max : 0, minTokens: limits.min,
    ...(limits.overlap > 0 && { overlap: limits.overlap }),
    ...(limits.unit !== 'model' && { unit: limits.unit }),
    ...(headers && { headers }),
  };
}
