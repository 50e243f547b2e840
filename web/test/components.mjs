// The components of the page with their states, drawn from all stylesheets on a page of their
// own, for make shots. A component that the page gets has a row here.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../styles/', import.meta.url));
/** The report and the print view are documents of their own. */
const styles = readdirSync(folder).filter((name) => name.endsWith('.css') && !['report.css', 'print.css'].includes(name)).map((name) => readFileSync(folder + name, 'utf8')).join('\n');

/** Drawn as they are, with the pointer over them, with the focus, and disabled. */
const STATES = { '': [], hover: ['hover'], focus: ['focus', 'focus-visible'] };

const card = (attributes, more = '') => `<ol class="cards"><li><button class="card" ${attributes}><span class="plain-meta">3 · p. 2 · 189 tokens · a heading</span><span class="section">Why bread rises</span><span class="preview">Dough is a foam that has been persuaded to stay. When flour meets water, two of its proteins join.</span><span class="length" style="--share: .6"></span></button>${more}</li></ol>`;
const tools = '<div class="tools">' + ['Split', 'Merge', 'Earlier', 'Later', 'Copy'].map((name) => `<button class="small">${name}</button>`).join('') + '</div>';

/** Each has a title and its markup. Those with `states` are drawn in each state. */
const COMPONENTS = [
  { title: 'Main button', html: '<button class="primary">Choose files</button>', states: true },
  { title: 'Button', html: '<button class="plain">Folder</button>', states: true },
  { title: 'Small button', html: '<button class="small">Copy</button>', states: true },
  { title: 'Button that cannot be pressed', html: '<button class="small" disabled>Save</button>' },
  { title: 'Link', html: '<button class="link">More settings</button>', states: true },
  { title: 'Choice of a few', html: '<div class="choices"><button aria-pressed="false">For search</button><button aria-pressed="true">For answers</button></div>', states: true },
  { title: 'Choice of many', html: '<div class="field"><label>Method</label><select><option>Semantic</option></select></div>', states: true },
  { title: 'Number', html: '<div class="field"><label>Max tokens</label><input type="number" value="512"></div>', states: true },
  { title: 'Number that is refused', html: '<div class="field"><label>Max tokens</label><input type="number" value="0" aria-invalid="true"><p class="error">At least 1.</p></div>' },
  { title: 'Search', html: '<form class="search"><select class="scope"><option>All documents</option></select><input type="search" value="why bread rises"></form>', states: true },
  { title: 'Tabs', html: '<div class="tabs"><button role="tab" aria-selected="true">Chunks</button><button role="tab" aria-selected="false">Search</button></div>', states: true },
  { title: 'Requests: none, to the proxy, to others', html: '<div><button class="seal"><b></b><span>nothing sent · 0 requests</span></button></div><div class="relayed"><button class="seal"><b></b><span>2 requests to the proxy</span></button></div><div class="sent"><button class="seal"><b></b><span>1 request to other hosts</span></button></div>' },
  { title: 'Badge of the sealed page', html: '<strong class="sealed-badge">Sealed</strong>' },
  { title: 'Card of a chunk', html: card('data-colour="1"'), states: true },
  { title: 'Card of the chunk shown, with its tools', html: card('data-colour="2" aria-current="true"', tools) },
  { title: 'Card of a passage', html: '<ol class="cards hits"><li><button class="card"><small>Essays.pdf · p. 2</small><span class="preview">Why <mark>bread</mark> rises. <mark>Bread</mark> dough is a foam.</span><small class="why">has bread · words in its heading</small></button></li></ol>', states: true },
  { title: 'Question before sending', html: '<div class="consent"><p class="title"><strong>Nothing is sent yet</strong></p><p>Your question and 3 passages, about 412 tokens, will be sent.</p><div class="actions"><button class="primary small">Send</button><button class="small">Not now</button></div></div>' },
  { title: 'Failure', html: '<p class="failure">The file could not be read.</p>' },
  { title: 'Notice', html: '<p class="notice">2 files were there already.</p>' },
  { title: 'Colours of chunks: calm, strong, edge', html: [0, 1, 2, 3, 4].map((n) => `<span style="display: inline-block; padding: 4px 12px; border-inline-start: 4px solid var(--k${n}); background: var(--c${n})">${n + 1} <span style="background: var(--h${n})">word</span></span>`).join(' ') },
  { title: 'Font sizes', html: ['small', 'base', 'read', 'title'].map((name) => `<span style="font-size: var(--${name})">${name}</span>`).join(' ') },
];

/** Draws the components in the place of the page. */
export async function drawComponents(page) {
  const rows = COMPONENTS.map(({ title, html, states }) => `<section><h2>${title}</h2>${Object.keys(states ? STATES : { '': [] }).map((state) => `<div class="sample" data-state="${state}">${html}</div>`).join('')}</section>`);
  const layout = 'body { display: block; overflow: auto; block-size: auto; padding: 16px; } section { display: flex; flex-wrap: wrap; gap: 16px; align-items: start; margin-block-end: 16px; } section h2 { flex: 1 0 100%; } .sample { min-inline-size: 200px; max-inline-size: 340px; }';
  await page.goto('about:blank'); // the page's policy allows no styles in the markup
  await page.setContent(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Components</title><style>${styles}${layout}</style><body>${rows.join('')}</body></html>`);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const { root } = await cdp.send('DOM.getDocument');
  for (const [state, forcedPseudoClasses] of Object.entries(STATES)) {
    if (forcedPseudoClasses.length === 0) continue;
    const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: `[data-state=${state}] :is(button, input, select)` });
    for (const nodeId of nodeIds) await cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
  }
}
