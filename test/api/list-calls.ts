import { HOUR_MS } from '../../domain/durations.js';
import type { ApiClient } from '../support/api-client.js';
import { bookingBody } from '../support/bookings.js';

export const at = (ms: number): string => new Date(ms).toISOString();

export const hourAhead = (hours: number): number =>
  Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS;

export async function fetchIds(api: ApiClient, filter: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await api.get(`/v1/bookings?${new URLSearchParams(filter)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map((booking: { id: string }) => booking.id);
}

export async function book(api: ApiClient, roomId: string, start: number, overrides = {}) {
  const slot = { start_at: at(start), end_at: at(start + HOUR_MS) };
  const { status, body } = await api.post('/v1/bookings', bookingBody(roomId, { ...slot, ...overrides }));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}
