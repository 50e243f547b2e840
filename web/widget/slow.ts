// Decides when the widget fetches the files for search by meaning, which are some
// megabytes.

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * Reports whether to fetch them: not if the site or the reader declines, or the connection
 * is slow.
 */
export function mayMean(host: HTMLElement): boolean {
  const { saveData, effectiveType } = (navigator as { connection?: Connection }).connection ?? {};
  return host.getAttribute('meaning') !== 'off' && !saveData && !/[23]g/.test(effectiveType ?? '');
}

const idle = 150; // the pause in typing, in milliseconds

export const pause = (milliseconds = idle) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });
