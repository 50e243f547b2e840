// The page in German, by the browser's language and by choice: complete, and without
// overflow. Also documents written from right to left.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { onScreen, open, start, until } from './harness.mjs';
import { englishTexts } from './language-words.mjs';
import { accessible } from './looks.mjs';

let site;
const english = englishTexts();
before(async () => { site = await start(); });
after(() => site?.close());

const german = { locale: 'de-DE', reducedMotion: 'reduce' };
const pictures = process.env.SEAM_PICTURES;

/** Takes a picture of the state for review, if requested. */
async function picture(page, name) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function sample(page) {
  await page.getByRole('button', { name: 'Beispiel öffnen' }).click();
  await page.locator('#panel-chunks .card').first().waitFor({ state: 'attached' });
}

/** Fails if an English text is visible: one from the English modules that is longer than a name. */
async function allGerman(page, state) {
  assert.ok(english.length > 300, String(english.length));
  const text = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title], [placeholder]')]
    .flatMap((each) => ['aria-label', 'title', 'placeholder'].map((name) => each.getAttribute(name) ?? ''))].join('\n'));
  for (const words of english) assert.ok(!text.includes(words), `${state}: “${words}”`);
}

/** Fails if an element overflows. */
async function fits(page, state) {
  const wide = await page.evaluate(() => {
    const whole = document.documentElement;
    const all = [...document.querySelectorAll('button:not(.select), label, [role=tab], summary, h2, h3, .hint, .help')].filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline');
    const list = all.filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).map((each) => `${each.className}: ${each.textContent} ${each.scrollWidth} > ${each.clientWidth}`);
    list.push(...all.filter((each) => each.getBoundingClientRect().left < 0 || each.closest('dialog') && each.getBoundingClientRect().left < each.closest('dialog').getBoundingClientRect().left).map((each) => `${each.textContent} begins before its place`));
    return [...list, ...(whole.scrollWidth > whole.clientWidth ? [`page: ${whole.scrollWidth} > ${whole.clientWidth}`] : [])];
  });
  assert.deepEqual(wide, [], state);
}

for (const [width, height] of [[360, 740], [768, 1024], [1440, 900]]) {
  test(`all of the page is in German, and fits: ${width} px`, async () => {
    const tab = await open(site, { ...german, viewport: { width, height } });
    const { page } = tab;
    const look = async (state, whole = true) => {
      await allGerman(page, state);
      await fits(page, state);
      if (whole) await accessible(page, state);
      await picture(page, `${width}-${state}`);
    };
    await page.locator('.example').nth(4).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.match(await page.title(), /auseinandergeht$/);
    await look('empty');
    await sample(page);
    await page.locator('.tour-offer').waitFor();
    await look('offered');
    for (const name of ['Abschnitte', 'Suche', 'Vergleich']) {
      await page.getByRole('tab', { name }).click();
      if (name === 'Suche') {
        await page.locator('#panel-search .questions button').first().click();
        await onScreen(page, /Treffer für „/).waitFor();
      }
      if (name === 'Vergleich') await page.locator('.ribbons canvas[role=img]').waitFor({ state: 'attached' });
      await look(name);
    }
    if (width >= 1100) await page.getByRole('button', { name: 'Vergleich schließen' }).click(); // it covers the rest
    await page.locator('.tour-offer button').first().click();
    for (let n = 1; n <= 4; n++) {
      await onScreen(page, `${n} von 4`, { exact: true }).waitFor();
      await look(`tour${n}`, n === 1);
      await page.locator('.tour .primary').click();
    }
    if (width <= 900) await page.locator('.to-sheet').click();
    await page.getByRole('button', { name: 'Verwalten' }).scrollIntoViewIfNeeded();
    await page.locator('#language').waitFor();
    await look('settings');
    await page.getByRole('button', { name: 'Was jedes tut' }).click();
    await page.locator('dialog.methods').waitFor();
    await look('methods');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Verwalten' }).click();
    await page.locator('dialog').waitFor();
    await look('kept');
    await page.getByRole('button', { name: 'Schließen', exact: true }).click();
    if (width <= 900) await page.locator('.sheet-close').click();
    await page.locator('.seal').click();
    await page.locator('#ledger').getByText(/Offline-Nutzung/).waitFor();
    await look('ledger');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?'); // the button is for users with a keyboard
    await page.locator('dialog').waitFor();
    await look('keys');
    tab.check();
    await tab.close();
  });
}

