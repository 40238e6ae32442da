import { createHash } from 'node:crypto';
import type { Store } from './state/store.js';

const MOST_AT_ONCE = 5;
const APP_MINUTE_LIMIT = 10_000;

/** The limit that a call exceeds. `retry_after` in seconds; null for the concurrency limit. */
export interface LimitMet {
  problem: 'concurrent' | 'minute' | 'day' | 'appminute';
  retry_after: number | null;
}

/**
 * Xero's limits: for each organisation 5 concurrent calls, 60 a minute and a daily maximum; for the app
 * 10,000 a minute. The minutes slide; a day is a fixed window that begins at a different time for each
 * organisation. Rejected calls do not count.
 */
export class Limits {
  private readonly calls = new Map<string, number[]>();
  private readonly underWay = new Map<string, number>();
  private appCalls: number[] = [];

  constructor(private readonly store: Store) {}

  /** Counts a call, or returns the limit that rejects it. The caller must `end` every counted call. */
  begin(tenant: string): LimitMet | undefined {
    const met = this.met(tenant);
    if (met) return met;
    this.calls.get(tenant)?.push(Date.now());
    this.appCalls.push(Date.now());
    this.underWay.set(tenant, (this.underWay.get(tenant) ?? 0) + 1);
    return undefined;
  }

  end(tenant: string): void {
    this.underWay.set(tenant, (this.underWay.get(tenant) ?? 1) - 1);
  }

  /** Resets the counts of one organisation or of all. */
  reset(tenant: string | null): void {
    if (tenant !== null) {
      this.calls.delete(tenant);
      return;
    }
    this.calls.clear();
    this.appCalls = [];
  }

  /** The headers of every response. */
  headers(tenant: string): Record<string, string> {
    const { minute_limit, day_limit } = this.store.currentFaults(tenant);
    const { minute, day } = this.recent(tenant);
    return {
      'X-DayLimit-Remaining': String(Math.max(0, day_limit - day.length)),
      'X-MinLimit-Remaining': String(Math.max(0, minute_limit - minute.length)),
      'X-AppMinLimit-Remaining': String(Math.max(0, APP_MINUTE_LIMIT - this.appCalls.length)),
    };
  }

  private met(tenant: string): LimitMet | undefined {
    const { minute_limit, day_limit, minute_seconds, day_seconds } = this.store.currentFaults(tenant);
    const { minute, day } = this.recent(tenant);
    const minuteMs = minute_seconds * 1000;
    if ((this.underWay.get(tenant) ?? 0) >= MOST_AT_ONCE) return { problem: 'concurrent', retry_after: null };
    if (day.length >= day_limit) {
      const dayMs = day_seconds * 1000;
      return { problem: 'day', retry_after: secondsUntil(startOfDay(tenant, dayMs), dayMs) };
    }
    if (minute.length >= minute_limit)
      return { problem: 'minute', retry_after: secondsUntil(minute[0], minuteMs) };
    if (this.appCalls.length >= APP_MINUTE_LIMIT)
      return { problem: 'appminute', retry_after: secondsUntil(this.appCalls[0], minuteMs) };
    return undefined;
  }

  /** The calls within the windows, oldest first. */
  private recent(tenant: string): { minute: number[]; day: number[] } {
    const now = Date.now();
    const minuteAgo = (of: string | null): number => now - this.store.currentFaults(of).minute_seconds * 1000;
    const dayBegan = startOfDay(tenant, this.store.currentFaults(tenant).day_seconds * 1000);
    const oldest = Math.min(dayBegan, minuteAgo(tenant));
    const calls = (this.calls.get(tenant) ?? []).filter((at) => at > oldest);
    this.calls.set(tenant, calls);
    this.appCalls = this.appCalls.filter((at) => at > minuteAgo(null));
    return {
      minute: calls.filter((at) => at > minuteAgo(tenant)),
      day: calls.filter((at) => at >= dayBegan),
    };
  }
}

/**
 * When an organisation's current day began. Days follow each other without a gap, at an offset specific to
 * the organisation.
 */
function startOfDay(tenant: string, dayMs: number): number {
  const offset = createHash('sha256').update(tenant).digest().readUInt32BE() % dayMs;
  return Math.floor((Date.now() - offset) / dayMs) * dayMs + offset;
}

function secondsUntil(oldest: number | undefined, windowMs: number): number {
  return Math.max(1, Math.ceil(((oldest ?? Date.now()) + windowMs - Date.now()) / 1000));
}
