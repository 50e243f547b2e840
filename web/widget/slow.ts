// When the widget fetches what finding by meaning takes, which is some megabytes.

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Not where the site or the reader wants none of it, or the connection is slow. */
export function mayMean(host: HTMLElement): boolean {
  const { saveData, effectiveType } = (navigator as { connection?: Connection }).connection ?? {};
  return host.getAttribute('meaning') !== 'off' && !saveData && !/[23]g/.test(effectiveType ?? '');
}

const idle = 150; // milliseconds in which nobody has typed

export const pause = (milliseconds = idle) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });
