import type Stripe from 'stripe';
import { readOwnerId } from '../../domain/payments/money-facts.js';
import { fromProcessorAmount } from '../../domain/processor/amounts.js';
import type { ChargeCalls, ListedCharge } from './processor-reads.js';
import { toDispute } from './stripe-disputes.js';
import { referenceId, on, pageParams } from './stripe-objects.js';

/** Converts a successful charge; null for any other charge. */
function toCharge(charge: Stripe.Charge): ListedCharge | null {
  if (charge.status !== 'succeeded') return null;
  return {
    charge_id: charge.id,
    payment_intent_id: referenceId(charge.payment_intent),
    amount_minor: fromProcessorAmount(charge.amount, charge.currency),
    refunded_minor: fromProcessorAmount(charge.amount_refunded, charge.currency),
    currency: charge.currency.toUpperCase(),
    owner_id: readOwnerId(charge.metadata),
    metadata: charge.metadata,
    created_at: new Date(charge.created * 1000),
  };
}

const isThere = <T>(value: T | null): value is T => value !== null;

/** Lists of charges and disputes, as the reconciliation reads them (docs/rules/billing.md#reconciliation). */
export function chargeCalls(stripe: Stripe): ChargeCalls {
  return {
    async listCharges(accountId, since, after) {
      const page = pageParams({ from: since, to: null, after });
      const { data, has_more } = await stripe.charges.list(page, on(accountId));
      return { charges: data.map(toCharge).filter(isThere), last: has_more ? data.at(-1)!.id : null };
    },

    async listRefundedCharges(accountId, period) {
      const page = { ...pageParams(period), expand: ['data.charge'] };
      const { data, has_more } = await stripe.refunds.list(page, on(accountId));
      const charges = data.map(({ charge }) =>
        typeof charge === 'object' && charge ? toCharge(charge) : null,
      );
      return { charges: charges.filter(isThere), last: has_more ? data.at(-1)!.id : null };
    },

    async findCharge(accountId, paymentIntentId) {
      const page = { payment_intent: paymentIntentId, limit: 100 };
      const { data } = await stripe.charges.list(page, on(accountId));
      return data.map(toCharge).find(isThere) ?? null;
    },

    async listDisputes(accountId, paymentIntentId) {
      const page = { payment_intent: paymentIntentId, limit: 100 };
      const { data } = await stripe.disputes.list(page, on(accountId));
      return data.map(toDispute).filter((dispute) => dispute !== null);
    },

    async listDisputesSince(accountId, since, after) {
      const { data, has_more } = await stripe.disputes.list(
        pageParams({ from: since, to: null, after }),
        on(accountId),
      );
      const disputes = data.map(toDispute).filter((dispute) => dispute !== null);
      return { disputes, last: has_more ? data.at(-1)!.id : null };
    },
  };
}
