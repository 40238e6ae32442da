import type { Room } from '../../../db/entities/rooms.js';
import type { ApiContext } from '../../../api/http/context.js';
import { takeTurns } from '../../../api/http/turns.js';
import type { CalendarQuery, Period } from './period.js';

/** What a calendar is drawn of. */
export interface Shown {
  ctx: ApiContext;
  home: string;
  query: CalendarQuery;
  period: Period;
  /** The workspace's midnight, as if it were UTC. */
  today: number;
  now: number;
  /** All rooms, and the ids of those that are shown. */
  rooms: Room[];
  room_ids: string[];
  /** The name of a midnight. */
  dayName: (midnight: number) => string;
  /** Instants around the period: two days more on both sides, because rooms can be in other zones. */
  from: Date;
  to: Date;
}

/** A calendar as HTML. */
export interface Drawn {
  html: string;
  css: string;
  shownRooms: { id: string; name: string }[];
  zones: string[];
  /** The form to book the first free time, if one room is shown. */
  firstFree?: string;
}

/** Draws one item at a time and yields to other requests in between. */
export async function inTurns<T, R>(items: T[], draw: (item: T, index: number) => R): Promise<R[]> {
  const turn = takeTurns();
  const drawn: R[] = [];
  for (const [index, item] of items.entries()) {
    drawn.push(draw(item, index));
    await turn();
  }
  return drawn;
}
