import type { ApiObject, Stored } from '../state/records.js';
import type { Store } from '../state/store.js';
import { invalidRequest } from './errors.js';
import { listInside } from './listing.js';

type Json = Record<string, unknown>;

/** Replaces ids with their objects along `expand[]` paths such as `payment_intent.latest_charge`. */
export function expand(store: Store, object: object, paths: string[]): object {
  return paths.reduce((expanded, path) => expandPath(store, expanded as Json, path.split('.'), path), object);
}

function expandPath(store: Store, object: Json, [field = '', ...rest]: string[], path: string): Json {
  const value = object[field] ?? included(store, object, field);
  if (value === null) return object;
  if (Array.isArray(value)) {
    const items = value as Json[];
    return {
      ...object,
      [field]: rest.length ? items.map((item) => expandPath(store, item, rest, path)) : items,
    };
  }
  const target = typeof value === 'string' ? find(store, value) : value;
  if (typeof target !== 'object') {
    throw invalidRequest(`This property cannot be expanded (${path}).`, 'expand');
  }
  return { ...object, [field]: rest.length ? expandPath(store, target as Json, rest, path) : target };
}

/** Fields that are only present when expanded. */
function included(store: Store, object: Json, field: string): unknown {
  const id = String(object['id']);
  if (object['object'] === 'checkout.session' && field === 'line_items') {
    return listInside(`/v1/checkout/sessions/${id}/line_items`, store.sessions.get(id)?.line_items ?? []);
  }
  if (object['object'] === 'charge' && field === 'refunds') {
    const refunds = store.refunds.newestFirst().filter(({ object: refund }) => refund.charge === id);
    return listInside(
      `/v1/charges/${id}/refunds`,
      refunds.map(({ object: refund }) => refund),
    );
  }
  return field in object ? null : undefined;
}

function find(store: Store, id: string): ApiObject | undefined {
  const tables: Record<string, { get(id: string): Stored | undefined }> = {
    pi: store.payment_intents,
    seti: store.setup_intents,
    ch: store.charges,
    cus: store.customers,
    pm: store.payment_methods,
    re: store.refunds,
    dp: store.disputes,
    txn: store.balance_transactions,
    po: store.payouts,
    prod: store.products,
    price: store.prices,
    sub: store.subscriptions,
    in: store.invoices,
  };
  return tables[id.slice(0, id.indexOf('_'))]?.get(id)?.object;
}
