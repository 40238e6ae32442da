import { checkCredit } from '../../../commands/invoices/account-credit.js';
import { memberPayer } from '../../../db/queries/payments/card.js';
import { findCreateContext } from '../../../db/queries/bookings/create.js';
import { quoteCreate, type CreateRequest } from '../../../domain/bookings/create.js';
import { UNAVAILABLE_REASONS } from '../../../domain/bookings/slots.js';
import { presentLine } from '../../../domain/rates/price-lines.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import { operation } from '../../http/operation.js';
import { array, boolean, number, oneOf } from '../../http/typed.js';
import { EXAMPLE_ROOM_ID } from '../rooms/operations.js';
import { exampleTime } from '../shared/examples.js';
import * as s from '../shared/shapes.js';
import { priceLine } from './booking.js';
import { LINE, pending } from './examples.js';
import { assertCanBookFor, toCreateRequest, quoteSchema } from './request.js';

export const quote = s.shape({
  price: s.money.description('The price to pay, including tax.'),
  net_minor: s.minor.description('The price without tax, in minor units.'),
  tax_minor: s.minor.description('The tax, in minor units.'),
  lines: array(priceLine).description('The lines that make up the price.'),
  discount_percent: number.description('The discount of the member’s tier, in percent.'),
  tokens_used: s.count.description('The number of hour credits that would be used.'),
  available: boolean.description('Whether the slot is available now.'),
  reason: s
    .orNull(oneOf(UNAVAILABLE_REASONS))
    .description(
      'Why the slot is not available. The values are the same as for `details.reason` of a ' +
        '`slot_unavailable` error.',
    ),
});

export const quoteBooking = operation({
  route: 'POST /v1/quotes',
  summary: 'Quote a booking',
  id: 'createQuote',
  description:
    'Returns the price of a booking without creating it or holding the slot. The body and errors are ' +
    'the same as for `POST /v1/bookings`, without `idempotency_key` and with one exception: an occupied ' +
    'slot is not an error. Instead, `available` is false, and `reason` is the cause. If an ' +
    'extra is not available in the requested quantity, the request still fails with 409 `extra_unavailable`.',
  scope: 'calendar:write',
  capability: 'own_bookings',
  body: quoteSchema,
  responses: { 200: quote },
  errors: [
    'room_not_found',
    'member_not_found',
    'member_cancelled',
    'tier_not_allowed',
    'credit_limit_exceeded',
    'extra_unavailable',
    'discount_unavailable',
    'slot_misaligned',
    'processor_unconfigured',
    'amount_too_small',
  ],
  examples: {
    body: {
      room_id: EXAMPLE_ROOM_ID,
      start_at: exampleTime(45, 9),
      duration_minutes: 120,
      booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
      attendees: 4,
    },
    response: {
      price: pending.price,
      net_minor: 5000,
      tax_minor: 1000,
      lines: [LINE],
      discount_percent: 0,
      tokens_used: 0,
      available: true,
      reason: null,
    },
  },
  run({ body }, caller, deps) {
    const request = toCreateRequest(body);
    assertCanBookFor(caller, request);
    const { workspace_id, role } = caller;
    return quoteRequest(deps, { workspace_id, by_staff: can(role, 'all_bookings') }, request);
  },
});

/**
 * The current price of a booking, and whether its time is available. Amounts are in minor units. Errors:
 * those of a create before its checkout.
 */
export async function quoteRequest(
  { db }: Pick<ApiDependencies, 'db'>,
  { workspace_id, by_staff }: { workspace_id: string; by_staff: boolean },
  request: CreateRequest,
) {
  const lookup = { ...request, workspace_id, idempotency_key: null };
  const context = await findCreateContext(db.manager, lookup);
  const { room, price, lines, discount_percent, hour_credits_used, account_days, unavailable } = quoteCreate(
    context,
    request,
    Date.now(),
    { by_staff },
  );
  if (account_days !== null) {
    const payer = memberPayer(context.member!.company_id, request.member_id!);
    const debt = { currency: room.currency, amount_minor: price.total_minor };
    await checkCredit(db.manager, payer, { workspace_id, ...debt });
  }
  return {
    price: { currency: room.currency, amount_minor: price.total_minor },
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    lines: lines.map(presentLine),
    discount_percent,
    tokens_used: hour_credits_used,
    available: unavailable === null,
    reason: unavailable,
  };
}
