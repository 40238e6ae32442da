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

/** Reports that an account has balance again. */
export function announceBalance({ store }: Simulator, account: string): void {
  const available = [{ amount: 1_000_000, currency: 'gbp', source_types: { card: 1_000_000 } }];
  const balance = { object: 'balance', available, livemode: false, pending: [] };
  emit(store, 'balance.available', balance as unknown as ApiObject, { account });
}
