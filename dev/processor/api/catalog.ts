import type Stripe from 'stripe';
import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
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
import { resource } from '../http/resource.js';
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

const products = resource('/v1/products', (store) => store.products, 'id');
const prices = resource('/v1/prices', (store) => store.prices, 'price');

/** Products and prices. */
export const catalogEndpoints = [
  endpoint(
    'post',
    '/v1/products',
    { ...PRODUCT_PARAMS, name: required(text(250)), id: text(), ...unsimulated('default_price_data') },
    ({ sim, params: { id = newId('prod', 14), name, ...params }, origin }) => {
      if (sim.store.products.get(id))
        throw invalidRequest(`Product already exists.`, { code: 'resource_already_exists' });
      return sim.store.add(sim.store.products, buildProduct(id, name, params), origin).object;
    },
  ),

  products.list(
    { active: flag() },
    {
      params: { ids: list(text()), ...ignored('shippable url') },
      matches: ({ id }, { ids }) => !ids || ids.includes(id),
    },
  ),
  products.retrieve(),
  products.update(PRODUCT_PARAMS, ['name', 'active', 'description'], () => ({ updated: unixNow() })),

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
    ({ sim, params, account, origin }) => {
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
      return sim.store.add(sim.store.prices, price, origin).object;
    },
  ),

  prices.list(
    {
      active: flag(),
      currency: currency(),
      product: text(),
      type: oneOf('one_time', 'recurring'),
    },
    {
      params: { lookup_keys: list(text(), 10), ...ignored('recurring') },
      matches: ({ lookup_key }, { lookup_keys }) => !lookup_keys || lookup_keys.includes(lookup_key ?? ''),
    },
  ),
  prices.retrieve(),
  prices.update(PRICE_UPDATE_PARAMS, ['active', 'nickname', 'lookup_key']),
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
  return sim.store.add(sim.store.products, built, { account }).object.id;
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
