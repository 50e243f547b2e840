// Selects the part of a thread that goes with its next question: as many of the latest
// turns as fit.

import type { ChatMessage } from './api-hosted.ts';

export interface Asked {
  question: string;
  /** As the model gave it, with its citations. */
  answer: string;
  /** How many passages it received; 0 means that nothing was sent. */
  sent: number;
}

/** The place of a turn's passage, without its text. */
export interface Place {
  /** The ID of the kept document; empty if it is not kept. */
  kept: string;
  name: string;
  page: string;
  start: number;
  end: number;
  marks: [number, number][];
  passage: [number, number] | null;
  focus: number;
}

/** The answer of a model that finds none in its passages: Refusal in ../../shared/protocol. */
export const REFUSAL = 'I do not have enough information to answer that';

/** Whether an answer is a refusal, as the engine reports it for a new one. */
export function isRefusal(answer: string): boolean {
  return answer.replace(/^[\s"'`“”„‘’«».]+|[\s"'`“”„‘’«».]+$/g, '') === REFUSAL;
}

/** A turn with the places of its citations, in order. `thread` is the ID of the thread. */
export interface Turn extends Asked {
  thread: string;
  places: readonly Place[];
}

export interface History {
  messages: ChatMessage[];
  /** Turns included, and older ones left out. */
  kept: number;
  dropped: number;
  /** An estimate for the included turns, computed as the proxy does. */
  tokens: number;
}

/** The most tokens of a history, because every question pays for them again. */
const MOST_TOKENS = 2000;

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Estimates the tokens of a text: a third of its bytes. */
export const tokensOf = (text: string): number => Math.ceil(bytesOf(text) / 3);

/** `most` is the proxy's limit. A turn that was not sent when it was asked is not sent later. */
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