/** Records the language bundles requested by a page. */
function bundles(page) {
  const names = [];
  page.on('request', (request) => names.push(...request.url().match(/\/de-\w+\.js$/) ?? []));
  return names;
}

test('a language is chosen, outlasts a reload, and English fetches nothing for it', async () => {
  const tab = await open(site, { locale: 'en-GB' });
  const { page } = tab;
  const names = bundles(page);
  await page.reload();
  await page.locator('.example').first().waitFor();
  assert.deepEqual(names, []);
  await page.getByRole('button', { name: 'Menu' }).click();
  await Promise.all([page.waitForEvent('load'), page.locator('#menu').getByLabel('Language').selectOption({ label: 'Deutsch' })]);
  await page.getByRole('button', { name: 'Beispiel öffnen' }).waitFor();
  await page.locator('[role=status], [aria-live]', { hasText: 'Die Seite ist jetzt auf Deutsch.' }).first().waitFor({ state: 'attached' });
  await page.reload();
  await page.getByRole('button', { name: 'Beispiel öffnen' }).waitFor();
  assert.ok(names.length > 0);
  await page.getByRole('button', { name: 'Menü' }).click();
  await Promise.all([page.waitForEvent('load'), page.locator('#menu').getByLabel('Sprache').selectOption('en')]);
  await page.getByRole('button', { name: 'Try the sample' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  tab.check();
  await tab.close();
});

test('the first language of the browser that there is', async () => {
  for (const [languages, button] of [[['fr', 'de-AT', 'en'], 'Beispiel öffnen'], [['fr', 'en-US', 'de'], 'Try the sample'], [['fr'], 'Try the sample']]) {
    const context = await site.browser.newContext();
    await context.addInitScript((list) => Object.defineProperty(navigator, 'languages', { get: () => list }), languages);
    const page = await context.newPage();
    await page.goto(site.url);
    await page.getByRole('button', { name: button }).waitFor();
    await context.close();
  }
});

test('what is not kept is not lost by choosing a language without a word', async () => {
  const tab = await open(site, { locale: 'en-GB' });
  const { page } = tab;
  await page.evaluate(() => localStorage.setItem('seam.keep', 'nothing'));
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await page.locator('#panel-chunks .card').first().waitFor();
  await page.locator('#language').selectOption('de');
  await onScreen(page, 'would be lost').waitFor();
  await page.locator('.language').getByRole('button', { name: 'Not now' }).click();
  assert.equal(await page.locator('#language').inputValue(), 'en');
  await page.locator('#language').selectOption('de');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Load it anyway' }).click()]);
  await page.getByRole('button', { name: 'Beispiel öffnen' }).waitFor();
  tab.check();
  await tab.close();
});

test('a document that is kept is there again in the other language, without a question', async () => {
  const tab = await open(site, { locale: 'en-GB' });
  const { page } = tab;
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await page.locator('.documents li', { hasText: 'saved' }).waitFor();
  await Promise.all([page.waitForEvent('load'), page.locator('#language').selectOption('de')]);
  await page.locator('#panel-chunks .card').first().waitFor();
  await page.locator('.documents li', { hasText: 'gespeichert' }).waitFor();
  tab.check();
  await tab.close();
});

test('what the engine says of a file, of limits and of a cut that finds nothing is German', async () => {
  const tab = await open(site, german);
  const { page } = tab;
  const file = async (name, buffer, said) => {
    await page.locator('#picker').setInputFiles({ name, mimeType: '', buffer: Buffer.from(buffer) });
    await page.locator('.documents li', { hasText: name }).getByText(said).waitFor();
  };
  await file('sieb.txt', [1, 0, 2, 0, 3], 'Diese Datei ist kein Text: Sie enthält Binärdaten.');
  await file('kein.pdf', 'Das ist kein PDF.', 'Diese Datei ist trotz ihres Namens kein PDF.');
  await file('leer.txt', '  \n ', 'Diese Datei enthält keinen Text.');
  await file('café.txt', [...Buffer.from('Das Haus am Fluss ist alt. Im Winter ist das Caf'), 0xe9, ...Buffer.from(' zu. Die Fischer essen dort.')], 'kein UTF-8, als Windows-1252 gelesen; Stellen zählen in seiner UTF-8-Form');
  await page.locator('#method').selectOption('stddev');
  await page.locator('#setting').fill('6');
  await page.locator('#knob-remedy').getByText('Kein Abstand liegt 6 Standardabweichungen über dem Mittel.').waitFor();
  await page.locator('#min-tokens').fill('2000');
  await page.locator('#max-tokens').fill('512');
  await onScreen(page, 'Das Minimum von 2.000\u00a0Token liegt über dem Maximum von 512.').waitFor();
  await picture(page, 'said');
  await fits(page, 'said');
  await accessible(page, 'said');
  tab.check();
  await tab.close();
});

/** Our own: short texts in Hebrew and Arabic, each with a word from left to right. */
const rightToLeft = {
  'מים.txt': ['הנהר יורד מן ההרים אל הים.', 'בחורף הוא גואה ומציף את השדות.', 'הדייגים יוצאים אליו עם שחר.', 'הלחם נאפה בתנור של אבן.', 'הבצק תופח שעה ארוכה.', 'הקמח בא מן הטחנה Seam שבכפר.'].join(' '),
  'ماء.txt': ['ينزل النهر من الجبال إلى البحر.', 'في الشتاء يفيض على الحقول.', 'يخرج الصيادون إليه مع الفجر.', 'يخبز الخبز في فرن من حجر.', 'يرتاح العجين ساعة طويلة.', 'يأتي الدقيق من المطحنة Seam في القرية.'].join(' '),
};

for (const [name, text] of Object.entries(rightToLeft)) {
  test(`a document from right to left: ${name}`, async () => {
    const tab = await open(site, german);
    const { page } = tab;
    await page.locator('#picker').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`${text}\n\n${text}`) });
    await page.locator('#panel-chunks .card').first().waitFor();
    const direction = (selector) => page.locator(selector).first().evaluate((each) => getComputedStyle(each).direction);
    await page.locator('#text .block').first().waitFor();
    assert.equal(await direction('#text .block'), 'rtl', 'the text');
    assert.equal(await direction('#panel-chunks .card .preview'), 'rtl', 'a card');
    await page.locator('#search').fill(text.split(' ')[1]);
    await page.locator('.hits .card').first().waitFor();
    assert.equal(await direction('#search'), 'rtl', 'the search box');
    assert.equal(await direction('.hits .card .preview'), 'rtl', 'a passage found');
    assert.equal(await direction('.curve canvas'), 'ltr', 'the curve');
    assert.equal(await direction('#panel-chunks .card small'), 'ltr', 'what the page says of it');
    await fits(page, name);
    await picture(page, `rtl-${name.length}-${name.charCodeAt(0)}`);
    tab.check();
    await tab.close();
  });
}

test('the number on the line is written and read as German has it', async (t) => {
  const tab = await open(site, { locale: 'en-GB' }); // the browser's language differs from the page's
  t.after(tab.close);
  const { page } = tab;
  await page.evaluate(() => localStorage.setItem('seam.language', 'de'));
  await page.reload();
  await sample(page);
  await page.locator('#method').selectOption('percentile');
  await page.locator('.curve[aria-label^="Abstand"]').waitFor({ state: 'attached' });
  const number = page.getByRole('textbox', { name: 'Wo die Schwelle liegt' });
  await until(async () => /^\d,\d\d$/.test(await number.inputValue()));
  const made = () => page.locator('.curve .made').innerText();
  const before = await made();
  await number.fill('0,5');
  await number.press('Enter');
  await until(async () => await made() !== before);
  await number.blur();
  assert.equal(await number.inputValue(), '0,50');
  assert.match(await page.locator('.axis span').first().textContent(), /^\d,\d\d$/);
  tab.check();
});
