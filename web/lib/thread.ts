// What of a thread goes with its next question: as many of the latest turns as fit.

import type { ChatMessage } from './api-hosted.ts';

export interface Asked {
  question: string;
  /** As the model gave it, with the numbers of its passages. */
  answer: string;
  /** Passages that it was given; 0: nothing was sent. */
  sent: number;
}

/** A passage of a turn: enough to find it again, and no word of it. */
export interface Place {
  /** Of the document while it is kept; empty: it is not. */
  kept: string;
  name: string;
  page: string;
  start: number;
  end: number;
  marks: [number, number][];
  passage: [number, number] | null;
  focus: number;
}

/** A turn with what its numbers stand for, in their order. `thread` is the same for all of a thread. */
export interface Turn extends Asked {
  thread: string;
  places: readonly Place[];
}

export interface History {
  messages: ChatMessage[];
  /** Turns that go, and older ones that do not. */
  kept: number;
  dropped: number;
  /** Of what goes, estimated as the proxy does it. */
  tokens: number;
}

/** Tokens of a history at most: what was said long ago is paid for with each question. */
const MOST_TOKENS = 2000;

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Tokens of a text, about: a third of its bytes. */
export const tokensOf = (text: string): number => Math.ceil(bytesOf(text) / 3);

/** `most` is what the proxy takes. What was not sent when it was asked is not sent later. */
export function historyOf(thread: readonly Asked[], most: { turns: number; bytes: number }): History {
  const turns = thread.filter(({ sent, answer }) => sent > 0 && answer !== '');
  const history: History = { messages: [], kept: 0, dropped: turns.length, tokens: 0 };
  let bytes = 0;
  for (const { question, answer } of [...turns].reverse()) {
    bytes += bytesOf(question) + bytesOf(answer);
    const tokens = history.tokens + tokensOf(question) + tokensOf(answer);
    if (history.kept === most.turns || bytes > most.bytes || tokens > MOST_TOKENS) break;
    history.messages.unshift({ role: 'user', content: question }, { role: 'assistant', content: answer });
    history.kept++;
    history.dropped--;
    history.tokens = tokens;
  }
  return history;
}
