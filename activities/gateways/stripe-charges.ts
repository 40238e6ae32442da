import type Stripe from 'stripe';
import { fromProcessorAmount } from '../../domain/processor-amounts.js';
import type { Processor } from './processor.js';
import { toDispute } from './stripe-disputes.js';
import { idOf, on, ownerOf, pageOf } from './stripe-objects.js';

/** Lists of charges and disputes, as the reconciliation reads them (docs/rules/billing.md#reconciliation). */
export function chargeCalls(
  stripe: Stripe,
): Pick<Processor, 'listCharges' | 'listDisputes' | 'listDisputesSince'> {
  return {
    async listCharges(accountId, since, after) {
      const { data, has_more } = await stripe.charges.list(
        pageOf({ from: since, to: null, after }),
        on(accountId),
      );
      const charges = data
        .filter(({ status }) => status === 'succeeded')
        .map((charge) => ({
          charge_id: charge.id,
          payment_intent_id: idOf(charge.payment_intent),
          amount_minor: fromProcessorAmount(charge.amount, charge.currency),
          refunded_minor: fromProcessorAmount(charge.amount_refunded, charge.currency),
          currency: charge.currency.toUpperCase(),
          owner_id: ownerOf(charge.metadata),
          created_at: new Date(charge.created * 1000),
        }));
      return { charges, last: has_more ? data.at(-1)!.id : null };
    },

    async listDisputes(accountId, paymentIntentId) {
      const page = { payment_intent: paymentIntentId, limit: 100 };
      const { data } = await stripe.disputes.list(page, on(accountId));
      return data.map(toDispute).filter((dispute) => dispute !== null);
    },

    async listDisputesSince(accountId, since, after) {
      const { data, has_more } = await stripe.disputes.list(
        pageOf({ from: since, to: null, after }),
        on(accountId),
      );
      const disputes = data.map(toDispute).filter((dispute) => dispute !== null);
      return { disputes, last: has_more ? data.at(-1)!.id : null };
    },
  };
}
