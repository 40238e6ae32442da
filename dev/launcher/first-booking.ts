import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.js';

const SEARCHED_DAYS = 30;

interface Hour {
  start_at: string;
  end_at: string;
}

interface Free {
  time_zone: string;
  slot_minutes: number;
  free: Hour[];
}

interface Access {
  baseUrl: string;
  apiKey: string;
  proxyHeaders: Record<string, string>;
}

/** A request body that books a room for a guest and succeeds with the current data. */
export async function firstBooking(access: Access, roomId: string): Promise<Record<string, unknown>> {
  return {
    room_id: roomId,
    ...(await freeHour(access, roomId)),
    booked_by: { guest: { email: 'ada@example.com', name: 'Ada' } },
    idempotency_key: randomUUID(),
  };
}

/**
 * The first free hour from tomorrow on that starts on the room's grid, between 9:00
 * and 17:00 in its time zone.
 */
async function freeHour({ baseUrl, apiKey, proxyHeaders }: Access, roomId: string): Promise<Hour> {
  const tomorrow = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const at = (ms: number): string => new Date(ms).toISOString().replace('.000', '');
  const hourAt = (ms: number): Hour => ({ start_at: at(ms), end_at: at(ms + HOUR_MS) });

  const query = new URLSearchParams({
    room_id: roomId,
    from: at(tomorrow),
    to: at(tomorrow + SEARCHED_DAYS * DAY_MS),
  });
  const response = await fetch(`${baseUrl}/v1/availability?${query}`, {
    headers: { ...proxyHeaders, authorization: `Bearer ${apiKey}` },
  });
  const { data = [] } = (await response.json()) as { data?: Free[] };
  for (const { time_zone, slot_minutes, free } of data) {
    const clock = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', timeZone: time_zone });
    const isDaytime = (ms: number): boolean => Number(clock.format(ms)) >= 9 && Number(clock.format(ms)) < 17;
    for (const window of free) {
      const last = Date.parse(window.end_at) - HOUR_MS;
      for (let start = Date.parse(window.start_at); start <= last; start += slot_minutes * MINUTE_MS) {
        if (isDaytime(start)) return hourAt(start);
      }
    }
  }
  // Nothing is free, or the request failed. The response to the printed curl will say so.
  return hourAt(tomorrow + 10 * HOUR_MS);
}
