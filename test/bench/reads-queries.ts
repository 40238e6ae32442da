import type { EntityManager } from 'typeorm';
import { listBookings } from '../../db/repositories/bookings/booking-queries.js';
import { findRoomCalendars } from '../../db/repositories/rooms/availability-queries.js';

/** Of a house that is read: what its queries and routes are told. Times are text, for it goes to another process. */
export interface ReadHouse {
  workspaceId: string;
  from: string;
  to: string;
}

export type Read = 'availability' | 'list';

/** The one query of each read, as its route calls it. */
export const QUERIES: Record<Read, (db: EntityManager, house: ReadHouse) => Promise<unknown>> = {
  availability: (db, { workspaceId, from, to }) =>
    findRoomCalendars(db, {
      workspace_id: workspaceId,
      of: { tier: 'pro' },
      from: new Date(from),
      to: new Date(to),
    }),
  list: (db, { workspaceId, from, to }) =>
    listBookings(db, { workspace_id: workspaceId, from: new Date(from), to: new Date(to), limit: 51 }),
};

export const PATHS: Record<Read, (house: ReadHouse) => string> = {
  availability: ({ from, to }) => `/v1/availability?${new URLSearchParams({ tier: 'pro', from, to })}`,
  list: ({ from, to }) => `/v1/bookings?${new URLSearchParams({ from, to, limit: '50' })}`,
};
