import { DAY } from '../../domain/time-zone.js';

/** The ids in examples: they are nobody's, and whoever sends one puts theirs in. */
export const EXAMPLE_IDS = {
  room: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4b70',
  company: '019a3c5e-9d02-7f16-8c3e-51b7a0d94e21',
  booking: 'bk_01kba6xz3fe4r9tq5v8mhc2s1d',
  member: 'mem_01kba6xz3fe4r9tq5v8mhc2s1e',
  invoice: 'inv_01kba6xz3fe4r9tq5v8mhc2s1f',
  payment: 'pay_01kba6xz3fe4r9tq5v8mhc2s1g',
  key: 'key_01kba6xz3fe4r9tq5v8mhc2s1h',
  client: 'client_01kba6xz3fe4r9tq5v8mhc2s1j',
  event: 'evt_01kba6xz3fe4r9tq5v8mhc2s1k',
  blackout: 'bo_01kba6xz3fe4r9tq5v8mhc2s1m',
} as const;

export const EXAMPLE_KEY = '5f0c1d6a-3b1e-4f0e-9a7e-1f4b8c2d7e90';

/** An hour of UTC on a day some days from the start of this process, so that examples stay in the future. */
export function exampleTime(daysAhead: number, hour: number): string {
  const day = new Date(Date.now() + daysAhead * DAY).toISOString().slice(0, 10);
  return `${day}T${String(hour).padStart(2, '0')}:00:00Z`;
}
