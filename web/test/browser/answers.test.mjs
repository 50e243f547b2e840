// The Markdown of an answer, and the passages chosen before a question is sent, through the
// real proxy.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { makeFixtures, restsInView } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, ask, opened, since, testKeyStays } from './proxy-page.mjs';

const MARKDOWN = `In short: **it ends** [1].

## Why
1. First \`it [1]\` begins [1]
   - then *nested* **[1]**
2. It ends [77].

| Part | m² |
|:---|---:|
| Loft [1] | 120 |

\`\`\`js
if (a < b) return c[1]
\`\`\`
> Quoted
### More
![a picture](https://pictures.example/cat.png) and [a page](https://pages.example/a) and <img src=https://pictures.example/dog.png> and <b>no markup</b>
***`;

let site;
let arrived;
before(async () => {
  makeFixtures();
  site = await proxied();
});
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

/** Returns an element as a short text: tag(children). */
const shape = (page) => page.locator('.answer').evaluate((answer) => {
  const short = (node) => node instanceof Text ? node.data : `${node.className === 'cite' ? 'cite' : node.localName}(${[...node.childNodes].map(short).join('')})`;
  return [...answer.childNodes].map(short).join('\n');
});

test('the Markdown of an answer is shown as elements; nothing in it is loaded, and its numbers lead to the passages', async (t) => {
  const page = await opened(t, site);
  const requested = [];
  page.on('request', (request) => requested.push(request.url()));
  await site.provider.by([['Why does it end'], `chunk-delay=5ms; words=${MARKDOWN}`]);
  t.after(() => site.provider.by());
  await ask(page, 'Why does it end?');
  await answered(page);
  assert.equal(await shape(page), `p(In short: strong(it ends) cite(1).)
h3(Why)
ol(li(First code(it [1]) begins cite(1)ul(li(then em(nested) strong(cite(1)))))li(It ends.))
div(table(thead(tr(th(Part)th(m²)))tbody(tr(td(Loft cite(1))td(120)))))
pre(if (a < b) return c[1])
blockquote(p(Quoted))
h4(More)
p(a picture and a page (https://pages.example/a) and <img src=https://pictures.example/dog.png> and <b>no markup</b>)
hr()`);
  assert.deepEqual(requested.filter((url) => !url.startsWith('blob:') && new URL(url).host !== new URL(site.url).host), []);
  await page.locator('.under').getByText('1 number that named no passage was left out.').waitFor();
  await page.locator('.answer td .cite').click();
  await restsInView(page, 'seam-passage');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy with sources' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.startsWith(`Why does it end?\n\n${MARKDOWN.replace(' [77]', '')}\n\n[1] `), copied);
  await accessible(page, 'an answer with all of Markdown');
});

test('while an answer arrives, its elements grow and are not made again', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('hold; chunk-delay=5ms; words=A **bold claim that goes on [1] and on** ends.');
  await ask(page, 'What ends boldly?');
  await page.locator('.answer strong').getByText('goes on').waitFor();
  await page.locator('.answer strong .cite').evaluate((cite) => { cite.focus(); window.first = cite; });
  await site.provider.release();
  await answered(page);
  assert.equal(await shape(page), 'p(A strong(bold claim that goes on cite(1) and on) ends.)');
  assert.ok(await page.evaluate(() => document.querySelector('.answer .cite') === window.first && document.activeElement === window.first));
});

testKeyStays(() => site);
