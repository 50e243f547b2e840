// Opens the dialog of a document's statements by a model. A separate bundle: see
// statements-opener.ts.

import style from '../../styles/statements.css';
import { adopt } from '../ground/dom.ts';
import { Replies } from '../hosted/replies.ts';
import { StatementsDialog, type StatementsPlaces } from './statements-dialog.ts';

adopt(style);

export class StatementsView {
  readonly #places: StatementsPlaces;
  /** The replies paid for in this visit. */
  readonly #replies: Replies;
  #model = '';

  constructor(places: StatementsPlaces) {
    this.#places = places;
    this.#replies = new Replies(places.engine);
  }

  /** Opens the dialog for the selected document. */
  open(): void {
    const doc = this.#places.session.selected;
    if (doc?.chunking)
      new StatementsDialog(this.#places, doc, this.#replies, {
        get: () => this.#model,
        set: (name) => {
          this.#model = name;
        },
      }).show();
  }
}
