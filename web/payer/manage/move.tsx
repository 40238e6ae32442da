import { findInvoiceById } from '../../../db/queries/invoices/invoice.js';
import type { Room } from '../../../db/entities/rooms.js';
import { whyNotChange, type NotEditable } from '../../../domain/bookings/change.js';
import { countedMinutes } from '../../../domain/rooms/grid.js';
import type { AskedMonth } from '../../../domain/bookings/form-month.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { EndedBookingStatus } from '../../../domain/states.js';
import { offeredLengths } from '../../../domain/bookings/offered-times.js';
import { offeredMonth } from '../../../api/resources/bookings/free-times.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { WordKey, Words } from '../../../domain/words/words.js';
import { wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import { Contact } from '../../ui/parts.js';
import { TimeChoice } from '../../ui/times.js';
import type { Managed } from './access.js';
import { askMove, toTarget } from './move-confirmation.js';

/** The length of a booking in minutes, as forms count it. */
const lengthOfBooking = ({ start_at, end_at, room }: Managed['booking']): number =>
  countedMinutes({ start: start_at.getTime(), end: end_at.getTime() }, room);

/** Why a booking cannot be moved, in words for its booker. */
export function describeUnmovable(words: Words, details: NotEditable['details']): string {
  switch (details.reason) {
    case 'status':
      return words.say(ENDED[details.status]);
    case 'unpaid':
      return words.say('payer.movable_once_paid');
    case 'edit_window':
      return details.edit_window_minutes === 0
        ? words.say('payer.movable_until_start')
        : words.say('payer.edit_window', { length: words.length(details.edit_window_minutes) });
  }
}

const ENDED = {
  cancelled: 'payer.has_been_cancelled',
  expired: 'payer.has_expired',
  completed: 'payer.has_ended',
} as const satisfies Record<EndedBookingStatus, WordKey>;

/** `GET /manage/:token/move`: the free times of a day; with `start`, what a move to that time costs. */
export const showMove =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    const { room, workspace } = booking;
    const words = wordsIn(ctx);
    const refusal = whyNotChange(booking, room, Date.now(), { moves: true });
    if (refusal)
      return showPage(ctx, 409, {
        title: words.say('payer.not_movable'),
        mark: 'bad',
        children: (
          <>
            <p>{describeUnmovable(words, refusal.details)}</p>
            <Contact of={workspace} />
            <a class="button" href={path}>
              {words.say('payer.back_to_booking')}
            </a>
          </>
        ),
      });
    const owed = await isOwed(deps, booking);
    const length = lengthOfBooking(booking);
    const lengths = owed ? [length] : offeredLengths(room, length);
    const choice = choiceIn(ctx.query, length, lengths);
    const start = Date.parse(String(ctx.query.start ?? ''));
    if (!Number.isNaN(start)) return askMove(ctx, deps, managed, toTarget(managed, start, choice.minutes));
    await showTimes(ctx, deps, managed, room, { ...choice, lengths, owed });
  };

/** A booking on account with an unpaid invoice: its price, and so its length, cannot change. */
async function isOwed(
  { db }: ApiDependencies,
  { account_days, invoice_id }: Managed['booking'],
): Promise<boolean> {
  const invoice = account_days !== null && invoice_id ? await findInvoiceById(db.manager, invoice_id) : null;
  return invoice !== null && outstandingMinor(invoice) > 0;
}

interface Choice {
  asked: AskedMonth;
  minutes: number;
}

/** The day and length in the address; by default the booking's length. */
function choiceIn(query: ApiContext['query'], current: number, lengths: number[]): Choice {
  const minutes = Number(query.minutes);
  return { asked: query, minutes: lengths.includes(minutes) ? minutes : current };
}

async function showTimes(
  ctx: ApiContext,
  deps: ApiDependencies,
  managed: Managed,
  room: Room,
  choice: Choice & { lengths: number[]; owed: boolean },
): Promise<void> {
  const { booking, path } = managed;
  const { asked, minutes, lengths, owed } = choice;
  const offered = await offeredMonth(deps, room, { asked, minutes, moved: booking });
  const words = wordsIn(ctx);
  const to = (query: Record<string, string | number> = {}): string =>
    `${path}/move?${new URLSearchParams(query as Record<string, string>)}`;
  showPage(ctx, 200, {
    title: words.say('payer.move_title'),
    wide: true,
    back: { href: path, label: words.say('payer.back_to_booking') },
    children: (
      <>
        <p>{words.say('payer.move_now', { booking: `${booking.room_name}, ${words.span(booking)}` })}</p>
        {owed && <p>{words.say('payer.owed_length')}</p>}
        <TimeChoice
          of={offered}
          place={{ ...booking, time_zone: room.time_zone }}
          lengths={lengths}
          minutes={minutes}
          to={to}
          linkTo={(start) => to({ minutes, start: start.toISOString() })}
        />
      </>
    ),
  });
}
