import type { Attention } from './attention.js';

/** How many of those that failed are named. */
const NAMED = 20;

/** What a job could not process and left for its next run: how many, and the ids of the first. */
export interface LeftBehind {
  failed: number;
  left?: string[];
}

/** Adds what failed to the counts of a job. The list of ids stays short, whatever fails. */
export function leaveBehind(counts: LeftBehind, ids: string[], failed = ids.length): void {
  counts.failed += failed;
  if (ids.length > 0) counts.left = [...(counts.left ?? []), ...ids].slice(0, NAMED);
}

/** Shows the operator what a job left behind. */
export function showLeftBehind(attention: Attention, step: string, { failed, left = [] }: LeftBehind): void {
  if (failed === 0) return;
  const others = failed > left.length ? ` and ${failed - left.length} others` : '';
  attention.raise(
    step,
    `failed for ${left.join(', ')}${others}. See the worker's log; the next run tries them again.`,
  );
}
