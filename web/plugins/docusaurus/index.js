// Builds the search of Seam with a Docusaurus site.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf, runIndex } from './run.js';

/** The plugin: the index when the site is built, the script in its pages, and the element in its bar. */
export default function seam({ baseUrl, i18n, outDir }, options = {}) {
  argumentsOf('.', options); // an unknown option is told at the start
  // Languages are folders of the site, each built on its own: one index has all that there are.
  const up = i18n.currentLocale !== i18n.defaultLocale && baseUrl.endsWith(`/${i18n.currentLocale}/`) ? '../' : './';
  const index = new URL(`${up}${options.out ?? 'seam'}/`, `http://host${baseUrl}`).pathname;
  return {
    name: 'docusaurus-seam',
    getThemePath: () => fileURLToPath(new URL('theme', import.meta.url)),
    async contentLoaded({ actions }) {
      actions.setGlobalData({ ...options.attributes, index });
    },
    injectHtmlTags() {
      const built = process.env.NODE_ENV === 'production'; // there is no index before
      return { headTags: built ? [{ tagName: 'script', attributes: { type: 'module', src: `${index}widget.js` } }] : [] };
    },
    async postBuild() {
      runIndex(join(outDir, up), options);
    },
  };
}
