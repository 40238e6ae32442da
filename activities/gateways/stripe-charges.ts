import type Stripe from 'stripe';
import type { Processor } from './processor.js';
import { call } from './stripe-call.js';
import { toDispute } from './stripe-disputes.js';
import { idOf, on, ownerOf } from './stripe-references.js';
import { minorUnits } from './stripe-saved-card.js';

/** Lists of charges and disputes, as the reconciliation reads them (docs/rules/billing.md#reconciliation). */
export function chargeCalls(
  stripe: Stripe,
): Pick<Processor, 'listCharges' | 'listDisputes' | 'listDisputesSince'> {
  return {
    listCharges(accountId, since, after) {
      return call(async () => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const page = { created, limit: 100, ...(after && { starting_after: after }) };
        const { data, has_more } = await stripe.charges.list(page, on(accountId));
        const charges = data
          .filter(({ status }) => status === 'succeeded')
          .map((charge) => ({
            charge_id: charge.id,
            payment_intent_id: idOf(charge.payment_intent),
            amount_minor: minorUnits(charge.amount, charge.currency),
            refunded_minor: minorUnits(charge.amount_refunded, charge.currency),
            currency: charge.currency.toUpperCase(),
            owner_id: ownerOf(charge.metadata),
            created_at: new Date(charge.created * 1000),
          }));
        return { charges, last: has_more ? data.at(-1)!.id : null };
      });
    },

    listDisputes(accountId, paymentIntentId) {
      return call(async () => {
        const page = { payment_intent: paymentIntentId, limit: 100 };
        const { data } = await stripe.disputes.list(page, on(accountId));
        return data.map(toDispute).filter((dispute) => dispute !== null);
      });
    },

    listDisputesSince(accountId, since, after) {
      return call(async () => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const page = { created, limit: 100, ...(after && { starting_after: after }) };
        const { data, has_more } = await stripe.disputes.list(page, on(accountId));
        const disputes = data.map(toDispute).filter((dispute) => dispute !== null);
        return { disputes, last: has_more ? data.at(-1)!.id : null };
      });
    },
  };
}
