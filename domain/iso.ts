/** Writes an optional instant as ISO 8601 in UTC. */
export const iso = (date: Date | null): string | null => date && date.toISOString();
