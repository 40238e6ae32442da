import { Decimal } from 'decimal.js';
import { HOUR_MS } from '../durations.js';
import { ApiError, invalidField } from '../errors.js';
import type { TaxCode } from '../rates/price.js';
import { roundToUnit } from '../processor/amounts.js';
import { refundPercent, type RefundStep } from '../bookings/refund-policy.js';
import { elapsedMinutes, type Range } from '../bookings/slots.js';

/** The unit to which the price of an extra applies. */
export const EXTRA_UNITS = ['booking', 'hour', 'attendee', 'piece'] as const;
export type ExtraUnit = (typeof EXTRA_UNITS)[number];

/** The maximum quantity and stock of an extra. */
export const MAX_QUANTITY = 10_000;
/** The maximum number of extras of a booking. */
export const MAX_EXTRAS = 50;

export const noSuchExtra = (): ApiError => new ApiError('not_found', 'No such extra.');

/** The fields of an extra that its bookings depend on. */
export interface BookableExtra {
  id: string;
  name: string;
  unit: ExtraUnit;
  currency: string;
  price_minor: number;
  tax_code: string;
  room_ids: string[] | null;
  cutoff_hours: number;
  refund_steps: RefundStep[] | null;
  internal: boolean;
  archived: boolean;
  accounting_account: string | null;
}

/** An extra as requested for a booking. */
export interface ExtraRequest {
  extra_id: string;
  quantity: number;
}

/** An extra of a booking, with the terms at the time it was booked. Amounts in minor units. */
export interface BookedExtra extends ExtraRequest {
  name: string;
  unit: ExtraUnit;
  unit_amount_minor: number;
  tax_code: string;
  tax_rate_bps: number;
  account: string | null;
  /** Null if the room's steps apply. */
  refund_steps: RefundStep[] | null;
}

/** The facts of a booking that decide which extras it can have. */
export interface ExtrasContext {
  /** The booking's currency. */
  room: { id: string; currency: string };
  attendees: number;
  /** UTC milliseconds. */
  start: number;
  now: number;
  by_staff: boolean;
  /** The start or the room changes, so extras that are already booked must be possible there as well. */
  moves: boolean;
}

const hasCutOff = ({ cutoff_hours }: BookableExtra, { start, now }: ExtrasContext): boolean =>
  cutoff_hours > 0 && now > start - cutoff_hours * HOUR_MS;

/**
 * Returns why an extra cannot be in a booking (the invalid field, and the part of the message after its
 * name); null if it can.
 */
function whyNotExtra(
  { quantity }: ExtraRequest,
  extra: BookableExtra | undefined,
  was: BookedExtra | undefined,
  context: ExtrasContext,
): [field: keyof ExtraRequest, says: string] | null {
  const { room, attendees, by_staff, moves } = context;
  const isMore = quantity > (was?.quantity ?? 0);
  // Callers who cannot see the extra must not learn that it exists.
  if (!extra || (extra.internal && !by_staff && !was))
    return ['extra_id', 'is not an extra of the workspace'];
  if (extra.internal && !by_staff && quantity !== was!.quantity)
    return ['quantity', `of ${was!.name} can be changed only by staff`];
  if (extra.room_ids && !extra.room_ids.includes(room.id) && (isMore || moves))
    return ['extra_id', `is ${extra.name}, which cannot be booked with this room`];
  if (extra.archived && isMore) return ['extra_id', `is ${extra.name}, which is archived`];
  if (extra.currency !== room.currency && !was)
    return ['extra_id', `is ${extra.name}, which is priced in ${extra.currency}, not in ${room.currency}`];
  if (hasCutOff(extra, context) && (isMore || moves))
    return [
      'extra_id',
      `is ${extra.name}, which can be booked until ${extra.cutoff_hours} hours before the start`,
    ];
  const { unit } = was ?? extra;
  if (unit === 'booking' && quantity > 1)
    return ['quantity', `of ${extra.name} must be 1: its price applies to the whole booking`];
  if (unit === 'attendee' && quantity > attendees)
    return ['quantity', `of ${extra.name} must be at most ${attendees}, the number of attendees`];
  return null;
}

/**
 * Returns the extras of a booking (docs/rules/extras.md#booking-them). `known`: those of the workspace that
 * are requested or booked; `booked`: the extras that the booking already has, whose terms stay. Errors: 422
 * `validation_failed`, on `extras.<n>` or `extras`.
 */
