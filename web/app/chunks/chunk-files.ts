// The items of the menu “Save” for the selected document's chunks, and the unit of offsets.

import type { ExportFormat, OffsetUnit } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { button, h } from '../ground/dom.ts';
import type { Doc } from '../session/doc.ts';
import { FORMATS, saveFile } from '../session/export.ts';
import type { Session } from '../session/session.ts';
import { explained } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

const UNITS: readonly OffsetUnit[] = ['bytes', 'utf16', 'codepoints'];

export class ChunkFiles {
  readonly #session: Session;
  readonly #report: (text: string) => void;
  readonly #choice = h(
    'select',
    { id: 'save-offsets' },
    ...UNITS.map((unit) => h('option', { value: unit }, shown.chunks.units[unit])),
  );
  /** The choice of the unit. */
  readonly unit = h('label', { class: 'choice' }, shown.chunks.offsets, this.#choice);
  readonly items: readonly HTMLButtonElement[];
  /** The format saved last, which the settings name. */
  #last: ExportFormat = 'jsonl';

  /** `report` shows why a file could not be saved, or clears that. */
  constructor(session: Session, report: (text: string) => void) {
    this.#session = session;
    this.#report = report;
    this.items = [
      ...FORMATS.map(({ name, type, end }) =>
        button(
          shown.chunks.formats[name],
          () => {
            if (name !== 'json') this.#last = name;
            void this.#save(type, end, { format: name });
          },
          { id: `save-${name}` },
        ),
      ),
      button(shown.chunks.settings, () => void this.#saveSettings(), { id: 'save-settings' }),
    ];
  }

  /** Returns the JSON of the chunks, or null if there are none. */
  async json(): Promise<string | null> {
    const bytes = await this.#file({ format: 'json' });
    return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.file);
  }

  #saveSettings(): Promise<void> {
    const end = FORMATS.find(({ name }) => name === this.#last)?.end ?? '';
    return this.#save('application/json', `${end}.settings`, { format: this.#last, settings: true });
  }

  async #save(type: string, end: string, params: { format: ExportFormat; settings?: boolean }): Promise<void> {
    const made = await this.#file(params);
    if (made) saveFile(made.doc.name + end, new Blob([made.file], { type }));
  }

  async #file({ format, settings = false }: { format: ExportFormat; settings?: boolean }): Promise<{
    doc: Doc;
    file: ArrayBuffer;
  } | null> {
    const doc = this.#session.selected;
    if (!doc) return null;
    this.#report('');
    try {
      const sha256 = await (await import('../session/twins.ts')).digest(doc);
      const offsets = this.#choice.value as OffsetUnit;
      const file = await this.#session.exported(doc, { format, offsets, settings, sha256 });
      return file && { doc, file };
    } catch (cause) {
      this.#report(explained(SeamError.from(cause)));
      return null;
    }
  }
}
