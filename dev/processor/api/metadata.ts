/** Metadata after an update: an empty value takes its key away, the rest stays. */
export function mergeMetadata(
  before: Record<string, string>,
  changes: Record<string, string> = {},
): Record<string, string> {
  const merged = Object.entries({ ...before, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== ''));
}
