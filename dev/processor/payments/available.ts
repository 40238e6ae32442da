import { emit } from '../events.js';
import { refundMode, type Simulator } from '../simulator.js';
import type { ApiObject } from '../state/records.js';

/** The accounts, or the given one, with refunds that lack balance in the current mode. */
export function accountsWithoutBalance(sim: Simulator, account: string | null): string[] {
  const refunds = [...sim.store.refunds.values()].filter(
    ({ object, account: owner }) =>
      (object.failure_reason ?? object.pending_reason) === 'insufficient_funds' &&
      (account === null || owner === account) &&
      refundMode(sim, owner) === 'no_balance',
  );
  return [...new Set(refunds.map(({ account: owner }) => owner).filter((owner) => owner !== null))];
}

/** The available balance in each currency of an account: none while refunds lack balance, else plenty. */
export function availableBalance(sim: Simulator, account: string | null): object {
  const amount = refundMode(sim, account) === 'no_balance' ? 0 : 1_000_000;
  const own = [...sim.store.charges.values()].filter((charge) => charge.account === account);
  const currencies = new Set(['gbp', ...own.map(({ object }) => object.currency)]);
  const available = [...currencies].map((currency) => ({ amount, currency, source_types: { card: amount } }));
  return { object: 'balance', available, livemode: false, pending: [] };
}

/** Reports that an account has balance again. */
export function announceBalance(sim: Simulator, account: string): void {
  emit(sim.store, 'balance.available', availableBalance(sim, account) as ApiObject, { account });
}
