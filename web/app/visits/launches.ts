// Handles files from outside the page, opened with the installed app or shared by another
// program, and the shortcuts of the app.

import type { NamedBlob } from '../../lib/named-blob.ts';
import { entry } from '../../lib/place.ts';
import { ask } from '../policy/service.ts';
import { visits as words } from '../words/en/visits.ts';
import type { VisitPlaces } from './visit-places.ts';

/** The launch parameters from the system. */
export interface Launch {
  files?: readonly FileSystemFileHandle[];
  targetURL?: string | null;
}

export class Launches {
  readonly #places: VisitPlaces;
  /** The address the page was opened with, which the system reports once more. */
  #begun = location.href;

  constructor(places: VisitPlaces) {
    this.#places = places;
  }

  /**
   * Performs the action in the page's address, and removes it from the address so that it
   * runs once.
   */
  begin(): void {
    const { search } = location;
    history.replaceState(history.state, '', entry);
    this.#do(search);
  }

  take({ files = [], targetURL }: Launch): void {
    if (files.length > 0) {
      Promise.all(files.map(async (handle) => ({ name: handle.name, blob: await handle.getFile() }))).then(
        this.#places.add,
        this.#places.failed,
      );
    } else if (targetURL && targetURL !== this.#begun) this.#do(new URL(targetURL).search);
    this.#begun = '';
  }

  #do(query: string): void {
    if (query === '?sample') this.#places.sample();
    // Browsers open a file dialog only after a user's press.
    if (query === '?open')
      void this.#places.ready.then(() =>
        document.querySelector<HTMLElement>('.empty:not([hidden]) button, #add-open')?.focus(),
      );
    if (query === '?shared') this.#shared().catch(this.#places.failed);
  }

  async #shared(): Promise<void> {
    const all = (await ask<(File | string)[]>('shared')) ?? [];
    const files: NamedBlob[] = all.flatMap((each) =>
      each instanceof File && each.name ? [{ name: each.name, blob: each }] : [],
    );
    const text = all.filter((each) => typeof each === 'string' && each).join('\n\n');
    if (files.length === 0 && text) files.push({ name: words.sharedText, blob: new Blob([text]) });
    if (files.length > 0) this.#places.add(files);
    else this.#places.inform(words.nothingShared);
  }
}
