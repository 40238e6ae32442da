import joi from 'joi';
import { findBookings, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import type { PlannedBooking } from '../../../commands/blackouts/planned-bookings.js';
import { isUnproven } from '../../../domain/bookings/origin.js';
import { MAX_IN_THE_WAY } from '../../../domain/blackouts/plan.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { typed } from '../../../api/http/typed.js';
import { createFormats } from '../../ui/formats.js';
import { toBooker } from '../shared/booking-table.js';
import { repeated } from '../forms/fields.js';
import type { Input } from '../forms/inputs.js';
import { pathIn } from '../shared/paths.js';
import { ReturnedToForm } from '../shared/confirmation.js';
import { TextArea } from '../shared/fields.js';
import { parseChoice } from './choice.js';
import { FOR_ALL, type BookingInTheWay, type ForAll } from './in-the-way.js';

/** The bookings in the way, if any. `optional`: ids of those that may be left as they are. */
export interface WithDecisions {
  inTheWay?: BookingInTheWay[] | null;
  optional?: string[];
}

/** The booking ids and their choices, in the same order, and the button that chooses for all bookings. */
export interface DecisionForm {
  booking: string[];
  choice: string[];
  note?: string;
  all?: ForAll;
}

/** Bookings without a choice are left out. Errors: 422. */
function plannedIn({ booking, choice, note }: DecisionForm): PlannedBooking[] {
  const planned = booking.flatMap((booking_id, index) =>
    choice[index] ? [{ booking_id, plan: parseChoice(choice[index]), note: note?.trim() || null }] : [],
  );
  if (!note?.trim() && planned.some(({ plan }) => plan.do === 'tell')) {
    const message = 'Enter a note for the bookers of bookings that you keep.';
    throw new ApiError('validation_failed', message, { param: 'note' });
  }
  if (new Set(booking).size < booking.length) throw invalidField('booking', 'is listed twice');
  return planned;
}

/** What happens to each booking in the way, as a list of `PlannedBooking`. */
export const decisions = <Data extends WithDecisions>(): Input<Data> => ({
  fields: () => ({
    booking: repeated,
    choice: repeated,
    note: text(1_000).allow(''),
    all: joi.valid(...FOR_ALL),
  }),
  read(name, form) {
    // A button for all bookings shows the page again with its choices selected.
    if (form.all) throw new ReturnedToForm();
    return { [name]: plannedIn(form as unknown as DecisionForm) };
  },
  Show: ({ shown: { ctx, data } }) =>
    data.inTheWay && <Decisions ctx={ctx} inTheWay={data.inTheWay} optional={data.optional} />,
  wide: () => true,
  called: () => ({}),
});

/** The body field that `decisions` reads into. */
export const plannedBookings = typed<PlannedBooking[]>(joi.array().max(MAX_IN_THE_WAY));

const ALL_WORDS: Record<ForAll, string> = {
  move: 'Move all',
  full: 'Cancel all with full refund',
  standard: 'Cancel all on room terms',
  tell: 'Keep all and email bookers',
  keep: 'Keep all',
};

/** The choice for each booking in the way, with what was chosen before, and the note. */
export function Decisions(props: { ctx: ApiContext; inTheWay: BookingInTheWay[]; optional?: string[] }) {
  const { ctx, inTheWay, optional = [] } = props;
  const { amount, span } = createFormats(ctx);
  const chosen = chosenIn(ctx, inTheWay);
  const all = inTheWay.flatMap(({ options }) => options);
  // If the terms refund everything, one button is enough.
  const isSame = all.every(({ of }) => !of.includes('standard') || of.includes('full'));
  const usable = FOR_ALL.filter(
    (each) => all.some(({ of }) => of.includes(each)) && !(each === 'standard' && isSame),
  );
  return (
    <>
      {inTheWay.length > 1 && (
        <p class="buttons">
          {usable.map((each) => (
            <button key={each} class="quiet" name="all" value={each} formNoValidate>
              {ALL_WORDS[each]}
            </button>
          ))}
        </p>
      )}
      <ul class="plain in-the-way" id="choice">
        {inTheWay.map(({ booking, who, paid, options, whyNot }) => (
          <li key={booking.id} class="card">
            <div>
              <a href={pathIn(ctx, `/bookings/${booking.id}`)}>{span(booking)}</a>{' '}
              <code>{booking.reference}</code>
            </div>
            <div>
              {who.name ?? 'an erased booker'} <span class="soft">{who.email}</span>
            </div>
            <div>
              {amount(booking.price_minor, booking.currency)}, {paid}
            </div>
            <input type="hidden" name="booking" value={booking.id} />
            <select
              name="choice"
              aria-label={`What happens to ${booking.reference}`}
              required={!optional.includes(booking.id)}
            >
              <option value="">{optional.includes(booking.id) ? 'No change' : 'Choose'}</option>
              {options.map(({ value, label }) => (
                <option key={value} value={value} selected={chosen.get(booking.id) === value}>
                  {label}
                </option>
              ))}
            </select>
            {whyNot.map((sentence) => (
              <p key={sentence} class="soft">
                {sentence}
              </p>
            ))}
          </li>
        ))}
      </ul>
      <TextArea name="note" label="Note to bookers" rows={3} maxLength={1000} />
    </>
  );
}

/** The selected option of each booking: that of the button for all bookings, otherwise the submitted one. */
function chosenIn(ctx: ApiContext, inTheWay: BookingInTheWay[]): Map<string, string> {
  const { booking = [], choice = [], all } = ctx.state.submitted ?? {};
  const [ids, choices] = [[booking].flat(), [choice].flat()];
  return new Map(
    inTheWay.flatMap(({ booking: { id }, options }) => {
      const before = choices[ids.indexOf(id)] ?? '';
      const fits = all && options.find(({ of }) => of.includes(all as ForAll));
      return [[id, fits ? fits.value : before]];
    }),
  );
}

/** Lists the effects of the decisions, with amounts. */
export async function describeEffects(ctx: ApiContext, deps: ApiDependencies, planned: PlannedBooking[]) {
  const { workspace_id } = ctx.state.membership!;
  const { manager } = deps.db;
  const bookings = await findBookings(
    manager,
    workspace_id,
    planned.map(({ booking_id }) => booking_id),
  );
  const rooms = await listRooms(manager, { workspace_id, include_archived: true });
  const members = await findBookingMembers(manager, workspace_id, bookings);
  const byId = new Map(planned.map((each) => [each.booking_id, each.plan]));
  const { amount, span } = createFormats(ctx);
  const describeDecision = (booking: BookingRow): string => {
    const plan = byId.get(booking.id)!;
    const money = (minor: number) => amount(minor, booking.currency);
    const gets = isUnproven(booking) ? 'no email' : 'an email';
    if (plan.do === 'move') {
      const room = rooms.find(({ id }) => id === plan.room_id);
      const time = {
        start_at: new Date(plan.start_at),
        end_at: new Date(plan.end_at),
        time_zone: room?.time_zone ?? booking.time_zone,
      };
      const refund = plan.difference_minor < 0 ? `, ${money(-plan.difference_minor)} is refunded` : '';
      return `is moved to ${room?.name ?? 'another room'}, ${span(time)}${refund}. The booker gets an email.`;
    }
    if (plan.do === 'cancel') {
      const { refund_minor } = plan;
      const unpaid = booking.status === 'pending_payment' || booking.price_minor === 0;
      const effect = unpaid
        ? ''
        : refund_minor > 0
          ? `, ${money(refund_minor)} is refunded or no longer due`
          : ', without a refund';
      return `is cancelled${effect}. The booker gets ${gets}.`;
    }
    return plan.do === 'tell' && !isUnproven(booking)
      ? 'is kept. The booker gets an email with the note.'
      : 'is kept. The booker gets no email.';
  };
  return (
    <ul>
      {bookings.map((booking) => (
        <li key={booking.id}>
          <code>{booking.reference}</code>, {toBooker(booking, members).name ?? 'an erased booker'},{' '}
          {span(booking)}, {describeDecision(booking)}
        </li>
      ))}
    </ul>
  );
}

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? one : `${count} ${many}`;

/** The effects as words of a button: `move 2 bookings, cancel one`. */
export function inShort(planned: PlannedBooking[]): string {
  const count = (of: string[]): number => planned.filter(({ plan }) => of.includes(plan.do)).length;
  const [moved, cancelled, kept] = [count(['move']), count(['cancel']), count(['tell', 'keep'])];
  return [
    moved > 0 && `move ${counted(moved, 'one', 'bookings')}`,
    cancelled > 0 && `cancel ${counted(cancelled, 'one', 'bookings')}`,
    kept > 0 && `keep ${counted(kept, 'one', 'bookings')}`,
  ]
    .filter(Boolean)
    .join(', ');
}
