import { EVER, listRunning, NEVER, type BookingFilter } from '../../../db/queries/bookings/booking.js';
import type { Tx } from '../../../db/transaction.js';
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
 * Which bookings a query selects by their time. They are listed from a day on, or else beginning with the
 * latest. One that began before today and is still running is upcoming.
 */
export async function readStarts(
  tx: Tx,
  query: BookingQuery,
  { workspace_id, time_zone }: { workspace_id: string; time_zone: string },
): Promise<Pick<BookingFilter, 'from' | 'to' | 'divided'> & { isLatestFirst: boolean }> {
  const view = chosenView(query);
  if (view !== 'upcoming' && view !== 'earlier') {
    const { from, to } = readRange(query, time_zone);
    return { from: from ?? EVER, to: to ?? NEVER, isLatestFirst: !from };
  }
  const at = startOfDay(dayIn(time_zone, new Date()), time_zone);
  const running = await listRunning(tx, workspace_id, at);
  const divided = { at, running: running.map(({ id }) => id), upcoming: view === 'upcoming' };
  return view === 'upcoming'
    ? { from: running[0]?.start_at ?? at, to: NEVER, divided, isLatestFirst: false }
    : { from: EVER, to: at, divided, isLatestFirst: true };
}
