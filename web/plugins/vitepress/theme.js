// The default theme of VitePress with the search in its bar.

import { withBase } from 'vitepress';
import Default from 'vitepress/theme';
import { h } from 'vue';
import './theme.css';

/** Creates the element; attributes may be added. */
export const search = (attributes = {}) => h('seam-search', { index: withBase(__SEAM_FOLDER__), ...attributes });

export default {
  extends: Default,
  Layout: () => h(Default.Layout, null, { 'nav-bar-content-before': () => search() }),
};
