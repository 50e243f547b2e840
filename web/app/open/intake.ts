// The ways to add documents: drop, file dialog, paste, sample.

import { accept, inFolder } from '../../lib/formats.ts';
import type { LeftFile, LeftOut, NamedBlob } from '../../lib/named-blob.ts';
import { button, h } from '../ground/dom.ts';
import { strings } from '../words/en/page.ts';

declare const __SAMPLE__: string;

/** The type set on everything dragged from this page. */
const OWN = `application/x-seam-${performance.timeOrigin}`;

export interface IntakeOptions {
  /** `left` counts the files left out of a folder. */
  add: (files: NamedBlob[], left?: LeftOut) => void;
  /** Called when a file will follow, so its reader can be loaded. */
  expect: () => void;
  /** Opens the dialog to paste into. */
  paste: () => void;
  failed: (cause: unknown) => void;
}

export class Intake {
  readonly #options: IntakeOptions;
  readonly #picker = h('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    id: 'picker',
    accept,
    'aria-label': strings.documents.choose,
  });
  readonly #veil = h(
    'div',
    { class: 'veil', hidden: true, 'aria-hidden': 'true' },
    h('p', {}, strings.documents.dropHere),
  );
  readonly #folder = h('input', {
    type: 'file',
    webkitdirectory: true,
    hidden: true,
    id: 'folder-picker',
    'aria-label': strings.documents.folder,
  });

  /** The files left out of the folders added in this visit, and how many more there are. */
  left: { files: readonly LeftFile[]; more: number } = { files: [], more: 0 };

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#picker.addEventListener('change', () => {
      this.#addFiles(this.#picker.files);
      this.#picker.value = ''; // so that the same file can be chosen again
    });
    this.#folder.addEventListener('change', () => {
      const list = [...(this.#folder.files ?? [])];
      this.#folder.value = '';
      this.#addFolder(({ pickedFiles }) => pickedFiles(list, inFolder));
    });
    document.body.append(this.#picker, this.#folder, this.#veil);
    this.#listenForDrops();
    document.addEventListener('paste', (event) => this.#paste(event));
  }

  /** Returns the ways to open something as buttons. */
  ways(): HTMLButtonElement[] {
    return [
      button(strings.documents.choose, () => this.choose(), { class: 'primary' }),
      button(
        strings.documents.folder,
        () => {
          this.#options.expect();
          this.#folder.click();
        },
        { class: 'plain' },
      ),
      button(strings.documents.paste, () => this.#options.paste(), { class: 'plain' }),
      button(strings.documents.sample, () => void this.addSample(), { class: 'plain' }),
    ];
  }

  /** Opens the dialog of the browser to choose files. */
  choose(): void {
    this.#options.expect();
    this.#picker.click();
  }

  expect(): void {
    this.#options.expect();
  }

  /** Adds files from another source. */
  add(files: NamedBlob[]): void {
    this.#options.add(files);
  }

  addText(text: string): void {
    if (!text.trim()) return;
    this.#options.add([{ name: strings.documents.pasted, blob: new Blob([text], { type: 'text/plain' }) }]);
  }

  async addSample(): Promise<void> {
    try {
      const url = new URL(__SAMPLE__, import.meta.url);
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
      const extension = __SAMPLE__.slice(__SAMPLE__.lastIndexOf('.') + 1);
      this.#options.add([{ name: strings.documents.sampleName(extension), blob: await response.blob() }]);
    } catch (cause) {
      this.#options.failed(cause);
    }
  }

  #addFiles(files: Iterable<File> | null | undefined): void {
    this.#options.add([...(files ?? [])].map((file) => ({ name: file.name, blob: file })));
  }

  /**
   * The whole window accepts drops, because a file dropped outside a small target would
   * replace the page.
   */
  #listenForDrops(): void {
    // A child is entered before its parent is left, so a depth of 0 means outside the
    // window.
    let depth = 0;
    const show = (on: boolean) => {
      this.#veil.hidden = !on;
    };
    window.addEventListener('dragenter', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      if (++depth === 1) this.#options.expect();
      show(true);
    });
    window.addEventListener('dragleave', () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) show(false);
    });
    // Text dropped on a field goes into the field. Content dragged from this page is no new
    // document.
    const typed = ({ target, dataTransfer }: DragEvent) =>
      target instanceof Element && target.matches(':read-write') && !dataTransfer?.types.includes('Files');
    window.addEventListener('dragstart', ({ dataTransfer }) => dataTransfer?.setData(OWN, '1'));
    window.addEventListener('dragover', (event) => {
      if (typed(event)) return;
      event.preventDefault();
      if (event.dataTransfer?.types.includes(OWN)) event.dataTransfer.dropEffect = 'none';
    });
    window.addEventListener('drop', (event) => {
      depth = 0;
      show(false);
      if (typed(event)) return;
      event.preventDefault();
      const text = event.dataTransfer?.files.length ? '' : (event.dataTransfer?.getData('text/plain') ?? '');
      if (text) this.addText(text);
      else this.#addDropped(event.dataTransfer);
    });
  }

  /** Folders can be identified only while the drop event is handled. */
  #addDropped(data: DataTransfer | null): void {
    const entries = [...(data?.items ?? [])].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    if (!entries.some((entry) => entry.isDirectory)) {
      this.#addFiles(data?.files);
      return;
    }
    this.#addFolder(({ filesOf }) => filesOf(entries, inFolder));
  }

  #addFolder(look: (folder: typeof import('./folder.ts')) => Promise<{ files: NamedBlob[]; left: LeftOut }>): void {
    import('./folder.ts')
      .then(look)
      .then(({ files, left }) => {
        this.left = { files: [...this.left.files, ...left.files], more: this.left.more + left.more };
        this.#options.add(files, left);
      })
      .catch(this.#options.failed);
  }

  #paste(event: ClipboardEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('input, textarea, select, dialog, [contenteditable]')) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // Spreadsheet cells or parts of a letter come with a picture of themselves; a file
    // comes with its name.
    const pictured =
      text.trim() !== '' && files.every(({ type, name }) => type.startsWith('image/') && !text.includes(name));
    if (files.length > 0 && !pictured) this.#addFiles(files);
    else this.addText(text);
    event.preventDefault();
  }
}
