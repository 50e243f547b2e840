// Says after a question how much was sent, to whom, and which passages were not.

import type { Ask } from './ask.ts';
import type { AskState } from './ask-state.ts';
import type { Hosted } from './hosted.ts';
import { hosted } from '../words/en/hosted.ts';

const words = hosted.ask;

/** Returns the sentence for a question of which `found` passages were found, or ''. */
export function describeSent(ask: Ask, models: Hosted, found: number, state: AskState): string {
  const model = models.labelOf(ask.model);
  if (state.kind === 'failed' && found > 0) return words.sent(found, ask.went, model, models.host);
  if (state.kind === 'done' && state.answered.requests === 0) return words.sentBefore;
  if ((state.kind !== 'done' && state.kind !== 'cut') || state.answered.passages === 0) return '';
  const { answered } = state;
  const { passages, tokens, tokensOut, query, estimated } = answered;
  const sent = [
    words.sent(passages, ask.went, model, models.host, {
      tokens,
      tokensOut,
      estimated,
      dollars: ask.cost(tokens, tokensOut),
    }),
    answered.requests !== undefined ? words.inRequests(answered.requests) : '',
    state.kind === 'done' && answered.whole > 0 ? words.cut(answered).replace(/\.$/, '') : '',
    passages < found ? words.fewer(passages, found, answered.context) : '',
  ]
    .filter(Boolean)
    .join('. ');
  if (ask.parts.length > 0) return `${sent}. ${words.lookedFor(ask.parts)}`;
  return query === state.question ? sent : `${sent}. ${words.searched(query)}`;
}
