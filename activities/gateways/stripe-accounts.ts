import type Stripe from 'stripe';
import type { AccountCalls } from './processor-accounts.js';
import { createdInLastDay, firstWith } from './stripe-objects.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';

/** Connected accounts and their hosted onboarding (docs/rules/workspace.md#processor-account). */
export function accountCalls(stripe: Stripe, suffixes: KeySuffixes): AccountCalls {
  return {
    async lookUpAccount(accountId) {
      const { charges_enabled, payouts_enabled, requirements } = await stripe.accounts.retrieve(accountId);
      const due = requirements?.current_deadline ?? null;
      return {
        charges_enabled: charges_enabled ?? false,
        due_by: due === null ? null : new Date(due * 1000),
        problem: requirements?.disabled_reason ?? (payouts_enabled === false ? 'payouts_disabled' : null),
      };
    },

    createAccount({ workspace_id, instead_of }) {
      const metadata = { workspace_id, ...(instead_of && { instead_of }) };
      return createUnlessFound(suffixes, {
        key: [workspace_id, 'account', instead_of].filter(Boolean).join(':'),
        create: (idempotencyKey) =>
          stripe.accounts.create({ type: 'standard', metadata }, { idempotencyKey }),
        find: () => firstWith(stripe.accounts.list(createdInLastDay()), metadata),
      });
    },

    createAccountLink(link) {
      return stripe.accountLinks.create({
        account: link.account_id,
        return_url: link.return_url,
        refresh_url: link.refresh_url,
        type: 'account_onboarding',
      });
    },
  };
}
