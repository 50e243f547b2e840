// Ranks the results.

import type { Found, Hit, Near, Query } from './found.ts';
import { type Index, lastNotAfter } from './open.ts';
import type { Scores } from './scores.ts';

// The constants of search.go.
const ofSummary = 0.4;
const exactTitle = 10;
const ofTitle = 3;
const ofHeading = 2;
const ofName = 6;

export function rank(x: Index, q: Query, s: Scores, found: Found, keep: number, near?: Near): void {
  const chunk = s.chunk.standardised();
  const page = s.page.standardised();
  const summary = s.summary.standardised();
  const allowed = allowedBy(x, q.filters);
  const oneName = !/[ \t\n]/.test(q.text.trim());
  for (const [name, values] of x.filters) {
    found.facets.set(
      name,
      new Map(
        [...values].map(([value, pages]) => [value, pages.reduce((n, p) => n + Number(s.page.words[p]! > 0), 0)]),
      ),
    );
  }
  const byPage = new Map<number, { chunk: number; score: number }[]>();
  const close = near?.best((c) => !allowed || allowed.has(lastNotAfter(x.first, c))) ?? [];
  for (const c of [...s.chunk.touched, ...close.filter((c) => !s.chunk.words[c])]) {
    const at = lastNotAfter(x.first, c);
    if (allowed && !allowed.has(at)) continue;
    found.together = Math.max(found.together, s.chunk.words[c]!);
    let v = chunk(c) + page(at) + ofSummary * summary(at);
    if (near) v += near.score(c);
    const weight = x.weights.get(at);
    if (weight !== undefined) v *= weight;
    v += s.asTyped.get(c) ?? 0;
    if (found.all && s.heads.get(c) === found.all) v += oneName ? ofName : ofHeading;
    const inTitle = s.titles[at]!;
    const title = x.titles[at]!;
    if (inTitle && inTitle === found.all && inTitle === title) v += exactTitle;
    else if (inTitle && (inTitle === found.all || inTitle === title))
      v += ofTitle * (inTitle / Math.max(found.all, title));
    const list = byPage.get(at);
    if (list) list.push({ chunk: c, score: v });
    else byPage.set(at, [{ chunk: c, score: v }]);
  }
  found.hits = [];
  for (const [at, list] of byPage) {
    list.sort((a, b) => b.score - a.score || a.chunk - b.chunk);
    found.hits.push({ page: at, score: list[0]!.score, chunks: list.slice(0, keep).map((c) => c.chunk) });
  }
  const best = (a: Hit, b: Hit) => b.score - a.score || a.page - b.page;
  if (!q.newest) {
    found.hits.sort(best);
    oneVersion(x, found);
    return;
  }
  const most = found.hits.reduce((n, h) => Math.max(n, s.page.words[h.page]!), 0);
  found.hits = found.hits.filter((h) => s.page.words[h.page] === most);
  const day = (h: Hit) => x.days.get(h.page) ?? 0;
  found.hits.sort((a, b) => day(b) - day(a) || best(a, b));
  oneVersion(x, found);
}

/** Keeps the newest hit of the versions of a page, at the place of the best. */
function oneVersion(x: Index, found: Found): void {
  const hits = new Map(found.hits.map((h) => [h.page, h]));
  const seen = new Set<number[]>();
  found.hits = found.hits.flatMap((h) => {
    const group = x.same.get(h.page);
    if (!group) return [h];
    if (seen.has(group)) return [];
    seen.add(group);
    return [{ ...hits.get(group.find((page) => hits.has(page))!)!, score: h.score }];
  });
  found.count = found.hits.length;
}

function allowedBy(x: Index, filters: Query['filters']): Set<number> | undefined {
  let out: Set<number> | undefined;
  for (const [name, values] of Object.entries(filters ?? {})) {
    if (!values.length) continue;
    const next = new Set<number>();
    for (const v of values) for (const p of x.filters.get(name)?.get(v) ?? []) if (!out || out.has(p)) next.add(p);
    out = next;
  }
  return out;
}
