import type { EntityManager } from 'typeorm';
import { listBookingTexts } from '../../db/queries/bookings/booking.js';
import { findRoomFacts } from '../../db/queries/rooms/availability.js';

/** Parameters of the queries and routes. Times are strings, since they are sent to another process. */
export interface ReadHouse {
  workspaceId: string;
  from: string;
  to: string;
}

export type Read = 'availability' | 'list';

/** The query of each read, as its route runs it. */
export const QUERIES: Record<Read, (db: EntityManager, house: ReadHouse) => Promise<unknown>> = {
  availability: (db, { workspaceId, from, to }) =>
    findRoomFacts(db, {
      workspace_id: workspaceId,
      of: { tier: 'pro' },
      from: new Date(from),
      to: new Date(to),
    }),
  list: (db, { workspaceId, from, to }) =>
    listBookingTexts(db, { workspace_id: workspaceId, from: new Date(from), to: new Date(to), limit: 51 }),
};

export const PATHS: Record<Read, (house: ReadHouse) => string> = {
  availability: ({ from, to }) => `/v1/availability?${new URLSearchParams({ tier: 'pro', from, to })}`,
  list: ({ from, to }) => `/v1/bookings?${new URLSearchParams({ from, to, limit: '50' })}`,
};
