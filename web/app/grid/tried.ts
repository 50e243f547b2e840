// The result of a grid of settings, for the report.

/** A grid of settings that was run over the document's questions. */
export interface Tried {
  /** The figure that settings are ordered by, and the number of questions. */
  goal: string;
  questions: number;
  /** Best first, as shares. */
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