export function resolveExtras(
  requests: ExtraRequest[],
  { known, booked, taxCodes }: { known: BookableExtra[]; booked: BookedExtra[]; taxCodes: TaxCode[] },
  context: ExtrasContext,
): BookedExtra[] {
  const chosen = requests.map((request, index): BookedExtra => {
    const { extra_id, quantity } = request;
    const extra = known.find(({ id }) => id === extra_id);
    const was = booked.find((one) => one.extra_id === extra_id);
    const refusal = whyNotExtra(request, extra, was, context);
    if (refusal) throw invalidField(`extras.${index}.${refusal[0]}`, refusal[1]);
    if (requests.findIndex((one) => one.extra_id === extra_id) !== index)
      throw invalidField(`extras.${index}.extra_id`, 'repeats an earlier entry');
    return was ? { ...was, quantity } : { extra_id, quantity, ...extraTerms(extra!, taxCodes, index) };
  });
  const kept = booked.find(
    ({ extra_id }) =>
      known.find(({ id }) => id === extra_id)?.internal && !chosen.some((one) => one.extra_id === extra_id),
  );
  if (kept && !context.by_staff)
    throw invalidField('extras', `must include ${kept.name}, which only staff can remove`);
  return chosen;
}

function extraTerms(
  extra: BookableExtra,
  taxCodes: TaxCode[],
  index: number,
): Omit<BookedExtra, keyof ExtraRequest> {
  const tax = taxCodes.find(({ code }) => code === extra.tax_code);
  if (!tax) {
    const message =
      `The workspace has no tax code ${extra.tax_code}, which the extra uses. Set another ` +
      'tax_code on the extra.';
    throw new ApiError('validation_failed', message, { param: `extras.${index}.extra_id` });
  }
  return {
    name: extra.name,
    unit: extra.unit,
    unit_amount_minor: extra.price_minor,
    tax_code: extra.tax_code,
    tax_rate_bps: tax.rate_bps,
    account: extra.accounting_account,
    refund_steps: extra.refund_steps,
  };
}

/**
 * Returns the exact number of units that an extra costs. An extra priced per hour counts each hour of each
 * piece.
 */
const countUnits = ({ unit, quantity }: BookedExtra, range: Range): Decimal =>
  unit === 'hour' ? new Decimal(elapsedMinutes(range)).mul(quantity).div(60) : new Decimal(quantity);

/**
 * Returns the price of an extra for a booked time, without tax, and its number of units with at most four
 * decimals.
 */
export function priceExtra(
  extra: BookedExtra,
  range: Range,
  currency: string,
): { quantity: number; net_minor: number } {
  const units = countUnits(extra, range);
  return {
    quantity: units.toDecimalPlaces(4).toNumber(),
    net_minor: roundToUnit(units.mul(extra.unit_amount_minor), currency),
  };
}

/** Returns the percentage that an extra with its own refund steps refunds at `now`. */
export const extraRefundPercent = ({ refund_steps }: BookedExtra, start: number, now: number): number =>
  refundPercent(refund_steps!, start, now);

/** True if two lists contain the same quantities of the same extras. */
export const sameExtras = (one: ExtraRequest[], other: ExtraRequest[]): boolean =>
  one.length === other.length &&
  one.every(({ extra_id, quantity }) =>
    other.some((each) => each.extra_id === extra_id && each.quantity === quantity),
  );

/** 409 `extra_unavailable`: only `available` are left at some time of the booking. */
export const extraUnavailable = (
  { extra_id, name }: Pick<BookedExtra, 'extra_id' | 'name'>,
  available: number,
): ApiError =>
  new ApiError(
    'extra_unavailable',
    available === 0
      ? `${name} is sold out for this time. Book without it, or choose another time.`
      : `Only ${available} of ${name} can be booked at this time. Reduce the quantity, or choose ` +
          'another time.',
    { param: 'extras', details: { reason: 'stock', extra_id, available } },
  );

/** Returns the same error for the extra that a database statement found to have too few left. */
export const shortageError = (
  extras: BookedExtra[],
  { extra_id, available }: { extra_id: string; available: number },
): ApiError =>
  extraUnavailable(
    extras.find((extra) => extra.extra_id === extra_id)!,
    available,
  );

/** `12 × Lunch`. */
export const formatExtra = ({ quantity, name }: { quantity: number; name: string }): string =>
  `${quantity} × ${name}`;

/** `12 × Lunch, 1 × Projector`. */
export const formatExtras = (extras: { quantity: number; name: string }[]): string =>
  extras.map(formatExtra).join(', ');
