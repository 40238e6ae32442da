import { pickDetails, type BookingDetails } from '../../../domain/bookings/details.js';
import { sameExtras, type ExtraRequest } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import {
  extraFields,
  ExtraInputs,
  extrasEntered,
  type EnteredExtras,
  type extraRows,
} from '../../ui/extras.js';
import { createFormats } from '../../ui/formats.js';
import type { FieldOptions, Input } from '../forms/inputs.js';
import { readInstants, timeFields, TimeFields, type EnteredTimes } from '../shared/time-fields.js';

export const detailsInputs = {
  attendees: { label: 'Attendees', type: 'number', required: true, initial: '1', wide: true },
  notes: { label: 'Notes', rows: 3 },
} satisfies Record<keyof BookingDetails, FieldOptions<unknown>>;

/** The details that staff see, with labels. */
export const DETAIL_LABELS = [
  ['attendees', detailsInputs.attendees.label],
  ['notes', detailsInputs.notes.label],
] as const satisfies readonly (readonly [keyof BookingDetails, string])[];

/** The booking that a form changes. */
interface Booked extends BookingDetails {
  room_id: string;
  /** ISO 8601, in UTC. */
  start_at: string;
  end_at: string;
  extras: ExtraRequest[];
}

export const toBooked = (booking: BookingRow): Booked => ({
  room_id: booking.room_id,
  start_at: booking.start_at.toISOString(),
  end_at: booking.end_at.toISOString(),
  extras: extrasIn(booking).map(({ extra_id, quantity }) => ({ extra_id, quantity })),
  ...pickDetails(booking),
});

/** The room; each page shows it in its own way. */
export const roomInput = <Data,>(Show: Input<Data>['Show']): Input<Data> => ({
  fields: (name) => ({ [name]: text(64).required() }),
  read: (name, form, { of }) =>
    form[name] === (of as Booked | undefined)?.room_id ? {} : { [name]: form[name] },
  Show,
  wide: () => true,
  called: () => ({}),
});

/** The start and the end, in the time zone of the form. `fixed`: those that are not shown. */
export const timesInput = <Data,>(
  shownTimes: (data: Data) => { of: Partial<EnteredTimes>; fixed?: 'start' | 'both' },
): Input<Data> => ({
  fields: () => timeFields,
  read(_, form, { entry, of }) {
    const { start, end } = readInstants(form as unknown as EnteredTimes, entry.time_zone);
    const times = { start_at: start.toISOString(), end_at: end.toISOString() };
    const before = of as Booked | undefined;
    const isSame = before?.start_at === times.start_at && before.end_at === times.end_at;
    return isSame ? {} : times;
  },
  Show: ({ shown: { ctx, data } }) => {
    ctx.state.showsTimes = true;
    return <TimeFields {...shownTimes(data)} />;
  },
  wide: () => true,
  called: () => ({}),
});

/** The extras. A form without them does not take them off a booking. */
export const extrasInput = <Data,>(toRows: (data: Data) => ReturnType<typeof extraRows>): Input<Data> => ({
  fields: () => extraFields,
  read(name, form, { of }) {
    const submitted = form as unknown as EnteredExtras;
    const extras = extrasEntered(submitted);
    const before = (of as Booked | undefined)?.extras;
    const isSame = before && (submitted.extra_id.length === 0 || sameExtras(extras, before));
    return isSame ? {} : { [name]: extras };
  },
  Show: ({ shown }) => <ExtraInputs rows={toRows(shown.data)} />,
  wide: () => true,
  called: () => ({}),
});

/** The room and the times of a booking as facts, with the reason why they stay. */
export function FixedPlace(props: { ctx: ApiContext; booking: BookingRow; lengthens: boolean; why: string }) {
  const { ctx, booking, lengthens, why } = props;
  const { moment } = createFormats(ctx, booking.time_zone);
  return (
    <>
      <input type="hidden" name="room_id" value={booking.room_id} />
      <dl class="facts">
        <dt>Room</dt>
        <dd>{booking.room_name}</dd>
        <dt>Start</dt>
        <dd>{moment(booking.start_at)}</dd>
        {!lengthens && (
          <>
            <dt>End</dt>
            <dd>{moment(booking.end_at)}</dd>
          </>
        )}
      </dl>
      <p class="hint">
        {why}
        {lengthens && ' You can still extend it and change its extras.'}
      </p>
    </>
  );
}
