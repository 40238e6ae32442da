/** Merges metadata. An empty value removes its key. */
export function mergeMetadata(
  before: Record<string, string>,
  changes: Record<string, string> = {},
): Record<string, string> {
  const merged = Object.entries({ ...before, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== ''));
}
