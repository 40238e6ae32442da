import type Stripe from 'stripe';
import { requireAccount } from '../http/authenticate.js';
import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { all, currency, ignored, metadata, oneOf, required, text, url } from '../http/params.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { StoredAccount } from '../state/records.js';
import { mergeMetadata } from './metadata.js';

/** The account of whoever owns the secret key. */
export const PLATFORM_ACCOUNT = 'acct_holdfastplatform';
/** How long an onboarding link can be opened. */
const LINK_LIFETIME_SECONDS = 5 * 60;

const ACCOUNT_PARAMS = {
  email: text(800),
  default_currency: currency(),
  metadata: metadata(),
  ...all(
    ignored(),
    'account_token',
    'business_profile',
    'business_type',
    'capabilities',
    'company',
    'documents',
    'external_account',
    'groups',
    'individual',
    'settings',
    'tos_acceptance',
  ),
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
      ...all(ignored(), 'bank_account', 'controller'),
    },
    ({ sim, params, idempotencyKey }) => {
      const object = buildAccount(newId('acct', 16), false, {
        country: params.country ?? 'GB',
        default_currency: params.default_currency ?? 'gbp',
        email: params.email ?? null,
        metadata: params.metadata ?? {},
        type: params.type ?? 'standard',
      });
      sim.store.accounts.set(object.id, {
        object,
        account: null,
        idempotency_key: idempotencyKey,
        revoked: false,
      });
      return object;
    },
  ),

  endpoint(
    'get',
    '/v1/account',
    {},
    ({ sim, account }) => findAccount(sim, account ?? PLATFORM_ACCOUNT).object,
  ),

  endpoint('get', '/v1/accounts/:id', {}, ({ sim, id }) => {
    requireAccount(sim, id);
    return findAccount(sim, id).object;
  }),

  endpoint('post', '/v1/accounts/:id', ACCOUNT_PARAMS, ({ sim, id, params }) => {
    requireAccount(sim, id);
    const stored = findAccount(sim, id);
    return sim.store.patch(sim.store.accounts, stored, {
      ...(params.email && { email: params.email }),
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
      ...all(ignored(), 'collect', 'collection_options'),
    },
    ({ sim, params: { account, refresh_url, return_url } }) => {
      requireAccount(sim, account);
      const token = newId('link', 16).slice(5);
      const expires_at = unixNow() + LINK_LIFETIME_SECONDS;
      sim.store.account_links.set(token, { account, refresh_url, return_url, expires_at });
      const url = `${sim.baseUrl}/setup/s/${account}/${token}`;
      return { object: 'account_link', created: unixNow(), expires_at, url };
    },
  ),
];

/** The account with this id; one that nobody made has always been there and can take charges. */
export function findAccount({ store }: Simulator, id: string): StoredAccount {
  const known = store.accounts.get(id);
  if (known) return known;
  const fields = {
    country: 'GB',
    default_currency: 'gbp',
    email: null,
    metadata: {},
    type: 'standard' as const,
  };
  return { object: buildAccount(id, true, fields), account: null, idempotency_key: null, revoked: false };
}

/** Refuses money for an account whose owner has not finished the onboarding. */
export function requireChargesEnabled(sim: Simulator, account: string | null): void {
  if (!account || findAccount(sim, account).object.charges_enabled) return;
  throw invalidRequest(
    `The account ${account} cannot currently make charges: its onboarding is not complete.`,
  );
}

/** What an account shows before and after its onboarding. */
export function onboardingState(complete: boolean): Partial<Stripe.Account> {
  const status = complete ? 'active' : 'inactive';
  const due = complete ? [] : ['business_profile.url', 'external_account', 'tos_acceptance.date'];
  return {
    capabilities: { card_payments: status, transfers: status },
    charges_enabled: complete,
    details_submitted: complete,
    payouts_enabled: complete,
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: due,
      disabled_reason: complete ? null : 'requirements.past_due',
      errors: [],
      eventually_due: due,
      past_due: due,
      pending_verification: [],
    },
  };
}

function buildAccount(
  id: string,
  complete: boolean,
  fields: Required<Pick<Stripe.Account, 'country' | 'default_currency' | 'email' | 'metadata' | 'type'>>,
): Stripe.Account {
  return {
    id,
    object: 'account',
    business_profile: null,
    business_type: null,
    charges_enabled: complete,
    created: unixNow(),
    details_submitted: complete,
    payouts_enabled: complete,
    ...onboardingState(complete),
    ...fields,
  };
}
