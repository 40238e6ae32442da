import { findInvoiceById } from '../../../db/queries/billing/invoice.js';
import type { Room } from '../../../db/entities/rooms.js';
import { whyNotChange, type NotEditable } from '../../../domain/booking-change.js';
import { dayIn } from '../../../domain/cycle.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { EndedBookingStatus } from '../../../domain/states.js';
import { freeStarts, lengthInWords, lengthsOf } from '../../../api/resources/bookings/free-times.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { formatsIn } from '../../ui/formats.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import { Contact, timeOf } from '../../ui/parts.js';
import type { Managed } from './access.js';
import { askMove } from './move-confirmation.js';

const DAY_PATTERN = /^[2-9]\d{3}-\d\d-\d\d$/;

/** The length of a booking, in minutes. */
const lengthInMinutes = ({ start_at, end_at }: { start_at: Date; end_at: Date }): number =>
  Math.round((end_at.getTime() - start_at.getTime()) / MINUTE_MS);

/** Why a booking cannot be moved, for its payer. */
function unmovableInWords(details: NotEditable['details']): string {
  switch (details.reason) {
    case 'status':
      return ENDED[details.status];
    case 'unpaid':
      return 'It can be moved once it is paid.';
    case 'edit_window':
      return `Bookings of this room can be moved until ${lengthInWords(details.edit_window_minutes) || '0 min'} before they start.`;
  }
}

const ENDED: Record<EndedBookingStatus, string> = {
  cancelled: 'It has been cancelled.',
  expired: 'It has expired, because it was not paid in time.',
  completed: 'It has ended.',
};

/** `GET /manage/:token/move`: free times of a day, or with `start` what a move to it costs. */
export const showMove =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    const { room, workspace } = booking;
    const refusal = whyNotChange(booking, room, Date.now(), { moves: true });
    if (refusal)
      return showPage(ctx, 409, {
        title: 'This booking can no longer be moved',
        mark: 'bad',
        children: (
          <>
            <p>{unmovableInWords(refusal.details)}</p>
            <Contact of={workspace} />
            <a class="button" href={path}>
              Back to booking
            </a>
          </>
        ),
      });
    const owed = await isOwed(deps, booking);
    const lengths = owed ? [lengthInMinutes(booking)] : lengthsOf(room, lengthInMinutes(booking));
    const choice = choiceIn(ctx.query, managed, room, lengths);
    const start = Date.parse(String(ctx.query.start ?? ''));
    if (!Number.isNaN(start)) return askMove(ctx, deps, managed, { start, minutes: choice.minutes });
    await showTimes(ctx, deps, managed, room, { ...choice, lengths, owed });
  };

/** A booking on account with an unpaid invoice: its price, and so its length, cannot change. */
async function isOwed(
  { db }: ApiDependencies,
  { account_days, invoice_id }: Managed['booking'],
): Promise<boolean> {
  const invoice = account_days !== null && invoice_id ? await findInvoiceById(db.manager, invoice_id) : null;
  return invoice !== null && outstandingOf(invoice) > 0;
}

interface Choice {
  day: string;
  minutes: number;
}

/** The day and length in the address; those of the booking where there are none. */
function choiceIn(query: ApiContext['query'], { booking }: Managed, room: Room, lengths: number[]): Choice {
  const day = String(query.day ?? '');
  const minutes = Number(query.minutes);
  const current = lengthInMinutes(booking);
  return {
    day:
      DAY_PATTERN.test(day) && !Number.isNaN(Date.parse(day)) ? day : dayIn(room.time_zone, booking.start_at),
    minutes: lengths.includes(minutes) ? minutes : current,
  };
}

async function showTimes(
  ctx: ApiContext,
  deps: ApiDependencies,
  managed: Managed,
  room: Room,
  choice: Choice & { lengths: number[]; owed: boolean },
): Promise<void> {
  const { booking, path } = managed;
  const { day, minutes, lengths, owed } = choice;
  const starts = await freeStarts(deps, room, { day, minutes, moved: booking });
  const { clock } = formatsIn({ ...booking, time_zone: room.time_zone });
  showPage(ctx, 200, {
    title: 'Move your booking',
    children: (
      <>
        <p>
          Now: {booking.room_name}, {timeOf(booking)}. You see the price before anything changes.
        </p>
        {owed && (
          <p>
            It is on account and its invoice is not paid yet, so it can be moved but its length cannot change.
          </p>
        )}
        <form method="get" action={`${path}/move`}>
          <label for="day">Day</label>
          <input
            id="day"
            name="day"
            type="date"
            required
            value={day}
            min={dayIn(room.time_zone, new Date())}
          />
          <label for="minutes">Length</label>
          <select id="minutes" name="minutes">
            {lengths.map((length) => (
              <option key={length} value={length} selected={length === minutes}>
                {lengthInWords(length)}
              </option>
            ))}
          </select>
          <button type="submit" class="quiet">
            Show free times
          </button>
        </form>
        <h2>Free times</h2>
        {starts.length === 0 ? (
          <p>No free times for this length on this day. Choose another day or length.</p>
        ) : (
          <ul class="times">
            {starts.map((start) => (
              <li key={start.toISOString()}>
                <a href={`${path}/move?minutes=${minutes}&start=${start.toISOString()}`}>{clock(start)}</a>
              </li>
            ))}
          </ul>
        )}
        <a class="button plain" href={path}>
          Back to booking
        </a>
      </>
    ),
  });
}
