// Adds the search of Seam to a VitePress site.

import { argumentsOf, runIndex } from './run.js';

export { runIndex };

/**
 * Returns the configuration with the search: its script in the pages, and its index after
 * the build.
 */
export function withSeam(config, options = {}) {
  argumentsOf('.', options); // reports an unknown option at the start
  const folder = options.out ?? 'seam';
  const isCustomElement = config.vue?.template?.compilerOptions?.isCustomElement;
  return {
    ...config,
    vue: {
      ...config.vue,
      template: {
        ...config.vue?.template,
        compilerOptions: { ...config.vue?.template?.compilerOptions, isCustomElement: (tag) => tag === 'seam-search' || (isCustomElement?.(tag) ?? false) },
      },
    },
    vite: {
      ...config.vite,
      // The theme has a stylesheet, which Node cannot import.
      ssr: { ...config.vite?.ssr, noExternal: config.vite?.ssr?.noExternal === true || ['vitepress-seam', config.vite?.ssr?.noExternal ?? []].flat() },
      // One copy of Vue, even if this package is linked from elsewhere.
      resolve: { ...config.vite?.resolve, dedupe: ['vue', ...config.vite?.resolve?.dedupe ?? []] },
      define: { ...config.vite?.define, __SEAM_FOLDER__: JSON.stringify(`/${folder}/`) },
    },
    // Here and not in `head`, because the base may be set on the command line.
    async transformHead(context) {
      const script = ['script', { type: 'module', src: `${context.siteConfig.site.base}${folder}/widget.js` }];
      return [...await config.transformHead?.(context) ?? [], script];
    },
    async buildEnd(site) {
      await config.buildEnd?.(site);
      runIndex(site.outDir, options);
    },
  };
}
