import { checkCredit } from '../../../commands/invoices/account-credit.js';
import { payerOf } from '../../../db/queries/payments/card.js';
import { findCreateContext } from '../../../db/queries/bookings/create.js';
import { quoteCreate, type CreateRequest } from '../../../domain/bookings/create.js';
import { presentLine } from '../../../domain/rates/price-lines.js';
import { can, type Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { createRequestOf } from './aliases.js';
import { assertCanBookFor } from './create.js';
import type { QuoteBody } from './shape.js';

/**
 * `POST /v1/quotes` (docs/rules/bookings.md#quotes). Nothing is stored. Errors: those of a
 * create before its checkout.
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
  const { workspace_id } = principal;
  return quoteRequest({ db }, { workspace_id, by_staff: can(principal.role, 'all_bookings') }, request);
}

/** The same for a request whose booker may make it. */
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
    const payer = payerOf(context.member!.company_id, request.member_id!);
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
