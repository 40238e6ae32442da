import { findAccountCredit } from '../../../commands/invoices/account-credit.js';
import { findCompany } from '../../../db/queries/companies/company.js';
import { findMember } from '../../../db/queries/members/member.js';
import { availableMinor, whyNotOnAccount, type Credit } from '../../../domain/invoices/credit.js';
import type { Settle } from '../../../domain/bookings/create.js';
import { ApiError } from '../../../domain/errors.js';
import type { Money } from '../../../domain/money.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';

/** Who pays a member's booking, and on which terms. */
interface Payer {
  booker: string;
  name: string;
  /** Days to pay bookings on account; null if bookings are paid online. */
  payment_terms: number | null;
  credit: Credit;
  /** The hour credits that the member has left. */
  hour_credits: number;
}

/** The payer of a member's bookings in a currency; null if the workspace has no such member. */
export async function findAccountPayer(
  ctx: ApiContext,
  { db }: ApiDependencies,
  memberId: string,
  currency: string,
): Promise<Payer | null> {
  const { workspace_id } = ctx.state.membership!;
  const member = await findMember(db.manager, workspace_id, memberId);
  if (!member) return null;
  const { company_id } = member;
  const company = company_id ? await findCompany(db.manager, workspace_id, company_id) : null;
  const payer = company
    ? { company_id: company.id, member_id: null }
    : { company_id: null, member_id: memberId };
  return {
    booker: member.name,
    name: (company ?? member).name,
    payment_terms: (company ?? member).payment_terms,
    hour_credits: member.hour_credit_balance,
    credit: await findAccountCredit(db.manager, payer, { workspace_id, currency }),
  };
}

/** The remaining credit: `£470.00 of £500.00 is left`. */
function creditLeft(ctx: ApiContext, { credit }: Payer, currency: string): string {
  const { amount } = createFormats(ctx);
  const { limit_minor, limit_currency, unpaid_minor } = credit;
  const left = availableMinor(credit);
  if (left === null) return `${amount(unpaid_minor, currency)} is outstanding, with no credit limit`;
  return `${amount(left, limit_currency)} of ${amount(limit_minor!, limit_currency)} is left`;
}

/** The same as a sentence, before a booking is made. */
function creditBefore(ctx: ApiContext, payer: Payer, currency: string): string {
  if (availableMinor(payer.credit) !== null)
    return `Credit limit: ${creditLeft(ctx, payer, currency)} before this booking.`;
  return (
    `No credit limit: ${createFormats(ctx).amount(payer.credit.unpaid_minor, currency)} is ` +
    'outstanding before this booking.'
  );
}

/** Errors: 422 if the booking has no payer with payment terms. */
export function assertHasTerms(payer: Payer | null): void {
  const refusal = whyNotOnAccount(payer);
  if (!refusal) return;
  const message: Record<typeof refusal.details.reason, string> = {
    no_terms:
      `${payer?.name} has no payment terms, so nothing can be booked on account. Set payment terms ` +
      'on their page first.',
    guest: 'Only members can book on account. Guests pay on the payment page.',
  };
  throw new ApiError('validation_failed', message[refusal.details.reason], { param: 'on_account' });
}

export function Settlement(props: {
  ctx: ApiContext;
  price: Money;
  settle?: Settle;
  payer: Payer | null;
  /** The booker's email address. */
  email: string;
}) {
  const { ctx, price, settle, payer, email } = props;
  const { role } = ctx.state.membership!;
  const seesAll = can(role, 'all_bookings');
  const seesCredit = seesAll && can(role, 'read_payers');
  if (price.amount_minor === 0) return <p class="soft">The booking is confirmed immediately.</p>;
  if (settle === 'on_account' && payer)
    return (
      <p id="settlement">
        The booking is confirmed immediately. {payer.name} gets an invoice, due within {payer.payment_terms}{' '}
        days.{seesCredit && ` ${creditBefore(ctx, payer, price.currency)}`}
      </p>
    );
  if (!seesAll)
    return (
      <p class="soft">
        The slot is held while you pay on the next page. You also get the link by email. Nothing is charged
        until you pay.
      </p>
    );
  return (
    <>
      <p class="soft">
        The slot is held until it is paid. Take the payment at the desk or copy the payment link on the
        booking’s page. If it is still unpaid in about a minute, {email} gets the link by email.
      </p>
      {payer && !whyNotOnAccount(payer) && !payer.credit.is_refused && (
        <p id="settlement">
          {payer.name} can also pay on account{seesCredit && `: ${creditLeft(ctx, payer, price.currency)}`}.
          To book on account, go back and select it.
        </p>
      )}
    </>
  );
}
