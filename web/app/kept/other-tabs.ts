// Applies the changes of documents that other tabs have kept.

import type { EngineClient } from '../../lib/workers.ts';
import { newDoc, type Doc } from '../session/doc.ts';
import type { KeptDocument } from '../session/kept-document.ts';
import { listing } from '../session/memory.ts';
import { joined } from '../session/own-answers.ts';
import type { Session } from '../session/session.ts';
import type { Database } from './database.ts';
import type { Locks } from './locks.ts';
import type { News } from './news.ts';

export interface OtherTabsOptions {
  engine: EngineClient;
  session: Session;
  locks: Locks;
  open: () => Promise<Database>;
  /** Called when another tab has deleted everything. */
  cleared: () => void;
}

export class OtherTabs {
  readonly #options: OtherTabsOptions;

  constructor(options: OtherTabsOptions) {
    this.#options = options;
  }

  /** Handles a message of another tab. */
  async hear(news: News): Promise<void> {
    if (news.what === 'cleared') {
      this.#options.cleared();
      return;
    }
    const doc = this.#options.session.docs.find(({ kept }) => kept?.record?.id === news.id);
    if (news.what === 'removed') {
      if (!doc) return;
      this.#options.locks.release(doc);
      this.#options.session.drop(doc);
      return;
    }
    const record = doc || listing() ? await (await this.#options.open()).document(news.id) : undefined;
    if (!record || record.removed > 0) return;
    if (!doc) this.#options.session.restore([newDoc(record.name, null, record)]);
    else if (doc.following || doc.searched || doc.state === 'kept') await this.follow(doc, record);
    else if (doc.kept?.record) {
      const renamed = doc.name !== record.name;
      doc.kept.record.name = doc.name = record.name;
      if (this.#takeTags(doc, record) || renamed) this.#options.session.touched();
    }
  }

  /**
   * Applies the tags of another tab, unless the last record has the same: this tab may be
   * about to write others.
   */
  #takeTags(doc: Doc, { tags = [] }: KeptDocument): boolean {
    const { record } = doc.kept ?? {};
    if (!record || JSON.stringify(record.tags ?? []) === JSON.stringify(tags)) return false;
    record.tags = doc.tags = tags;
    return true;
  }

  /** Applies the changes made by another tab. */
  async follow(doc: Doc, record: KeptDocument): Promise<void> {
    const before = doc.kept?.record;
    if (before?.index?.file !== record.index?.file) this.#options.session.shelf.drop(doc);
    this.#takeTags(doc, record);
    doc.kept = { record, state: doc.kept?.state ?? 'saved', reason: '' };
    doc.name = record.name;
    doc.questions = record.questions ?? [];
    doc.statements = record.statements ?? [];
    doc.asked = joined(doc.asked, record.asked);
    if (doc.state === 'ready' && before && before.file !== record.file)
      this.#options.session.retry(Object.assign(doc, { source: null }));
    else if (doc.state === 'ready') {
      const { result } = await this.#options.engine.call('history', { doc: doc.id, since: 0 });
      if (JSON.stringify(result.log) !== JSON.stringify(record.log))
        await this.#options.session.edit(doc, { action: 'load', log: record.log });
    }
    if (doc.kept.record === record && doc.following) doc.kept.state = 'saved';
    this.#options.session.touched();
  }
}
