import type Stripe from 'stripe';
import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { LIST_PARAMS, listOf } from '../http/listing.js';
import {
  currency,
  flag,
  ignored,
  integer,
  list,
  metadata,
  object,
  oneOf,
  required,
  text,
  unsimulated,
  url,
} from '../http/params.js';
import { buildPrice } from '../billing/price.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import { mergeMetadata } from './metadata.js';
import { nulls } from '../names.js';

const PRODUCT_PARAMS = {
  name: text(250),
  active: flag(),
  description: text(),
  images: list(text(), 8),
  metadata: metadata(),
  tax_code: text(),
  unit_label: text(12),
  url: url(),
  ...ignored('marketing_features package_dimensions shippable statement_descriptor'),
};

/** The interval of a recurring price. */
export const RECURRING_PARAMS = {
  interval: required(oneOf('day', 'week', 'month', 'year')),
  interval_count: integer(1, 36),
  usage_type: oneOf('licensed'),
  ...unsimulated('meter'),
};

const PRICE_UPDATE_PARAMS = {
  active: flag(),
  lookup_key: text(200),
  metadata: metadata(),
  nickname: text(),
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
  transfer_lookup_key: flag(),
  ...unsimulated('currency_options'),
};

/** Products and prices. */
export const catalogEndpoints = [
  endpoint(
    'post',
    '/v1/products',
    { ...PRODUCT_PARAMS, name: required(text(250)), id: text(), ...unsimulated('default_price_data') },
    ({ sim, params: { id = newId('prod', 14), name, ...params }, account, idempotencyKey }) => {
      if (sim.store.products.get(id))
        throw invalidRequest(`Product already exists.`, { code: 'resource_already_exists' });
      const product = buildProduct(id, name, params);
      sim.store.products.set(id, { object: product, account, idempotency_key: idempotencyKey });
      return product;
    },
  ),

  endpoint(
    'get',
    '/v1/products',
    { ...LIST_PARAMS, active: flag(), ids: list(text()), ...ignored('shippable url') },
    ({ sim, params: { active, ids, ...page }, account }) =>
      listOf(sim.store.products, '/v1/products', account, page, (product) => {
        return (active === undefined || product.active === active) && (!ids || ids.includes(product.id));
      }),
  ),

  endpoint(
    'get',
    '/v1/products/:id',
    {},
    ({ sim, id, account }) => sim.store.require(sim.store.products, id, account, 'id').object,
  ),

  endpoint('post', '/v1/products/:id', PRODUCT_PARAMS, ({ sim, id, account, params }) => {
    const stored = sim.store.require(sim.store.products, id, account, 'id');
    const { name, active, description } = params;
    return sim.store.patch(sim.store.products, stored, {
      ...(name && { name }),
      ...(active !== undefined && { active }),
      ...(description && { description }),
      metadata: mergeMetadata(stored.object.metadata, params.metadata),
      updated: unixNow(),
    }).object;
  }),

  endpoint(
    'post',
    '/v1/prices',
    {
      ...PRICE_UPDATE_PARAMS,
      currency: required(currency()),
      unit_amount: required(integer(0, 99_999_999)),
      product: text(),
      product_data: object({ name: required(text(250)), metadata: metadata(), active: flag(), id: text() }),
      recurring: object(RECURRING_PARAMS),
      billing_scheme: oneOf('per_unit'),
      ...unsimulated('custom_unit_amount tiers tiers_mode transform_quantity unit_amount_decimal'),
    },
    ({ sim, params, account, idempotencyKey }) => {
      const product = productFor(sim, params, account);
      const { currency: code, unit_amount, recurring, nickname, lookup_key } = params;
      const price = buildPrice({
        active: params.active ?? true,
        currency: code,
        lookup_key: lookup_key ?? null,
        metadata: params.metadata ?? {},
        nickname: nickname ?? null,
        product,
        recurring,
        tax_behavior: params.tax_behavior ?? 'unspecified',
        unit_amount,
      });
      sim.store.prices.set(price.id, { object: price, account, idempotency_key: idempotencyKey });
      return price;
    },
  ),

  endpoint(
    'get',
    '/v1/prices',
    {
      ...LIST_PARAMS,
      active: flag(),
      currency: currency(),
      lookup_keys: list(text(), 10),
      product: text(),
      type: oneOf('one_time', 'recurring'),
      ...ignored('recurring'),
    },
    ({ sim, params: { active, lookup_keys, product, type, currency: code, ...page }, account }) =>
      listOf(sim.store.prices, '/v1/prices', account, page, (price) => {
        if (active !== undefined && price.active !== active) return false;
        if (lookup_keys && !lookup_keys.includes(price.lookup_key ?? '')) return false;
        if (product && price.product !== product) return false;
        return (!type || price.type === type) && (!code || price.currency === code);
      }),
  ),

  endpoint(
    'get',
    '/v1/prices/:id',
    {},
    ({ sim, id, account }) => sim.store.require(sim.store.prices, id, account, 'price').object,
  ),

  endpoint('post', '/v1/prices/:id', PRICE_UPDATE_PARAMS, ({ sim, id, account, params }) => {
    const stored = sim.store.require(sim.store.prices, id, account, 'price');
    const { active, nickname, lookup_key } = params;
    return sim.store.patch(sim.store.prices, stored, {
      ...(active !== undefined && { active }),
      ...(nickname && { nickname }),
      ...(lookup_key && { lookup_key }),
      metadata: mergeMetadata(stored.object.metadata, params.metadata),
    }).object;
  }),
];

function productFor(
  sim: Simulator,
  {
    product,
    product_data,
  }: { product?: string; product_data?: { id?: string; name: string; metadata?: Record<string, string> } },
  account: string | null,
): string {
  if (!product === !product_data) {
    throw invalidRequest('You must specify either `product` or `product_data` when creating a price.');
  }
  if (product) return sim.store.require(sim.store.products, product, account, 'product', 400).object.id;
  const id = product_data?.id ?? newId('prod', 14);
  const built = buildProduct(id, product_data?.name ?? '', { metadata: product_data?.metadata });
  sim.store.products.set(id, { object: built, account, idempotency_key: null });
  return id;
}

function buildProduct(
  id: string,
  name: string,
  params: Partial<Pick<Stripe.Product, 'active' | 'description' | 'images' | 'metadata' | 'url'>>,
): Stripe.Product {
  return {
    ...nulls(`
      default_price package_dimensions shippable statement_descriptor tax_code tax_details unit_label
    `),
    id,
    object: 'product',
    active: params.active ?? true,
    created: unixNow(),
    description: params.description ?? null,
    images: params.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: params.metadata ?? {},
    name,
    type: 'service',
    updated: unixNow(),
    url: params.url ?? null,
  };
}
