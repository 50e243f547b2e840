// What a page with a proxy has more: hosted embedders among the settings, and
// the tab where questions are asked. A bundle of its own: see lazy.ts.

import css from '../styles/hosted.css';
import { token } from '../lib/place.ts';
import type { EngineClient } from '../lib/workers.ts';
import { Ask } from './ask.ts';
import { AskView } from './ask-view.ts';
import { Hosted } from './hosted.ts';
import { StoredView } from './stored-view.ts';
import type { Search } from './search.ts';
import { SendingView } from './sending-view.ts';
import type { Session } from './session.ts';
import type { SettingsView } from './settings-view.ts';

export interface HostedPlaces {
  engine: EngineClient;
  session: Session;
  search: Search;
  /** The origin of the proxy. */
  proxy: string;
  settings: SettingsView;
  say: (text: string) => void;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

export class HostedParts {
  readonly models: Hosted;
  /** Where questions are asked. */
  readonly ask: HTMLElement;

  constructor({ engine, session, search, proxy, settings, say }: HostedPlaces) {
    this.models = new Hosted(engine, session, proxy, token);
    settings.slot.append(new SendingView(this.models, session, settings, say).element, new StoredView(engine, session).element);
    this.ask = new AskView(new Ask(engine, session, search, this.models), search, this.models, say).element;
  }
}
