import joi from 'joi';
import { listBookings, type BookingRow } from '../../../db/repositories/bookings/booking-queries.js';
import type { Room } from '../../../db/rows.js';
import { ApiError } from '../../../domain/errors.js';
import { TIERS } from '../../../domain/price.js';
import { openWindows, type OpeningHours, WEEKDAYS } from '../../../domain/slots.js';
import { DAY } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext } from '../../http/context.js';
import { text } from '../../http/fields.js';
import { roomOf } from '../../rooms/read.js';
import { columnsOf } from '../../rooms/rules.js';
import { updateSchema, type RoomBody } from '../../rooms/schema.js';
import { update } from '../../rooms/update.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { amountEntered } from '../shared/money-field.js';
import type { FormRoute } from '../shared/section.js';
import { readWeek, Week, WeekLegend } from './week.js';
import { hoursInWords, refundsInWords } from './words.js';

const toRoom = (ctx: ApiContext): string => `/rooms/${ctx.params.id}`;
const changed = { handler: update, schema: updateSchema, to: toRoom };
const saved = ({ name }: { name: string }): string => `${name} has been saved.`;

const list = joi.array().items(text(20).allow('')).single().max(50).default([]);
/** A number, or null for an empty field; the operation's schema checks its range. */
const numberOf = (value: string | undefined): number | null | string => {
  if (!value) return null;
  return /^\d{1,9}(\.\d{1,4})?$/.test(value.trim()) ? Number(value) : value;
};

type HoursForm = Record<(typeof WEEKDAYS)[number], string[]> & { mode: 'always' | 'weekly' };

function hoursEntered(form: HoursForm): OpeningHours {
  return Object.fromEntries(
    WEEKDAYS.map((day) => {
      const times = form[day];
      const spans = Array.from({ length: Math.ceil(times.length / 2) }, (_, span) => [
        times[span * 2] ?? '',
        times[span * 2 + 1] ?? '',
      ]);
      return [day, spans.filter(([opens, closes]) => opens || closes)];
    }),
  ) as OpeningHours;
}

/** The hours of the form. Errors: 422 `validation_failed` if times were entered for a room that is always open. */
function openingHoursOf(form: HoursForm, { opening_hours: before }: Room): OpeningHours | null {
  const entered = hoursEntered(form);
  if (form.mode === 'weekly') return entered;
  const changed = WEEKDAYS.some((day) => `${entered[day] ?? []}` !== `${before?.[day] ?? []}`);
  if (changed) {
    const message =
      'You entered times, but “always” is chosen. Choose “at these hours”, or remove the times.';
    throw new ApiError('validation_failed', message, { param: 'mode' });
  }
  return null;
}

const MAX_CHECKED = 500;

/** The confirmed bookings of a room that have not started, the first 500. */
function upcomingOf({ db }: ApiDependencies, room: Room): Promise<BookingRow[]> {
  const now = new Date();
  return listBookings(db.manager, {
    workspace_id: room.workspace_id,
    room_id: room.id,
    status: 'confirmed',
    from: now,
    to: new Date(now.getTime() + 730 * DAY),
    limit: MAX_CHECKED,
  });
}

/** The number of confirmed bookings outside of a room's hours. */
async function countOutside(deps: ApiDependencies, room: Room): Promise<number> {
  const bookings = await upcomingOf(deps, room);
  return bookings.filter(({ start_at, end_at }) => {
    const range = { start: start_at.getTime(), end: end_at.getTime() };
    return !openWindows(room, range).some(({ start, end }) => start <= range.start && end >= range.end);
  }).length;
}

const hoursForm = apiForm<HoursForm, { name: string }>({
  ...changed,
  body: async (form, ctx, deps) => ({ opening_hours: openingHoursOf(form, await roomOf(ctx, deps)) }),
  async confirm(_form, ctx, deps) {
    const before = await roomOf(ctx, deps);
    const after: Room = { ...before, ...columnsOf(ctx.state.body as RoomBody) };
    const week = await readWeek(deps, before);
    const outside = await countOutside(deps, after);
    return {
      title: `Opening hours of ${before.name}`,
      at: '/rooms',
      effects: (
        <>
          <h2>Next seven days with the new hours</h2>
          <p>{hoursInWords(after)}</p>
          <Week room={after} week={week} />
          <h2>With the current hours</h2>
          <p>{hoursInWords(before)}</p>
          <Week room={before} week={week} />
          <WeekLegend zone={before.time_zone} />
          {outside > 0 && (
            <p class="alert">
              {outside === 1
                ? 'One confirmed booking is outside the new hours. It is kept.'
                : `${outside} confirmed bookings are outside the new hours. They are kept.`}
            </p>
          )}
        </>
      ),
      button: 'Save opening hours',
    };
  },
  notice: ({ name }) => `The opening hours of ${name} have been saved.`,
});

