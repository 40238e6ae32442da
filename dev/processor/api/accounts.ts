import { requireAccount } from '../http/authenticate.js';
import { endpoint } from '../http/endpoint.js';
import { LIST_PARAMS, listObjects } from '../http/listing.js';
import { currency, ignored, metadata, object, oneOf, required, text, url } from '../http/params.js';
import { buildAccount, findAccount, newBusinessProfile } from '../payments/account.js';
import { unixNow } from '../simulator.js';
import { newId } from '../state/ids.js';
import { mergeMetadata } from '../http/resource.js';

/** Lifetime of an onboarding link. */
const LINK_LIFETIME_SECONDS = 5 * 60;

const PROFILE_PARAMS = {
  name: text(),
  url: text(),
  ...ignored(`
    annual_revenue estimated_worker_count mcc minority_owned_business_designation monthly_estimated_revenue
    product_description support_address support_email support_phone support_url
  `),
};

const ACCOUNT_PARAMS = {
  business_profile: object(PROFILE_PARAMS),
  email: text(800),
  default_currency: currency(),
  metadata: metadata(),
  ...ignored(`
    account_token business_type capabilities company documents external_account groups individual settings
    tos_acceptance
  `),
};

/** Connected accounts and the links to their hosted onboarding. */
export const accountEndpoints = [
  endpoint(
    'post',
    '/v1/accounts',
    {
      ...ACCOUNT_PARAMS,
      country: text(2),
      type: oneOf('custom', 'express', 'standard'),
      ...ignored('bank_account controller'),
    },
    ({ sim, params, origin }) => {
      const account = buildAccount(newId('acct', 16), false, {
        business_profile: newBusinessProfile(params.business_profile),
        country: params.country ?? 'GB',
        default_currency: params.default_currency ?? 'gbp',
        email: params.email ?? null,
        metadata: params.metadata ?? {},
        type: params.type ?? 'standard',
      });
      const { accounts } = sim.store;
      return sim.store.add(accounts, account, { ...origin, account: null }, { revoked: false }).object;
    },
  ),

  endpoint(
    'get',
    '/v1/account',
    {},
    ({ sim, account, platform }) => findAccount(sim, account ?? platform).object,
  ),

  endpoint('get', '/v1/accounts', LIST_PARAMS, ({ sim, params }) =>
    listObjects(sim.store.accounts, '/v1/accounts', null, params),
  ),

  endpoint('get', '/v1/accounts/:id', {}, ({ sim, id, platform }) => {
    requireAccount(sim, id, platform);
    return findAccount(sim, id).object;
  }),

  endpoint('post', '/v1/accounts/:id', ACCOUNT_PARAMS, ({ sim, id, params }) => {
    requireAccount(sim, id);
    const stored = findAccount(sim, id);
    return sim.store.patch(sim.store.accounts, stored, {
      ...(params.email && { email: params.email }),
      ...(params.business_profile && { business_profile: newBusinessProfile(params.business_profile) }),
      ...(params.default_currency && { default_currency: params.default_currency }),
      metadata: mergeMetadata(stored.object.metadata ?? {}, params.metadata),
    }).object;
  }),

  endpoint(
    'post',
    '/v1/account_links',
    {
      account: required(text()),
      type: required(oneOf('account_onboarding', 'account_update')),
      refresh_url: required(url()),
      return_url: required(url()),
      ...ignored('collect collection_options'),
    },
    ({ sim, params: { account, refresh_url, return_url } }) => {
      requireAccount(sim, account);
      const token = newId('link', 16).slice(5);
      const expires_at = unixNow() + LINK_LIFETIME_SECONDS;
      sim.store.account_links.set(token, { account, refresh_url, return_url, expires_at });
      const page = `${sim.baseUrl}/setup/s/${account}/${token}`;
      return { object: 'account_link', created: unixNow(), expires_at, url: page };
    },
  ),
];
