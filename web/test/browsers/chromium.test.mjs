// Tests two days of a user in Chromium, like the other browsers. Its other jobs are in
// test/browser.

import { startChromium } from './chromium.mjs';
import { suite } from './suite.mjs';

suite('Chromium', { finder: 'find-chromium.sh', start: startChromium, only: ['two days'] });
