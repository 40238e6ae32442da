import { ApiError, invalidField } from '../errors.js';
import { changedMetadata, type MetadataChange } from '../metadata.js';
import type { Money } from '../money.js';
import type { RoomFacts } from './presenter.js';

/** Returns the error for a room that the workspace does not have. */
export const noSuchRoom = (param?: string): ApiError =>
  new ApiError('room_not_found', 'No such room.', { param });

/** The maximum number of pictures of a room. */
export const MAX_IMAGES = 10;

/** The default values of a room. The default time zone is the workspace's. */
export const DEFAULTS = {
  description: null,
  image_urls: [],
  features: [],
  floor: null,
  size_m2: null,
  address: null,
  directions: null,
  access_notes: null,
  reminder_hours: null,
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  turnaround_minutes: 0,
  edit_window_minutes: 60,
  tax_code: 'STANDARD',
  tiers: null,
  tier_discounts: {},
  refund_steps: [
    { hours_before: 24, percent: 100 },
    { hours_before: 0, percent: 0 },
  ],
  parts: [] as string[],
  self_service: true,
  archived: false,
  metadata: {},
};

/** The stored fields of a room. */
export type RoomTerms = Omit<RoomFacts, 'id' | 'created_at' | 'updated_at'>;
type Priced = 'currency' | 'price_per_hour_minor';

/** A change of a room, as sent in requests. */
export type RoomChanges = Partial<Omit<RoomTerms, Priced | 'metadata'>> & {
  price_per_hour?: Money;
  metadata?: MetadataChange;
};
export type NewRoom = RoomChanges & { name: string; price_per_hour: Money };

/** Returns the columns that a change of a room sets, except metadata, which needs the previous values. */
export function changedRoom({
  price_per_hour,
  metadata: _metadata,
  ...rest
}: RoomChanges): Partial<RoomTerms> {
  if (!price_per_hour) return rest;
  const { currency, amount_minor } = price_per_hour;
  return { ...rest, currency, price_per_hour_minor: amount_minor };
}

/**
 * Returns a new room with default values for missing fields (docs/rules/rooms.md#rooms). `time_zone`: the
 * workspace's. Errors: 422.
 */
export function newRoom(sent: NewRoom, time_zone: string): RoomTerms {
  const { name, price_per_hour, metadata, ...rest } = sent;
  const { currency, amount_minor: price_per_hour_minor } = price_per_hour;
  const entered = { ...rest, ...changedMetadata(DEFAULTS, { metadata }) };
  const room = { time_zone, ...DEFAULTS, ...entered, name, currency, price_per_hour_minor };
  assertLengths(room);
  return room;
}

/**
 * Returns a copy of a room under another name: all that describes it. Its parts are linked to it alone, and
 * its metadata identifies it in other systems, so the copy has neither. It can be booked even if the original
 * is archived.
 */
export function copiedRoom<Terms extends RoomTerms>(original: Terms, name: string): Terms {
  const { parts, archived, metadata } = DEFAULTS;
  return { ...original, name, parts, archived, metadata };
}

/** Errors: 422 `validation_failed` if the maximum length is below the minimum length. */
function assertLengths({ min_minutes, max_minutes }: Pick<RoomTerms, 'min_minutes' | 'max_minutes'>): void {
  if (min_minutes === null || max_minutes === null || max_minutes >= min_minutes) return;
  throw invalidField('max_minutes', 'must not be less than {min_minutes}');
}

/**
 * Errors: 422 `validation_failed` if the maximum length is below the minimum length, or if the currency
 * changes although the room has rates, whose amounts are in it (docs/rules/rooms.md#prices).
 */
export function assertChange(
  room: RoomTerms & { rates: readonly unknown[] },
  changes: Partial<RoomTerms>,
): void {
  assertLengths({ ...room, ...changes });
  const { currency, rates } = room;
  if ((changes.currency ?? currency) === currency || rates.length === 0) return;
  const message =
    `The room has rates with amounts in ${currency}. Remove the rates, change the currency, then add ` +
    'the rates again.';
  throw new ApiError('validation_failed', message, { param: 'price_per_hour.currency' });
}

/** Errors: 409 `limit_reached` if a room already has the maximum number of pictures. */
export function assertSpaceForPicture({ image_urls }: Pick<RoomTerms, 'image_urls'>): void {
  if (image_urls.length < MAX_IMAGES) return;
  throw new ApiError('limit_reached', `A room can have at most ${MAX_IMAGES} pictures.`, {
    details: { limit: MAX_IMAGES },
  });
}
