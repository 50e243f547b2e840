import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import { search } from '../../../plugins/vitepress/theme.js';
import Curve from './Curve.vue';
import Flow from './Flow.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, {
    'nav-bar-content-before': () => search(),
    'home-features-before': () => h('div', { class: 'home-curve' }, h(Curve, { of: 'semantic' })),
  }),
  enhanceApp({ app }) {
    app.component('Curve', Curve);
    app.component('Flow', Flow);
  },
};
