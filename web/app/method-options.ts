// The methods to choose from, by what they go by.

import type { Method } from '../lib/api.ts';
import { h } from './dom.ts';
import { strings } from './strings.ts';

/** One that is in no group stands behind them. */
export function groupedOptions(methods: readonly Method[]): HTMLElement[] {
  const groups = strings.settings.groups.map(({ label, methods: names }) => h('optgroup', { label }, ...options(methods.filter(({ name }) => names.includes(name)))));
  const known = strings.settings.groups.flatMap(({ methods: names }) => names);
  return [...groups, ...options(methods.filter(({ name }) => !known.includes(name)))];
}

export function options(list: readonly { name: string; label: string }[]): HTMLOptionElement[] {
  return list.map(({ name, label }) => h('option', { value: name }, label));
}
