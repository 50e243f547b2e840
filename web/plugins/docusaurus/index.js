// Adds the search of Seam to a Docusaurus site.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf, runIndex } from './run.js';

/**
 * The plugin: builds the index with the site, and adds the script to its pages and the
 * element to its bar.
 */
export default function seam({ baseUrl, i18n, outDir }, options = {}) {
  argumentsOf('.', options); // reports an unknown option at the start
  // Languages are folders of the site, each built separately. One index covers all of them.
  const up = i18n.currentLocale !== i18n.defaultLocale && baseUrl.endsWith(`/${i18n.currentLocale}/`) ? '../' : './';
  const index = new URL(`${up}${options.out ?? 'seam'}/`, `http://host${baseUrl}`).pathname;
  return {
    name: 'docusaurus-seam',
    getThemePath: () => fileURLToPath(new URL('theme', import.meta.url)),
    async contentLoaded({ actions }) {
      actions.setGlobalData({ ...options.attributes, index });
    },
    injectHtmlTags() {
      const built = process.env.NODE_ENV === 'production'; // there is no index before the build
      return { headTags: built ? [{ tagName: 'script', attributes: { type: 'module', src: `${index}widget.js` } }] : [] };
    },
    async postBuild() {
      runIndex(join(outDir, up), options);
    },
  };
}
