// Tests the page in WebKit, Safari's engine, from the system's packages.

import { after } from 'node:test';
import { pageWithStandIn } from './stand-in.mjs';
import { suite } from './suite.mjs';
import { startWebKit } from './webkit.mjs';

let made;
suite('WebKit', {
  finder: 'find-webkit.sh',
  start: startWebKit,
  dir() {
    made = pageWithStandIn();
    return made.dir;
  },
});
after(() => made?.remove());
