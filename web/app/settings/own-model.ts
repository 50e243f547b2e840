// Opens a model of the user's from a folder on the disk: Model2Vec or a sentence encoder.

import type { EngineClient } from '../../lib/workers.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { explained } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

/** The files read from the folder. */
const FILES = [
  'model.safetensors',
  'tokenizer.json',
  'config.json',
  'modules.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
];
/** An encoder packed by Seam consists of this file alone. */
const PACKED = 'model.bin';
/** Twice the size of the largest published models. The model must fit into memory twice. */
const MOST_BYTES = 1 << 30;

export class OwnModel {
  readonly #engine: EngineClient;
  readonly #session: Session;
  readonly #input = h('input', { type: 'file', webkitdirectory: true, hidden: true, 'aria-label': shown.model.open });
  readonly #open = button(shown.model.open, () => this.#input.click(), { class: 'link' });
  readonly #note = h('p', { class: 'help', 'aria-live': 'polite' });
  readonly #error = h('p', { class: 'error', 'aria-live': 'assertive', hidden: true });
  readonly element = h('div', {}, this.#open, this.#input, this.#note, this.#error);

  constructor(engine: EngineClient, session: Session) {
    this.#engine = engine;
    this.#session = session;
    this.#input.addEventListener('change', () => {
      const files = [...(this.#input.files ?? [])];
      this.#input.value = ''; // the same folder may be chosen again
      if (files.length > 0) void this.#read(files);
    });
  }

  async #read(all: File[]): Promise<void> {
    this.#tell(shown.model.reading, '');
    this.#open.disabled = true;
    try {
      const name = all[0]?.webkitRelativePath.split('/')[0] ?? '';
      const found = (wanted: string) =>
        all.filter(({ webkitRelativePath: path }) => path.slice(path.indexOf('/') + 1) === wanted);
      const whole = FILES.flatMap(found);
      const files = found('model.safetensors').length > 0 ? whole : [...found(PACKED), ...whole];
      const missing = found(PACKED).length > 0 ? [] : FILES.slice(0, 2).filter((each) => found(each).length === 0);
      if (missing.length > 0) throw new SeamError('bad-model', shown.model.missing(name, missing), shown.model.hint);
      if (files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES)
        throw new SeamError('bad-model', shown.model.tooLarge, shown.model.hint);
      const blobs = await Promise.all(files.map((file) => file.arrayBuffer()));
      const { result } = await this.#engine.call(
        'model',
        { name, files: files.map(({ webkitRelativePath: path }) => path.slice(path.indexOf('/') + 1)) },
        { blobs },
      );
      this.#session.addEmbedder(result);
      this.#tell(shown.model.ready(name), '');
    } catch (cause) {
      this.#tell('', explained(SeamError.from(cause)));
    }
    this.#open.disabled = false;
  }

  #tell(note: string, error: string): void {
    setText(this.#note, note);
    this.#error.hidden = !error;
    setText(this.#error, error);
  }
}
