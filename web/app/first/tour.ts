// A tour of four steps, each shown next to its subject. Nothing is locked: the page stays
// usable, and the tour can be left at any time.

import { button, h, setText } from '../ground/dom.ts';
import { narrow } from '../ground/narrow.ts';
import { first } from '../words/en/first.ts';
import { beside } from './tour-place.ts';

const words = first.tour;

export interface Step {
  title: string;
  text: string;
  /**
   * Whether the note goes to the side of its subject, because below it would cover more of
   * interest.
   */
  aside?: boolean;
  /** Scrolls the subject into view. */
  show: () => void;
  /** Returns the subject's elements once they are in view. */
  subjects: () => readonly Element[];
}

export interface TourOptions {
  steps: readonly Step[];
  say: (text: string) => void;
  /** Called when the tour was left or has finished. */
  over: () => void;
}

export class Tour {
  readonly #options: TourOptions;
  readonly #at = h('p', { class: 'at' });
  readonly #title = h('h2', { id: 'tour-title' });
  readonly #text = h('p', { id: 'tour-text' });
  readonly #back = button(words.back, () => this.#go(this.#step - 1), { class: 'small' });
  readonly #skip = button(words.skip, () => this.end(), { class: 'link' });
  readonly #next = button(words.next, () => this.#go(this.#step + 1), { class: 'primary small' });
  readonly #element = h(
    'div',
    {
      popover: 'manual',
      class: 'tour',
      role: 'dialog',
      'aria-labelledby': 'tour-at tour-title',
      'aria-describedby': 'tour-text',
    },
    this.#at,
    this.#title,
    this.#text,
    h('div', { class: 'bar' }, this.#skip, this.#back, this.#next),
  );
  readonly #rings = [
    h('div', { class: 'tour-ring', popover: 'manual' }),
    h('div', { class: 'tour-ring', popover: 'manual' }),
  ];
  #step = -1;
  #from: Element | null = null;
  #frame = 0;

  constructor(options: TourOptions) {
    this.#options = options;
    this.#at.id = 'tour-at';
    this.#element.addEventListener('keydown', (event) => this.#key(event));
    // The subject moves with scrolling, a resized window, and work on a text.
    const follow = () => {
      if (this.#step >= 0) this.#frame ||= requestAnimationFrame(() => this.#place());
    };
    addEventListener('scroll', follow, { capture: true, passive: true });
    addEventListener('resize', follow);
    new ResizeObserver(follow).observe(this.#element);
  }

  /** Starts the tour from its beginning, even while it is running. */
  start(): void {
    if (this.#step < 0) {
      this.#from = document.activeElement;
      document.body.append(...this.#rings, this.#element);
      for (const each of this.#rings) each.showPopover();
      this.#element.showPopover();
    }
    this.#go(0);
    this.#next.focus();
  }

  end(): void {
    if (this.#step < 0) return;
    this.#step = -1;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const back = this.#element.contains(document.activeElement) || document.activeElement === document.body;
    for (const each of [...this.#rings, this.#element]) each.remove();
    if (back) this.#backTo()?.focus({ preventScroll: true });
    this.#options.over();
  }

  /**
   * Returns the element that had the focus if it is visible, or the button of its menu, or
   * else the text.
   */
  #backTo(): HTMLElement | undefined {
    const menu = this.#from?.closest('[popover]')?.id;
    const places = [
      this.#from,
      menu ? document.querySelector(`[popovertarget='${menu}']`) : null,
      document.querySelector('#text'),
      document.querySelector('[role=tab][aria-selected=true]'),
    ];
    return places.find(
      (place): place is HTMLElement =>
        place instanceof HTMLElement && place !== document.body && place.checkVisibility(),
    );
  }

  #go(to: number): void {
    const { steps, say } = this.#options;
    const step = steps[to];
    if (!step) {
      if (to >= steps.length) this.end();
      return;
    }
    const silent = this.#step < 0; // the new focus announces it
    this.#step = to;
    const at = words.at(to + 1, steps.length);
    setText(this.#at, at);
    setText(this.#title, step.title);
    setText(this.#text, step.text);
    setText(this.#next, to + 1 < steps.length ? words.next : words.done);
    this.#back.hidden = to === 0;
    this.#skip.hidden = to + 1 === steps.length;
    if (!silent && !document.activeElement?.checkVisibility()) this.#next.focus(); // the focus was on a hidden element
    step.show();
    this.#place();
    if (!silent) say(words.said(at, step.title, step.text));
  }

  #key(event: KeyboardEvent): void {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (key === 'Escape') this.end();
    else if (key === 'ArrowRight') this.#go(Math.min(this.#step + 1, this.#options.steps.length - 1));
    else if (key === 'ArrowLeft') this.#go(this.#step - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Draws rings around the subject and places the note next to it; on a phone at the lower
   * edge.
   */
  #place(): void {
    this.#frame = 0;
    const step = this.#options.steps[this.#step];
    const boxes = (step?.subjects() ?? []).map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0);
    this.#rings.forEach((ring, i) => {
      const box = boxes[i];
      ring.hidden = !box;
      if (!box) return;
      const [left, top] = [Math.max(2, box.left - 4), Math.max(2, box.top - 4)];
      Object.assign(ring.style, {
        left: `${left}px`,
        top: `${top}px`,
        width: `${Math.min(box.right + 4, innerWidth - 2) - left}px`,
        height: `${Math.min(box.bottom + 4, innerHeight - 2) - top}px`,
      });
    });
    const { offsetWidth: width, offsetHeight: height } = this.#element;
    const at = narrow.matches
      ? null
      : beside(boxes, { width, height }, { width: innerWidth, height: innerHeight }, step?.aside);
    this.#element.classList.toggle('below', !at);
    Object.assign(this.#element.style, { left: at ? `${at.left}px` : '', top: at ? `${at.top}px` : '' });
  }
}
