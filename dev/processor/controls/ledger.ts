import type { Stored } from '../state/records.js';
import type { Store } from '../state/store.js';

/** The whole state, with objects in Stripe's shape; with `account`, the state of one connected account. */
export function ledger(store: Store, account: string | undefined) {
  const objects = (table: { values(): Iterable<Stored> }) =>
    [...table.values()].filter(isOwnedByAccount).map((stored) => ({
      ...stored.object,
      account: stored.account,
      idempotency_key: stored.idempotency_key,
    }));
  const isOwnedByAccount = ({ account: owner }: { account: string | null }) =>
    account === undefined || owner === account;
  return {
    sessions: objects(store.sessions),
    payment_intents: objects(store.payment_intents),
    charges: objects(store.charges),
    refunds: objects(store.refunds),
    disputes: objects(store.disputes),
    payouts: objects(store.payouts),
    balance_transactions: objects(store.balance_transactions),
    customers: objects(store.customers),
    subscriptions: objects(store.subscriptions),
    accounts: [...store.accounts.values()]
      .filter(({ object }) => isOwnedByAccount({ account: object.id }))
      .map(({ object, revoked }) => ({ ...object, revoked })),
    events: [...store.events.values()].filter(isOwnedByAccount).map(({ event, via }) => ({
      event_id: event.id,
      type: event.type,
      account: event.account ?? null,
      object_id: (event.data.object as { id?: string }).id ?? null,
      via,
    })),
    webhooks_pending: [...store.deliveries.values()].filter(({ event_id }) =>
      isOwnedByAccount(store.events.get(event_id) ?? { account: null }),
    ).length,
    webhooks_sent: [...store.webhooks_sent.values()].filter(isOwnedByAccount),
    requests: [...store.requests.values()].filter(isOwnedByAccount),
  };
}
