/** What a check of a workspace found, and what it must find. */
export interface Finding {
  invariant: string;
  found: unknown;
  expected: unknown;
}
