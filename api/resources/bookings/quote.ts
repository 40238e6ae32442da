import { checkCredit } from '../../../commands/billing/account-credit.js';
import { payerOf } from '../../../db/queries/billing/card.js';
import { findCreateContext } from '../../../db/queries/bookings/create.js';
import { quoteCreate } from '../../../domain/booking-create.js';
import type { Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { createRequestOf } from './aliases.js';
import { assertCanBookFor } from './create.js';
import type { QuoteBody } from './shape.js';

/**
 * `POST /v1/quotes` (docs/rules/bookings.md#quotes). Nothing is stored. Errors: those of a create before its checkout.
 */
export function quote(deps: Pick<ApiDependencies, 'db'>): Handler<QuoteBody> {
  return async (ctx) => {
    ctx.status = 200;
    ctx.body = await quoteBooking(deps, ctx.state.principal, ctx.state.body);
  };
}

/** What creating a booking would cost now, and whether its time is available. Amounts in minor units. */
export async function quoteBooking(
  { db }: Pick<ApiDependencies, 'db'>,
  principal: Principal,
  body: QuoteBody,
) {
  const request = createRequestOf(body);
  assertCanBookFor(principal, request);
  const lookup = { ...request, workspace_id: principal.workspace_id, idempotency_key: null };
  const context = await findCreateContext(db.manager, lookup);
  const { room, price, discount_percent, hour_credits_used, account_days, unavailable } = quoteCreate(
    context,
    request,
    Date.now(),
  );
  if (account_days !== null) {
    const payer = payerOf(context.member!.company_id, request.member_id!);
    const debt = { currency: room.currency, amount_minor: price.total_minor };
    await checkCredit(db.manager, payer, { workspace_id: principal.workspace_id, ...debt });
  }
  return {
    price: { currency: room.currency, amount_minor: price.total_minor },
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    discount_percent,
    tokens_used: hour_credits_used,
    available: unavailable === null,
    reason: unavailable,
  };
}
