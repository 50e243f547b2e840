import type { ErrorCode, ErrorData } from './api.ts';

/** What goes wrong before any worker hears of it. */
export type PageCode = 'unsupported' | 'unreadable' | 'locked-out' | 'followed';

/** A failure with a code for the program, a sentence for the person, and what to do about it. */
export class SeamError extends Error {
  readonly code: ErrorCode | PageCode;
  readonly hint: string;

  constructor(code: ErrorCode | PageCode, message: string, hint = '') {
    super(message);
    this.name = 'SeamError';
    this.code = code;
    this.hint = hint;
  }

  /** The error of a worker's message. A code that this page does not know is kept: it is only compared. */
  static fromData(data: ErrorData): SeamError {
    return new SeamError(data.code as ErrorCode, data.message, data.hint ?? '');
  }

  static from(cause: unknown): SeamError {
    // By name: each bundle of the page has a class of its own.
    if (cause instanceof Error && cause.name === 'SeamError') return cause as SeamError;
    return new SeamError('internal', cause instanceof Error ? cause.message : String(cause));
  }

  get cancelled(): boolean {
    return this.code === 'cancelled';
  }
}
