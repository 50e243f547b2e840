// Tests the page in a stock Firefox.

import { startFirefox } from './firefox.mjs';
import { suite } from './suite.mjs';

suite('Firefox', { finder: 'find-firefox.sh', start: startFirefox });
