import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { withSeam } from '../../plugins/vitepress/index.js';
import { commands } from '../scripts/commands.mjs';
import { program, root, seam } from '../scripts/seam.mjs';

/** The path of the site on its host: $BASE, by default the root. */
const base = `/${process.env.BASE ?? ''}/`.replace(/\/+/g, '/');

// The schema is a file of the site.
const files = `${root}web/docs/pages/public/`;
mkdirSync(files, { recursive: true });
writeFileSync(`${files}chunks.schema.json`, seam('schema'));

const icon = readFileSync(`${root}web/app/icon.svg`).toString('base64');
const page = (text, link) => ({ text, link });

const sidebar = [
  { text: 'Guide', items: [page('In the page', '/guide/page'), page('On the command line', '/guide/command-line'), page('How Seam works', '/guide/how-it-works'), page('Privacy', '/guide/privacy')] },
  {
    text: 'Methods',
    items: [
      page('Which method', '/methods/'), page('semantic', '/methods/semantic'), page('Thresholds', '/methods/thresholds'),
      page('cluster', '/methods/cluster'), page('Structure', '/methods/structure'), page('Sizes', '/methods/sizes'),
      page('notebook-*', '/methods/notebook'), page('Limits and headers', '/methods/limits'), page('Embedders', '/methods/embedders'),
      page('Measure answers', '/methods/measure'),
    ],
  },
  { text: 'Commands', items: [page('All commands', '/commands/'), ...commands().map((c) => page(c.name, `/commands/${c.slug}`))] },
  { text: 'Proxy', items: [page('Running it', '/proxy/'), page('Budgets', '/proxy/budgets'), page('Every key', '/proxy/keys')] },
  { text: 'Widget', items: [page('Search of a docs site', '/widget/'), page('Attributes and API', '/widget/reference'), page('Recipes', '/widget/recipes')] },
  { text: 'Formats', items: [page('Files of chunks', '/formats/chunks'), page('Bundles (.seam)', '/formats/bundle')] },
];

export default withSeam({
  title: 'Seam',
  description: 'Seam splits documents by meaning and searches them, inside your browser.',
  lang: 'en',
  base,
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml;base64,${icon}` }]],
  themeConfig: {
    nav: [page('Guide', '/guide/page'), page('Methods', '/methods/'), page('Commands', '/commands/'), page('Widget', '/widget/')],
    sidebar,
    outline: [2, 3],
    externalLinkIcon: true,
  },
}, { program, folders: 'part', exclude: 'index.html' });
