import type { Attention } from './attention.js';

/** How many of those that failed are named. */
const NAMED = 20;

/** What a job could not process and left for its next run: how many, and the ids of the first. */
export interface Unfinished {
  failed: number;
  left?: string[];
}

/** Adds what failed to the counts of a job. The list of ids stays short, whatever fails. */
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
