/** A failure the person at the terminal can act on: one sentence that names it and what to do. */
export class LaunchProblem extends Error {}

/** Thrown inside a step when the launcher was told to stop while it was still starting. */
export class Interrupted extends Error {}

/** True for the operating system's "no such file" and its like, by code. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** What to tell a person about any error: a problem's own sentence, a full disk, or the error itself. */
export function sentenceFor(error: unknown): string {
  if (error instanceof LaunchProblem) return error.message;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (hasCode(error, 'ENOSPC') || /no space left on device/i.test(text)) {
    return 'The disk is full: free some space and start again.';
  }
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
    return `A file or folder cannot be written (${(error as Error).message}): change its owner, or set HOLDFAST_HOME to a folder of yours.`;
  }
  return text;
}
