// Builds elements without markup, because the page's policy forbids innerHTML.

export type Props = Record<string, string | number | boolean | null | undefined>;

/**
 * Creates an element with attributes and children. `true` sets an empty attribute; `false`,
 * null and undefined omit it. `class` and all others are plain attributes.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Node | string | null)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setAttribute(element, name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function setAttribute(element: Element, name: string, value: Props[string]): void {
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

export function button(text: string, action: (event: MouseEvent) => void, props: Props = {}): HTMLButtonElement {
  const element = h('button', { type: 'button', ...props }, text);
  element.addEventListener('click', action);
  return element;
}

/** Adds the styles of a bundle. */
export function adopt(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

/** Sets the text only if it differs, because a live region or the layout would react otherwise. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Splits a text into plain and marked parts. Marks are ascending [start, end) offsets. */
export function marked(text: string, marks: [number, number][]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let at = 0;
  for (const [start, end] of marks) {
    if (start < at || end <= start) continue;
    fragment.append(text.slice(at, start), h('mark', {}, text.slice(start, end)));
    at = end;
  }
  fragment.append(text.slice(at));
  return fragment;
}
