/** A time in Xero's JSON format: `/Date(1760659200000+0000)/`. */
export function wireMoment(ms: number): string {
  return `/Date(${ms}+0000)/`;
}

/** A time in Xero's ISO format: `2026-10-17T00:00:00Z`. */
export function wireMomentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A day such as `2026-10-17` in Xero's JSON format. */
export function wireDate(day: string): string {
  return wireMoment(Date.parse(day));
}

/** A day in Xero's ISO format: `2026-10-17T00:00:00`. */
export function wireDateText(day: string): string {
  return `${day}T00:00:00`;
}

/** Parses a day from `2026-10-17`, `2026-10-17T00:00:00` or `/Date(…)/`. Undefined if it is invalid. */
export function readDay(text: string): string | undefined {
  const wire = /^\/Date\((-?\d+)/.exec(text)?.[1];
  const ms = wire ? Number(wire) : Date.parse(text.slice(0, 10));
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : undefined;
}

/** Today, in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
