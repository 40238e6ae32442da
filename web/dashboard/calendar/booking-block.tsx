import type { CalendarBooking } from '../../../db/queries/bookings/booking.js';
import type { BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { isRunning, whyNotChange } from '../../../domain/bookings/change.js';
import {
  BOOKING_WORDS,
  bookingState,
  WAITING_CHANGE,
  type BookingState,
} from '../../../domain/bookings/state.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Span } from '../../../domain/display.js';
import { createFormats } from '../../ui/formats.js';
import { pathIn } from '../shared/paths.js';
import { toBooker } from '../shared/booking-table.js';
import type { Column } from './columns.js';

/** A sign next to the name distinguishes states without colours. */
export const SIGNS: Record<BookingState, string> = {
  pending_payment: '◷',
  confirmed: '✓',
  running: '▶',
  completed: '■',
  no_show: '∅',
  cancelled: '✕',
  expired: '✕',
};

/**
 * The state of a booking, or of the place that a change holds for it: its class, its sign, and
 * its word if it needs one.
 */
export function shownAs(
  booking: Pick<CalendarBooking, 'is_change' | 'status' | 'no_show_at' | 'start_at' | 'end_at'>,
  now: number,
): [state: string, sign: string, word: string] {
  if (booking.is_change) return ['change', '⇄', WAITING_CHANGE];
  const state = bookingState(booking, new Date(now));
  return [state, SIGNS[state], state === 'confirmed' ? '' : BOOKING_WORDS[state]];
}

/** What can be dragged: the whole booking, its end only, or nothing, for the reason in `fixed`. */
function dragAttributes(booking: CalendarBooking, room: Column['room'], now: number): Record<string, string> {
  if (booking.is_change) return { 'data-fixed': 'Held for a change that is not paid yet.' };
  const lengthens = isRunning(booking, now);
  const refusal = whyNotChange(booking, room, now, { moves: true, lengthens });
  if (refusal) return { 'data-fixed': refusal.message };
  return { 'data-moves': lengthens ? 'end' : 'all' };
}

/** `10:00–11:00`; in narrow columns `10:00`. */
export function Times({ ctx, of }: { ctx: ApiContext; of: Span }) {
  const { clock, clocks } = createFormats(ctx, of.time_zone);
  const start = clock(of.start_at);
  return (
    <>
      {start}
      <span class="until">{clocks(of).slice(start.length)}</span>
    </>
  );
}

/** The words of a booking in the calendar: `10:00–11:00 Rosa Parks, not paid yet`. */
export function BookingLink(props: {
  ctx: ApiContext;
  booking: CalendarBooking;
  members: Map<string, BookingMember>;
  now: number;
  /** Shows only the start, in one line. */
  isBrief?: boolean;
  class?: string;
  attributes?: Record<string, string | number>;
}) {
  const { ctx, booking, members, now, isBrief, attributes } = props;
  const { clock } = createFormats(ctx, booking.time_zone);
  const [state, sign, word] = shownAs(booking, now);
  return (
    <a
      class={`slot ${state} ${props.class ?? ''}`.trimEnd()}
      href={pathIn(ctx, `/bookings/${booking.id}${booking.is_change ? '#pending-change' : ''}`)}
      data-booking={booking.id}
      {...attributes}
    >
      <span aria-hidden="true">{sign} </span>
      {isBrief ? clock(booking.start_at) : <Times ctx={ctx} of={booking} />}
      {isBrief && <span class="hidden"> until {clock(booking.end_at)}</span>}{' '}
      <span>
        <b>{toBooker(booking, members).name ?? 'erased'}</b>
        {word && <small>, {word}</small>}
      </span>
    </a>
  );
}

/** A booking in the grid. `beside`: all bookings of its column; `minutes`: its height. */
export function BookingBlock(props: {
  ctx: ApiContext;
  booking: CalendarBooking;
  beside: CalendarBooking[];
  room: Column['room'];
  members: Map<string, BookingMember>;
  now: number;
  minutes: number;
  place: Record<string, number>;
}) {
  const { ctx, booking, beside, room, members, now, minutes, place } = props;
  // An unpaid change holds a slot that may overlap the booking's own.
  const shares = beside.some(
    (other) => other !== booking && other.start_at < booking.end_at && booking.start_at < other.end_at,
  );
  const isBrief = minutes < 45;
  const side = shares ? (booking.is_change ? 'right' : 'left') : '';
  return (
    <BookingLink
      {...props}
      isBrief={isBrief}
      class={`${side} ${isBrief ? 'brief' : ''}`.trim()}
      attributes={{
        ...place,
        title: [createFormats(ctx).span(booking), toBooker(booking, members).name, shownAs(booking, now)[2]]
          .filter(Boolean)
          .join(', '),
        'data-start': booking.start_at.getTime() / MINUTE_MS,
        'data-end': booking.end_at.getTime() / MINUTE_MS,
        ...dragAttributes(booking, room, now),
      }}
    />
  );
}
