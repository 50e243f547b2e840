import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Method, Setting } from '../../lib/api.ts';
import { initial, type Preferences } from '../../app/session/preferences.ts';
import { readSettings, settingsText, type Offer } from '../../app/settings/settings-address.ts';

const number = (least: number, most: number, standard: number): Setting => ({
  label: '',
  default: standard,
  min: least,
  max: most,
  step: 1,
  logarithmic: false,
  finer: false,
});
const method = (name: string, of: Partial<Method> = {}): Method => ({
  name,
  label: name,
  help: '',
  view: 'reading',
  needsVectors: true,
  curve: 'distance',
  setting: null,
  maxTokens: 0,
  minTokens: 0,
  takesMin: true,
  takesOverlap: true,
  ...of,
});
const offer: Offer = {
  methods: [
    method('semantic', { setting: number(0.125, 8, 1) }),
    method('percentile', { setting: number(0, 100, 95), takesOverlap: false }),
    method('fixed', { takesMin: false }),
  ],
  defaults: { method: 'semantic', embedder: 'auto' },
};
const mine: Preferences = {
  ...initial,
  method: 'percentile',
  embedder: 'hosted:openai:e',
  settings: { percentile: 80, semantic: 2 },
  minTokens: 7,
  maxTokens: 70,
  unit: 'words',
  searchMode: 'dense',
};
const read = (text: string) => readSettings(text, offer, mine);
const defaults = {
  method: '',
  minTokens: 0,
  maxTokens: 0,
  overlap: 0,
  unit: '',
  view: '',
  headers: false,
  searchMode: 'hybrid',
};

test('an address holds what differs from the defaults and is of use, and never an embedder', () => {
  assert.equal(
    settingsText(mine, offer),
    'method=percentile&setting=80&minTokens=7&maxTokens=70&unit=words&search=dense',
  );
  assert.equal(settingsText(mine, offer, false), 'method=percentile&setting=80&minTokens=7&maxTokens=70&unit=words');
  assert.equal(
    settingsText({ ...mine, overlap: 5, settings: { percentile: 95 }, view: 'reading' }, offer, false),
    'method=percentile&minTokens=7&maxTokens=70&unit=words',
    'no overlap, the default number, the method’s own order',
  );
  assert.equal(
    settingsText({ ...initial, method: 'percentile', settings: { percentile: 95 } }, offer),
    'method=percentile&setting=95',
    'a number that somebody has set is told',
  );
  assert.equal(settingsText({ ...initial, settings: {}, embedder: 'hosted:openai:e' }, offer), '');
  assert.equal(
    settingsText({ ...mine, method: 'gone', settings: { gone: 3 } }, offer, false),
    'minTokens=7&maxTokens=70&unit=words',
  );
  assert.equal(
    settingsText({ ...mine, method: 'fixed', overlap: 9 }, offer, false),
    'method=fixed&maxTokens=70&overlap=9&unit=words',
  );
});

test('what is read is what was written, and the rest is as by default', () => {
  for (const settings of [{ percentile: 80 }, { percentile: 0 }, { percentile: 33.3 }]) {
    const written: Preferences = { ...mine, settings, view: 'content', headers: true, searchMode: 'keyword' };
    const { change, unknown } = read(settingsText(written, offer));
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      { ...change, embedder: mine.embedder },
      { ...written, settings: { ...settings, semantic: 2 } },
      'the number of another method stays',
    );
  }
  const coarse = 2 ** 0.25;
  assert.equal(
    read(settingsText({ ...initial, settings: { semantic: coarse } }, offer)).change?.settings['semantic'],
    coarse,
    'to the last digit',
  );
  assert.deepEqual(read(''), { change: { ...defaults, settings: { percentile: 80 } }, unknown: [] });
  assert.equal(read('setting=90&method=percentile').change?.settings['percentile'], 90, 'in any order');
});

test('what is not understood is left out, named, and stays as it is', () => {
  const { change, unknown } = read('method=percentile&setting=101&maxTokens=-5&unit=parsecs&colour=red&minTokens=3');
  assert.deepEqual(unknown, ['setting=101', 'maxTokens=-5', 'unit=parsecs', 'colour=red']);
  assert.deepEqual(change, {
    ...defaults,
    method: 'percentile',
    settings: mine.settings,
    minTokens: 3,
    maxTokens: 70,
    unit: 'words',
  });
  const other = read('method=nonsense&setting=5&maxTokens=9');
  assert.deepEqual(other.unknown, ['method=nonsense', 'setting=5'], 'a number belongs to its method');
  assert.deepEqual(other.change, { ...defaults, method: 'percentile', settings: mine.settings, maxTokens: 9 });
  assert.deepEqual(read('maxTokens=9&maxTokens=10'), {
    change: { ...defaults, settings: { percentile: 80 }, maxTokens: 9 },
    unknown: ['maxTokens=10'],
  });
});

test('an embedder is never chosen by an address', () => {
  for (const text of ['embedder=hosted:openai:e', 'embedder=lexical', 'embedder=auto']) {
    const { change, unknown } = read(`maxTokens=9&${text}`);
    assert.deepEqual(unknown, [text]);
    assert.ok(change && !('embedder' in change));
  }
});

test('hostile values change nothing', () => {
  const hostile = [
    'maxTokens=1e9',
    'maxTokens=99999999',
    'maxTokens=1000001',
    'maxTokens=0x10',
    'maxTokens=NaN',
    'maxTokens=Infinity',
    'maxTokens=1.5',
    'maxTokens=+3',
    'maxTokens= 3',
    'maxTokens=',
    'maxTokens=٣',
    'setting=Infinity',
    'setting=1e3',
    'setting=-1',
    'setting=9',
    'setting=0',
    `setting=1.${'1'.repeat(21)}`,
    'unit=toString',
    'unit=constructor',
    'search=__proto__',
    'view=both',
    '__proto__=1',
    'constructor=1',
    'toString',
    'settings=1',
    'searchMode=dense',
    'method=__proto__',
    'method=hasOwnProperty',
    'token=abc',
    '%',
    '%%%=%zz',
    '%E0%A4%A=%FF',
    '=',
    '<img src=x onerror=alert(1)>',
    'method=SEMANTIC',
  ];
  for (const text of hostile) {
    const { change, unknown } = read(text);
    assert.equal(change, null, text);
    assert.equal(unknown.length, 1, text);
  }
  assert.equal(({} as Record<string, unknown>)['1'], undefined);
});

test('what is said of a part is short, and has nothing that is not seen', () => {
  const [long = ''] = read(`colour=${'x'.repeat(900)}`).unknown;
  assert.equal([...long].length, 31);
  assert.deepEqual(read('a=%E2%80%AEevil%00%0Ab').unknown, ['a= evil b']);
  assert.deepEqual(read('%E2%80%AE').unknown, ['?']);
});
