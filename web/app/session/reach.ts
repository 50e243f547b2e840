// Records which choices lack a network or a host, as far as is known. No request is made to
// find out.

import { Emitter } from '../ground/emitter.ts';

/** The entry among the embedders that asks the proxy for its list. */
export const CONNECT = 'connect';

export class Reach extends Emitter<{ changed: void }> {
  /** Returns in a few words why an option cannot be chosen, by its value; empty if it can. */
  why: (value: string) => string = () => '';

  tell(why: (value: string) => string): void {
    this.why = why;
    this.emit('changed', undefined);
  }
}
