import { invalidRequest, parameterMissing } from '../http/errors.js';
import { newId } from '../state/ids.js';
import { buildPrice } from '../billing/price.js';
import type { LineItem, Price } from '../state/records.js';
import type { Store } from '../state/store.js';
import type { LineItemParams } from './session-params.js';

/** Parses the line items of a session. Each has an inline price or refers to an existing one. */
export function buildLineItems(store: Store, items: LineItemParams[], account: string | null): LineItem[] {
  return items.map((item, index) => {
    const param = `line_items[${index}]`;
    const { price, name } = resolveLinePrice(store, item, account, param);
    const quantity = item.quantity;
    if (quantity === undefined) {
      throw parameterMissing(`${param}[quantity]`);
    }
    const amount = (price.unit_amount ?? 0) * quantity;
    return {
      id: newId('li'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: name,
      metadata: item.metadata ?? {},
      price,
      quantity,
    };
  });
}

function resolveLinePrice(
  store: Store,
  { price, price_data }: LineItemParams,
  account: string | null,
  param: string,
): { price: Price; name: string | null } {
  if (price && price_data) {
    throw invalidRequest('You may only specify one of these parameters: price, price_data.', param);
  }
  if (price) {
    const { object } = store.require(store.prices, price, account, `${param}[price]`, 400);
    if (object.type === 'recurring') {
      throw invalidRequest('You must provide only one-time prices in `payment` mode.', `${param}[price]`);
    }
    return { price: object, name: productName(store, String(object.product)) };
  }
  if (!price_data) {
    throw invalidRequest(`Missing required param: ${param}[price].`, { code: 'parameter_missing', param });
  }
  const { currency, product, product_data, unit_amount, tax_behavior = 'unspecified' } = price_data;
  if (unit_amount === undefined) throw parameterMissing(`${param}[price_data][unit_amount]`);
  if (!product === !product_data) {
    throw invalidRequest('You must specify either `product` or `product_data` when creating a price.', param);
  }
  if (product) store.require(store.products, product, account, `${param}[price_data][product]`, 400);
  const name = product_data?.name ?? productName(store, product ?? '');
  // An inline price cannot be used elsewhere.
  const fields = {
    active: false,
    currency,
    unit_amount,
    tax_behavior,
    product: product ?? newId('prod', 14),
  };
  return { price: buildPrice(fields), name };
}

function productName(store: Store, id: string): string | null {
  return store.products.get(id)?.object.name ?? null;
}
