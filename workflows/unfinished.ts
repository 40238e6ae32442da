import type { Attention } from './attention.js';

/** The maximum number of failed ids that are listed. */
const NAMED = 20;

/** What a job could not process and left for its next run: the number, and the first ids. */
export interface Unfinished {
  failed: number;
  left?: string[];
}

/** Adds failures to the counts of a job. The list of ids stays short, however many fail. */
export function addFailed(counts: Unfinished, ids: string[], failed = ids.length): void {
  counts.failed += failed;
  if (ids.length > 0) counts.left = [...(counts.left ?? []), ...ids].slice(0, NAMED);
}

/** Shows the operator what a job did not finish. */
export function showUnfinished(attention: Attention, step: string, { failed, left = [] }: Unfinished): void {
  if (failed === 0) return;
  const others = failed > left.length ? ` and ${failed - left.length} others` : '';
  attention.raise(
    step,
    `failed for ${left.join(', ')}${others}. See the worker's log; the next run tries them again.`,
  );
}