type PriceForm = { amount_minor: string; tax_code: string; tiers: string[] } & Record<string, unknown>;

const priceForm = apiForm<PriceForm, { name: string }>({
  ...changed,
  async body({ amount_minor, tax_code, tiers, ...form }, ctx, deps) {
    const { currency } = await roomOf(ctx, deps);
    const discounts = TIERS.map((tier) => [tier, numberOf(form[`discount_${tier}`] as string | undefined)]);
    return {
      price_per_hour: { currency, amount_minor: amountEntered(amount_minor, currency, 'amount_minor') ?? 0 },
      tax_code,
      tiers: tiers.length > 0 ? tiers : null,
      tier_discounts: Object.fromEntries(discounts.filter(([, percent]) => percent)),
    };
  },
  notice: saved,
});

interface DetailsForm {
  name: string;
  description?: string;
  time_zone: string;
  capacity?: string;
  slot_minutes: string;
  min_minutes?: string;
  max_minutes?: string;
  turnaround_minutes: string;
  edit_window_minutes: string;
}

const detailsForm = apiForm<DetailsForm, { name: string }>({
  ...changed,
  body: ({ name, description, time_zone, ...form }) => ({
    name,
    description: description || null,
    time_zone,
    capacity: numberOf(form.capacity),
    slot_minutes: numberOf(form.slot_minutes),
    min_minutes: numberOf(form.min_minutes),
    max_minutes: numberOf(form.max_minutes),
    turnaround_minutes: numberOf(form.turnaround_minutes),
    edit_window_minutes: numberOf(form.edit_window_minutes),
  }),
  notice: saved,
});

const refundsForm = apiForm<{ hours_before: string[]; percent: string[] }, { name: string }>({
  ...changed,
  body: ({ hours_before, percent }) => ({
    refund_steps: hours_before
      .map((hours, index) => ({ hours_before: numberOf(hours), percent: numberOf(percent[index]) }))
      .filter((step) => step.hours_before !== null || step.percent !== null),
  }),
  async confirm(_form, ctx, deps) {
    const room = await roomOf(ctx, deps);
    const { name } = room;
    const { length: existing } = await upcomingOf(deps, room);
    const { refund_steps } = ctx.state.body as Pick<Room, 'refund_steps'>;
    return {
      title: `Refund terms of ${name}`,
      at: '/rooms',
      effects: (
        <>
          <ul>
            {refundsInWords(refund_steps).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <p>
            This applies to all cancellations from now on, including those of existing bookings:{' '}
            {existing === 0
              ? 'there are none at the moment'
              : existing === 1
                ? 'one is confirmed, and its payer sees the new terms'
                : `${existing === MAX_CHECKED ? 'at least ' : ''}${existing} are confirmed, and their payers see the new terms`}
            .
          </p>
        </>
      ),
      button: 'Save refund terms',
    };
  },
  notice: ({ name }) => `The refund terms of ${name} have been saved.`,
});

const archiveForm = (archived: boolean) =>
  apiForm<unknown, { name: string }>({
    ...changed,
    body: () => ({ archived }),
    notice: ({ name }) => (archived ? `${name} can no longer be booked.` : `${name} can be booked again.`),
  });

const selfServiceForm = (self_service: boolean) =>
  apiForm<unknown, { name: string }>({
    ...changed,
    body: () => ({ self_service }),
    notice: ({ name }) =>
      self_service
        ? `Payers can move and cancel their bookings of ${name}.`
        : `Payers can no longer move or cancel their bookings of ${name}; they can still view them.`,
  });

const minutes = text(20).allow('');

/** The forms that change a room. */
export const roomForms: FormRoute[] = [
  [
    '/hours',
    {
      ...hiddenFields,
      mode: joi.valid('always', 'weekly').required(),
      ...Object.fromEntries(WEEKDAYS.map((day) => [day, list])),
    },
    hoursForm,
  ],
  [
    '/price',
    {
      ...hiddenFields,
      amount_minor: text(30).required(),
      tax_code: text(50).required(),
      tiers: list,
      ...Object.fromEntries(TIERS.map((tier) => [`discount_${tier}`, minutes])),
    },
    priceForm,
  ],
  [
    '/details',
    {
      ...hiddenFields,
      name: text(200).trim().required(),
      description: text(5_000).allow(''),
      time_zone: text(64).trim().required(),
      capacity: minutes,
      slot_minutes: minutes,
      min_minutes: minutes,
      max_minutes: minutes,
      turnaround_minutes: minutes,
      edit_window_minutes: minutes,
    },
    detailsForm,
  ],
  ['/refunds', { ...hiddenFields, hours_before: list, percent: list }, refundsForm],
  ['/self-service/on', hiddenFields, selfServiceForm(true)],
  ['/self-service/off', hiddenFields, selfServiceForm(false)],
  ['/archive', hiddenFields, archiveForm(true)],
  ['/restore', hiddenFields, archiveForm(false)],
];
