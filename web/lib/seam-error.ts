import type { ErrorCode, ErrorData } from './api.ts';

/** Errors that the page finds itself. */
export type PageCode = 'unsupported' | 'unreadable' | 'followed' | 'unusable';

/** An error with a code, a sentence for the user, and a hint. */
export class SeamError extends Error {
  readonly code: ErrorCode | PageCode;
  readonly hint: string;

  constructor(code: ErrorCode | PageCode, message: string, hint = '') {
    super(message);
    this.name = 'SeamError';
    this.code = code;
    this.hint = hint;
  }

  /**
   * Creates the error of a worker's message. A code unknown to this page is kept, because
   * codes are only compared.
   */
  static fromData(data: ErrorData): SeamError {
    return new SeamError(data.code as ErrorCode, data.message, data.hint ?? '');
  }

  static from(cause: unknown): SeamError {
    // Compared by name, because each bundle of the page has its own class.
    if (cause instanceof Error && cause.name === 'SeamError') return cause as SeamError;
    return new SeamError('internal', cause instanceof Error ? cause.message : String(cause));
  }

  get cancelled(): boolean {
    return this.code === 'cancelled';
  }
}
