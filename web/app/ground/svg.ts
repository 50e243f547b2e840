// Creates SVG elements, as dom.ts creates HTML elements.

const decimals = (value: string | number): string =>
  String(typeof value === 'number' ? Number(value.toFixed(2)) : value);

/** Numbers have at most two decimals. */
export function svg(
  tag: string,
  attributes: Record<string, string | number>,
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, decimals(value));
  element.append(...children);
  return element;
}
