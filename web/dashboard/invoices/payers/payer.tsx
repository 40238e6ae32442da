import { CopyLink } from '../../../ui/copy.js';
import type { ComponentChildren } from 'preact';
import type { CardSetup } from '../../../../db/entities/collections.js';
import type { PayerId } from '../../../../db/queries/payments/card.js';
import { listOpenInvoices } from '../../../../db/queries/invoices/statement.js';
import type { Tx } from '../../../../db/transaction.js';
import { startOfDay } from '../../../../domain/cycle.js';
import type { PayerFacts } from '../../../../domain/invoices/payer-presenter.js';
import { balanceDue, formatSums } from '../../../../domain/invoices/statement.js';
import { ENGLISH } from '../../../../domain/words/words.js';
import { can } from '../../../../domain/policies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { PayerName } from '../../shared/payer-name.js';
import { createFormats, sentenceCase } from '../../../ui/formats.js';

/** `Visa ending in 4242, until 12/2034`. */
const cardName = ({ brand, last4, exp_month, exp_year }: NonNullable<PayerFacts['card']>): string =>
  `${sentenceCase(brand)} ending in ${last4}, until ${String(exp_month).padStart(2, '0')}/${exp_year}`;

const WHEN_BOOKED = 'When booking';

/** How bookings are paid: `on account, up to £500.00, due within 14 days`. */
function describePaymentTerms(
  ctx: ApiContext,
  { payment_terms, credit_limit_minor }: Pick<PayerFacts, 'payment_terms' | 'credit_limit_minor'>,
): string {
  const { amount } = createFormats(ctx);
  if (payment_terms === null) return WHEN_BOOKED;
  const limit = credit_limit_minor === null ? 'with no limit' : `up to ${amount(credit_limit_minor)}`;
  return (
    `${WHEN_BOOKED}, or on account ${limit}, due within ` +
    `${payment_terms === 1 ? 'one day' : `${payment_terms} days`}`
  );
}

/** The payer's total balance and the overdue part. */
export async function owedBy(
  tx: Tx,
  workspaceId: string,
  payer: PayerId,
): Promise<readonly [string, ComponentChildren]> {
  const open = await listOpenInvoices(tx, workspaceId, payer);
  const overdue = open.filter(({ is_past_due }) => is_past_due);
  return [
    'To pay',
    <>
      {formatSums(ENGLISH, open, balanceDue) || 'nothing'}
      {overdue.length > 0 && (
        <small class="alert">{formatSums(ENGLISH, overdue, balanceDue)} is overdue</small>
      )}
    </>,
  ];
}

/**
 * Payment terms, balance and card of a payer. If a member has a company, it pays their bookings on its terms.
 */
export function listPayerFacts(
  ctx: ApiContext,
  payer: PayerFacts,
  setup: CardSetup | null,
  company: (PayerFacts & { id: string; name: string }) | null = null,
): (readonly [string, ComponentChildren])[] {
  const { next_statement_on, card, autopay } = payer;
  const { day, moment } = createFormats(ctx);
  const { time_zone } = ctx.state.membership!;
  return [
    [
      'Terms',
      <>
        {describePaymentTerms(ctx, company ?? payer)}
        {company && (
          <small>
            {'Paid by '}
            <PayerName ctx={ctx} payer={{ kind: 'company', id: company.id, name: company.name }} />
            {company.payment_terms === null && ', which has no payment terms'}.
          </small>
        )}
      </>,
    ],
    ...(next_statement_on
      ? [['Monthly statement', `Next on ${day(startOfDay(next_statement_on, time_zone))}`] as const]
      : []),
    [
      'Card',
      <>
        {card ? cardName(card) : 'none'}
        {card && (
          <small>
            {autopay
              ? 'Due invoices are charged to it'
              : can(ctx.state.membership!.role, 'write_billing')
                ? 'Not charged: see Payment terms'
                : 'Invoices are not charged to it. To have them charged, ask ' +
                  `${ctx.state.membership!.workspace_name}.`}
          </small>
        )}
      </>,
    ],
    ...(setup?.url
      ? [
          [
            'Card link',
            <>
              <a href={setup.url}>Open page</a>
              <CopyLink id="card_url" label="Card link" url={setup.url} />
              <small>Valid until {moment(setup.session_expires_at)}</small>
            </>,
          ] as const,
        ]
      : []),
  ];
}
