// Groups the methods for the menu by their basis.

import type { Method } from '../../lib/api.ts';
import { h } from '../ground/dom.ts';
import { strings } from '../words/en/page.ts';

/** Methods without a group come last, in a group without a label. */
export function grouped(methods: readonly Method[]): { label: string; methods: Method[] }[] {
  const groups = strings.settings.groups.map(({ label, methods: names }) => ({
    label,
    methods: methods.filter(({ name }) => names.includes(name)),
  }));
  return [
    ...groups,
    { label: '', methods: methods.filter((each) => !groups.some(({ methods: known }) => known.includes(each))) },
  ];
}

export function groupedOptions(methods: readonly Method[]): HTMLElement[] {
  return grouped(methods).flatMap(({ label, methods: own }) =>
    label ? [h('optgroup', { label }, ...options(own))] : options(own),
  );
}

export function options(list: readonly { name: string; label: string }[]): HTMLOptionElement[] {
  return list.map(({ name, label }) => h('option', { value: name }, label));
}
