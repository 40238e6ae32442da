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

/** The selected view; null if the query has days of its own. With a search or a filter: all bookings. */
export function chosenView({ from, to, view, q, status, company_id }: BookingQuery): View | null {
  if (from || to) return null;
  return view ?? (q || status || company_id ? 'all' : 'upcoming');
}

/**
 * The range in which the query's bookings start. With a first day they are listed from that day on, otherwise
 * latest first.
 */
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
