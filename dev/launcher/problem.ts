/** A failure that the user can fix. The message is one sentence with the cause and the remedy. */
export class LaunchProblem extends Error {}

/** Thrown by a step of the start when the launcher is interrupted. */
export class Interrupted extends Error {}

/** True for a system error with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * The text to show for an error: the sentence of a `LaunchProblem`, a sentence for a common system error, or
 * else the stack.
 */
export function sentenceFor(error: unknown): string {
  if (error instanceof LaunchProblem) return error.message;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (hasCode(error, 'ENOSPC') || /no space left on device/i.test(text)) {
    return 'The disk is full: free some space and start again.';
  }
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
    return (
      `A file or folder cannot be written (${(error as Error).message}): change its owner, or set ` +
      'HOLDFAST_HOME to a folder that you own.'
    );
  }
  return text;
}
