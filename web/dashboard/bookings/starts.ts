import { EVER, NEVER } from '../../../db/queries/bookings/booking.js';
import { dayIn, startOfDay } from '../../../domain/cycle.js';
import type { BookingOutcome } from '../../../domain/bookings/state.js';
import { readRange, type ListQuery } from '../shared/list.js';

export const VIEWS = { upcoming: 'Upcoming', earlier: 'Earlier', all: 'All' } as const;
type View = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as View[];

/** The query of the list of bookings and of its export. */
export interface BookingQuery extends ListQuery {
  q?: string;
  status?: BookingOutcome | '';
  company_id?: string;
  view?: View;
}

/** The view that is chosen. A search or a filter finds all bookings; null for days of its own. */
export function chosenView({ from, to, view, q, status, company_id }: BookingQuery): View | null {
  if (from || to) return null;
  return view ?? (q || status || company_id ? 'all' : 'upcoming');
}

/** When bookings of a query start. They are listed from a day on, or else beginning with the latest. */
export function readStarts(
  query: BookingQuery,
  time_zone: string,
): { from: Date; to: Date; isLatestFirst: boolean } {
  const view = chosenView(query);
  const { from, to } = readRange(query, time_zone);
  const today = startOfDay(dayIn(time_zone, new Date()), time_zone);
  if (view === 'upcoming') return { from: today, to: NEVER, isLatestFirst: false };
  if (view === 'earlier') return { from: EVER, to: today, isLatestFirst: true };
  return { from: from ?? EVER, to: to ?? NEVER, isLatestFirst: !from };
}
