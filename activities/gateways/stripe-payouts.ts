import type Stripe from 'stripe';
import type { ReportedPayout, ReportedPayoutEntry } from '../../commands/reports/payouts.js';
import { utcDay } from '../../domain/cycle.js';
import { fromProcessorAmount } from '../../domain/processor/amounts.js';
import { PAYOUT_STATUSES, type PayoutEntryKind, type PayoutStatus } from '../../domain/reports/payouts.js';
import type { PayoutCalls } from './processor-reads.js';
import { on, pageParams, referenceId } from './stripe-objects.js';

const toStatus = (status: string): PayoutStatus =>
  PAYOUT_STATUSES.find((known) => known === status) ?? 'pending';

function toPayout(payout: Stripe.Payout): ReportedPayout {
  const { id, status, automatic, currency, amount, arrival_date, failure_code, created } = payout;
  return {
    id,
    status: toStatus(status),
    automatic,
    reconciled: automatic && payout.reconciliation_status === 'completed',
    currency: currency.toUpperCase(),
    amount_minor: fromProcessorAmount(amount, currency),
    arrives_on: utcDay(arrival_date * 1000),
    failure_code,
    created_at: new Date(created * 1000),
  };
}

type Source = Stripe.BalanceTransaction['source'];
type SourceObject = Exclude<Source, string | null>;

/** What a balance transaction is about, by its source. Fees have none. */
function toKind({ type }: Stripe.BalanceTransaction, source: SourceObject | null): PayoutEntryKind {
  if (source?.object === 'charge') return 'payment';
  if (source?.object === 'refund') return 'refund';
  if (source?.object === 'dispute') return 'dispute';
  return type.endsWith('_fee') || type === 'tax_fee' ? 'fee' : 'other';
}

/**
 * Converts a balance transaction. The amount of a fee of its own, such as for a dispute or the account,
 * counts as a fee.
 */
function toEntry(transaction: Stripe.BalanceTransaction): ReportedPayoutEntry {
  const { id, amount, fee, net, currency, created } = transaction;
  const source = typeof transaction.source === 'object' ? transaction.source : null;
  const kind = toKind(transaction, source);
  const isFee = kind === 'fee';
  const about = source && 'payment_intent' in source ? source.payment_intent : null;
  return {
    id,
    kind,
    gross_minor: isFee ? 0 : fromProcessorAmount(amount, currency),
    fee_minor: fromProcessorAmount(isFee ? -net : fee, currency),
    net_minor: fromProcessorAmount(net, currency),
    payment_intent_id: about ? referenceId(about) : null,
    refund_id: source?.object === 'refund' ? source.id : null,
    created_at: new Date(created * 1000),
  };
}

/** Lists payouts and what is in them (docs/rules/reports.md#payouts). */
export function payoutCalls(stripe: Stripe): PayoutCalls {
  return {
    async listPayouts(accountId, since, after) {
      const page = pageParams({ from: since, to: null, after });
      const { data, has_more } = await stripe.payouts.list(page, on(accountId));
      return { payouts: data.map(toPayout), last: has_more ? data.at(-1)!.id : null };
    },

    async listPayoutEntries(accountId, payoutId, after) {
      const { data, has_more } = await stripe.balanceTransactions.list(
        {
          payout: payoutId,
          limit: 100,
          expand: ['data.source'],
          ...(after && { starting_after: after }),
        },
        on(accountId),
      );
      // The payout's own transaction is among them.
      const entries = data.filter(({ type }) => type !== 'payout').map(toEntry);
      return { entries, last: has_more ? data.at(-1)!.id : null };
    },
  };
}
