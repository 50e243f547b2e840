// What was found out by a grid of settings, for the report.

/** A grid of settings that was run over the questions of the document. */
export interface Tried {
  /** What settings are ordered by, and of how many questions. */
  goal: string;
  questions: number;
  /** The best first; shares. */
  rows: {
    name: string;
    mean: number;
    low: number | null;
    high: number | null;
    tie: boolean;
    chunks: number;
    median: number;
  }[];
}
