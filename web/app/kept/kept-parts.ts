// The parts that keep documents between visits: the keeper, its line below the list, and
// its dialog. A separate bundle, loaded with the first document or if there are documents
// of an earlier visit: see lazy.ts.

import css from '../../styles/kept.css';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { BundleSaver } from './bundle-saver.ts';
import { adopt } from '../ground/dom.ts';
import type { Notice } from '../ground/notice.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { KeptView } from './kept-view.ts';
import { Keeper } from './keeper.ts';
import { kept as words } from '../words/en/kept.ts';

export interface KeptPlaces {
  engine: EngineClient;
  pdf: PdfClient;
  session: Session;
  copier: () => Worker;
  search: Search;
  notice: Notice;
  /** Placed below the list of documents. */
  slot: HTMLElement;
  say: (text: string) => void;
}

adopt(css);

export class KeptParts {
  readonly keeper: Keeper;

  constructor({ engine, pdf, session, copier, search, notice, slot, say }: KeptPlaces) {
    const tell = (text: string) => {
      notice.show(text);
      say(text);
    };
    const empty = () => void this.keeper.bin.empty().catch(() => undefined); // then on the next visit
    this.keeper = new Keeper({
      engine,
      session,
      copier,
      tell,
      removed: (docs, undo) => {
        const text = words.removed(docs.map(({ name }) => name));
        notice.show(text, { label: words.undo, act: undo, over: empty });
        say(text);
      },
    });
    addEventListener('pagehide', empty);
    const view = new KeptView(this.keeper, session, search, new BundleSaver(engine, pdf, session), say);
    slot.append(view.element);
  }
}
