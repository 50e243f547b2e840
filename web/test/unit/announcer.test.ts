// The live region with the three members of an element that it uses: Node has no document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Announcer } from '../../app/ground/announcer.ts';

class Line {
  children: (Line | string)[] = [];
  append(...all: (Line | string)[]): void { this.children.push(...all); }
  replaceChildren(...all: (Line | string)[]): void { this.children = all; }
  setAttribute(): void { /* not looked at */ }
  set textContent(text: string) { this.children = [text]; }
  get textContent(): string { return this.children.map((each) => typeof each === 'string' ? each : each.textContent).join(''); }
}

test('what is said at once is a line each, the newest of each subject', (t) => {
  Object.assign(globalThis, { document: { createElement: () => new Line() } });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const announcer = new Announcer();
  announcer.say('chunks', '7 chunks');
  announcer.say('failed', '2 files could not be read.');
  announcer.say('chunks', '9 chunks.');
  t.mock.timers.runAll();
  const { children } = announcer.element as unknown as Line;
  assert.deepEqual(children.map((each) => typeof each === 'string' ? each : each.textContent), ['2 files could not be read.', '9 chunks.']);
});
