// What cannot be had for want of a network or a host, as far as is known: nothing
// is asked of anybody to find out.

import { Emitter } from '../ground/emitter.ts';

/** Among the embedders: ask the proxy what it has. */
export const CONNECT = 'connect';

export class Reach extends Emitter<{ changed: void }> {
  /** Why an option cannot be chosen, by its value, in a few words; empty: it can. */
  why: (value: string) => string = () => '';

  tell(why: (value: string) => string): void {
    this.why = why;
    this.emit('changed', undefined);
  }
}
