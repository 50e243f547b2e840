// The parts of a page with a proxy: hosted embedders in the settings, and the tab for
// questions. A separate bundle: see lazy.ts.

import css from '../../styles/hosted.css';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { Ask } from './ask.ts';
import type { AskState } from './ask-state.ts';
import { AskView } from './ask-view.ts';
import { Collection } from './collection.ts';
import { adopt } from '../ground/dom.ts';
import { EachOpener } from './each-opener.ts';
import { Finder } from './finder.ts';
import { Hosted, type Sending } from './hosted.ts';
import { Places } from './places.ts';
import { StoredView } from './stored-view.ts';
import type { Reach } from '../session/reach.ts';
import type { Search } from '../search/search.ts';
import { SendingView } from './sending-view.ts';
import type { Session } from '../session/session.ts';
import type { SettingsView } from '../settings/settings-view.ts';
import { tokens, tookToken } from './token.ts';
import { Warmer } from './warmer.ts';
import { wordsFirst } from './words-first.ts';

export interface HostedPlaces {
  engine: EngineClient;
  /** The worker that builds requests to models. */
  pdf: PdfClient;
  session: Session;
  search: Search;
  /** The origin of the proxy. */
  proxy: string;
  settings: SettingsView;
  reach: Reach;
  /** Called when a word has been sent to a model, so that it is loaded. */
  warmed: (model: string) => void;
  /** Called when the proxy has not answered. */
  lost: () => void;
  say: (text: string) => void;
}

adopt(css);

export class HostedParts {
  readonly models: Hosted;
  /** The tab for questions. */
  readonly ask: HTMLElement;

  constructor({ engine, pdf, session, search, proxy, settings, reach, warmed, lost, say }: HostedPlaces) {
    this.models = new Hosted(engine, session, proxy, { tokens, tookToken });
    new Collection(engine, this.models, search);
    wordsFirst(search, engine);
    const ask = new Ask(engine, pdf, session, search, this.models);
    const look = (state: Sending | AskState) => {
      if ('error' in state && state.error?.code === 'offline') lost();
    };
    this.models.on('changed', look);
    ask.on('changed', look);
    settings.slot.append(
      new SendingView(this.models, session, settings, say).element,
      new StoredView(engine, session).element,
    );
    const warmer = new Warmer(engine, this.models, warmed);
    const each = new EachOpener({
      engine,
      session,
      search,
      ask,
      models: this.models,
      finder: new Finder(engine, pdf, search),
      places: new Places(session, search),
    });
    this.ask = new AskView(ask, session, search, this.models, reach, each, warmer, say).element;
  }
}
