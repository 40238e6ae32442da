import { findWorkspaceBooking } from '../../../commands/bookings/bookings.js';
import { rotateManageLink, sendBooking as send } from '../../../commands/bookings/payer.js';
import { markNoShow } from '../../../commands/bookings/mark-no-show.js';
import { listBookingTexts } from '../../../db/queries/bookings/booking.js';
import type { PresentedBooking } from '../../../domain/bookings/booking-presenter.js';
import { REFERENCE } from '../../../domain/bookings/reference.js';
import { DAY_MS } from '../../../domain/durations.js';
import { invalidField } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import { BOOKING_STATUSES } from '../../../domain/states.js';
import { decodeCursor, page, pageFields, type Position } from '../../http/cursor.js';
import { emptyBody, memberId, searchText, timestamp, uuid } from '../../http/fields.js';
import { toJsonBytes } from '../../http/json.js';
import { operation } from '../../http/operation.js';
import { object, oneOf, string, type Infer } from '../../http/typed.js';
import { getResponseCache } from '../../http/response-cache.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import { metadataFilter } from '../shared/metadata.js';
import type { EventDescription, EventTypesFor, Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import {
  booking,
  CHANGED,
  DETAILS,
  hasManageLinks,
  isBookingId,
  linkedBooking,
  presentBookingFor,
} from './booking.js';
import { cancelBooking } from './cancel.js';
import { postBooking } from './create.js';
import { cancelled, confirmed, EXAMPLE_BOOKING_ID, linked, pending, PENDING_CHANGE } from './examples.js';
import { bookingOfPendingChange, deletePendingChange, getPendingChange } from './pending-change.js';
import { quoteBooking } from './quote.js';
import { resolve, sameTime } from './request.js';
import { takePayment } from './take-payment.js';
import { changeBooking } from './update.js';

const listSchema = object({
  from: timestamp.description('Returns only bookings that start at or after this time. Defaults to now.'),
  to: timestamp.description(
    'Returns only bookings that start before this time. Defaults to 30 days from now.',
  ),
  'start_at[gte]': timestamp.description('An alias of `from`.'),
  'start_at[lt]': timestamp.description('An alias of `to`.'),
  status: oneOf(BOOKING_STATUSES).description('Returns only bookings with this status.'),
  room_id: uuid.description('Returns only bookings of this room.'),
  member_id: memberId.description('Returns only bookings of this member.'),
  company_id: uuid.description('Returns only bookings of members of this company.'),
  reference: string
    .pattern(REFERENCE, 'the reference of a booking, seven letters and digits')
    .custom((value: string) => value.toUpperCase())
    .description(
      'Returns only the booking with this reference. Letter case is ignored. With this parameter, ' +
        '`from` and `to` have no defaults.',
    ),
  metadata: metadataFilter('bookings'),
  q: searchText.description(
    'Up to ten words to search for in the booker’s name and email address, and in a guest’s company, ' +
      'VAT number and order reference. Case and accents are ignored. A booking reference, or at least ' +
      'its first four characters, also matches.',
  ),
  ...pageFields,
});
type ListQuery = Infer<typeof listSchema>;

const DEFAULT_DAYS = 30;

/**
 * The time range of a list (docs/rules/bookings.md#list): from now on for 30 days by default. On a later page
 * "now" is where the previous page ended, so that a booking that starts between two requests is not skipped.
 * Errors: 422 `validation_failed` if a bound and its alias differ, or the end is before the start.
 */
function listRange(query: ListQuery, now: Date, after?: Position): { from: Date; to: Date } {
  const from = resolve(['start_at[gte]', 'from'], [query.from, query['start_at[gte]']], sameTime);
  const to = resolve(['start_at[lt]', 'to'], [query.to, query['start_at[lt]']], sameTime);
  if (from && to && to < from) {
    const [first, last] = [query.from ? 'from' : 'start_at[gte]', query.to ? 'to' : 'start_at[lt]'];
    throw invalidField(last, `must not be before ${first}`);
  }
  // A search by reference is not limited to a time range.
  const [first, last] = query.reference
    ? [new Date(0), new Date('9999-01-01T00:00:00Z')]
    : [now, new Date(now.getTime() + DEFAULT_DAYS * DAY_MS)];
  return { from: from ?? (after ? new Date(after.key) : first), to: to ?? last };
}

const BOOKINGS = { name: 'bookings', isId: isBookingId };

export const listBookings = operation({
  route: 'GET /v1/bookings',
  summary: 'List bookings',
  description:
    'Returns the bookings that start in `[from, to)`, sorted by `start_at`, then id. `from` defaults to ' +
    'now, `to` to 30 days from now. `start_at[gte]` and `start_at[lt]` are aliases of `from` and `to`. ' +
    'The roles `member` and `billing_contact` see only their own bookings.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  query: listSchema,
  responses: { 200: s.pageSchema(linkedBooking) },
  examples: { query: { status: 'confirmed', limit: '20' }, response: examplePage(linked(confirmed)) },
  async run({ query }, caller, deps) {
    const { workspace_id, role, member_id } = caller;
    const after = decodeCursor(query.cursor, BOOKINGS);
    const now = new Date();
    const { texts, rows } = await listBookingTexts(deps.db.manager, {
      workspace_id,
      ...listRange(query, now, after),
      status: query.status,
      room_id: query.room_id,
      member_id: query.member_id,
      company_id: query.company_id,
      only_of: can(role, 'all_bookings') ? undefined : member_id,
      reference: query.reference,
      metadata: query.metadata,
      q: query.q,
      after: after && { start_at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    const key = [workspace_id, hasManageLinks(caller), JSON.stringify(query)].join(' ');
    return getResponseCache(deps.db).of(key, texts, now.getTime(), () =>
      toJsonBytes(
        page(
          BOOKINGS,
          rows(),
          query.limit,
          (row) => row.start_at,
          (row) => presentBookingFor(deps, caller, row),
        ),
      ),
    );
  },
  reply: (json) => ({ headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: json }),
});

export const getBooking = operation({
  route: 'GET /v1/bookings/:id',
  summary: 'Get a booking',
  scope: 'calendar:read',
  capability: 'own_bookings',
  responses: { 200: linkedBooking },
  examples: { response: linked(confirmed) },
  run: async ({ params }, caller, deps) =>
    presentBookingFor(deps, caller, await findWorkspaceBooking(deps.db.manager, caller, params.id)),
});

export const markAsNoShow = operation({
  route: 'POST /v1/bookings/:id/no-show',
  summary: 'Mark a no-show',
  id: 'markBookingNoShow',
  description:
    'Records that the booker did not show up. Allowed from `start_at` until 7 days after `end_at`. Does ' +
    'not change the status of the booking or refund anything.',
  scope: 'calendar:write',
  capability: 'all_bookings',
  body: emptyBody,
  idempotent: getBooking.run,
  responses: { 200: linkedBooking },
  errors: ['booking_not_started', 'booking_not_editable'],
  examples: { body: {}, response: linked({ ...confirmed, no_show_at: exampleInstant(45, 10) }) },
  run: async ({ params }, caller, deps) =>
    presentBookingFor(deps, caller, await markNoShow(deps.db, caller, params.id)),
});

export const replaceManageLink = operation({
  route: 'POST /v1/bookings/:id/rotate-manage-link',
  summary: 'Replace the manage link',
  id: 'rotateManageLink',
  description:
    'Returns the booking with a new `manage_url`. The link in earlier emails and responses stops ' +
    'working; later emails contain the new one.',
  scope: 'calendar:write',
  capability: 'all_bookings',
  body: emptyBody,
  idempotent: getBooking.run,
  responses: { 200: linkedBooking },
  examples: { body: {}, response: linked(confirmed) },
  run: async ({ params }, caller, deps) =>
    presentBookingFor(deps, caller, await rotateManageLink(deps.db, caller, params.id)),
});

export const sentBooking = s.shape({
  booking_id: s.prefixedId('bk').description('The booking.'),
  sent_to: s.anyText.description('The address that the email was sent to.'),
});

export const sendBooking = operation({
  route: 'POST /v1/bookings/:id/send',
  summary: 'Resend a booking’s email',
  id: 'sendBooking',
  description:
    'Emails the booker the current state of the booking: the payment link, the confirmation, the ' +
    'cancellation or the expiry. Allowed once every 10 minutes.',
  scope: 'calendar:write',
  capability: 'all_bookings',
  body: emptyBody,
  idempotent: true,
  responses: { 200: sentBooking },
  examples: { body: {}, response: { booking_id: EXAMPLE_BOOKING_ID, sent_to: 'ada@example.com' } },
  run: async ({ params, idempotency }, caller, { db, mailQuotas }) => ({
    booking_id: params.id,
    sent_to: await send(db, mailQuotas, caller, params.id, idempotency),
  }),
});

const example = (object: PresentedBooking, previous?: Record<string, unknown>): EventDescription => ({
  schema: booking,
  object,
  previous,
});

const events: Record<EventTypesFor<'booking'>, EventDescription> = {
  'booking.created': example(pending),
  'booking.confirmed': example(confirmed),
  'booking.updated': example({ ...confirmed, ...CHANGED, sequence: 1 }, { ...DETAILS, sequence: 0 }),
  'booking.change_pending': {
    schema: bookingOfPendingChange,
    object: { ...confirmed, pending_change: { ...PENDING_CHANGE, ended: null } },
  },
  'booking.change_lapsed': {
    schema: bookingOfPendingChange,
    object: { ...confirmed, pending_change: { ...PENDING_CHANGE, ended: 'lapsed' } },
  },
  'booking.cancelled': example(cancelled),
  'booking.expired': example({ ...pending, status: 'expired' }),
  'booking.completed': example({ ...confirmed, status: 'completed', completed_at: exampleInstant(45, 11) }),
  'booking.no_show': example({ ...confirmed, no_show_at: exampleInstant(45, 10) }),
};

/** Bookings (docs/rules/bookings.md). */
export const bookings: Resource<EventTypesFor<'booking'>> = {
  tag: 'Bookings',
  operations: [
    listBookings,
    postBooking,
    quoteBooking,
    getBooking,
    changeBooking,
    getPendingChange,
    deletePendingChange,
    cancelBooking,
    takePayment,
    markAsNoShow,
    sendBooking,
    replaceManageLink,
  ],
  ids: { bookings: { name: 'booking', example: EXAMPLE_BOOKING_ID, notFound: 'booking_not_found' } },
  events,
};
