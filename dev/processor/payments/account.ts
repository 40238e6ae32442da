import type Stripe from 'stripe';
import { emit } from '../events.js';
import { invalidRequest } from '../http/errors.js';
import { unixNow, type Simulator } from '../simulator.js';
import type { StoredAccount } from '../state/records.js';
import { nulls } from '../names.js';

/** The platform's own account. */
export const PLATFORM_ACCOUNT = 'acct_holdfastplatform';

/** The account with this id. An account that was never created exists too, and can take charges. */
export function findAccount({ store }: Simulator, id: string): StoredAccount {
  const known = store.accounts.get(id);
  if (known) return known;
  const fields = {
    business_profile: newBusinessProfile(),
    country: 'GB',
    default_currency: 'gbp',
    email: null,
    metadata: {},
    type: 'standard' as const,
  };
  return { object: buildAccount(id, true, fields), account: null, idempotency_key: null, revoked: false };
}

/** Rejects charges on an account whose onboarding is not complete. */
export function requireChargesEnabled(sim: Simulator, account: string | null): void {
  if (!account || findAccount(sim, account).object.charges_enabled) return;
  throw invalidRequest(
    `The account ${account} cannot currently make charges: its onboarding is not complete.`,
  );
}

/** The fields of an account before and after onboarding. */
function onboardingState(complete: boolean): Partial<Stripe.Account> {
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

/** Enables an account, or restricts it until its operator has submitted the required information. */
export function enableAccount(sim: Simulator, id: string, enabled: boolean): Stripe.Account {
  const stored = findAccount(sim, id);
  const { charges_enabled, details_submitted, payouts_enabled } = stored.object;
  const { object } = sim.store.patch(sim.store.accounts, stored, onboardingState(enabled));
  const previous = { charges_enabled, details_submitted, payouts_enabled };
  emit(sim.store, 'account.updated', object, { account: id }, previous);
  return object;
}

/** An account in Stripe's shape. */
export function buildAccount(
  id: string,
  complete: boolean,
  fields: Required<
    Pick<Stripe.Account, 'business_profile' | 'country' | 'default_currency' | 'email' | 'metadata' | 'type'>
  >,
): Stripe.Account {
  return {
    id,
    object: 'account',
    business_type: null,
    charges_enabled: complete,
    created: unixNow(),
    details_submitted: complete,
    payouts_enabled: complete,
    ...onboardingState(complete),
    ...fields,
  };
}

/** The business profile. */
export function newBusinessProfile({
  name,
  url,
}: { name?: string; url?: string } = {}): Stripe.Account.BusinessProfile {
  return {
    ...nulls(`
      annual_revenue estimated_worker_count mcc minority_owned_business_designation product_description
      specified_commercial_transactions_act_url support_address support_email support_phone support_url
    `),
    name: name ?? null,
    url: url ?? null,
  };
}
