import type { Context } from 'koa';
import type { Simulator } from '../simulator.js';
import { PLATFORM_ACCOUNT } from '../payments/account.js';
import { accountInvalid, StripeError } from './errors.js';

/** A valid key of another platform that has no connected accounts. */
const OTHER_PLATFORM = { key: 'sk_test_elsewhere', account: 'acct_elsewhereplatform' };

/**
 * Checks a platform's key, sent as a bearer token or as the user name of basic authentication. Returns
 * the platform's own account.
 */
export function authenticate(ctx: Context, secretKey: string): string {
  const [scheme = '', value = ''] = ctx.get('authorization').split(' ');
  const key =
    scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  if (key === secretKey) return PLATFORM_ACCOUNT;
  if (key === OTHER_PLATFORM.key) return OTHER_PLATFORM.account;
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
    : 'You did not provide an API key. You need to provide your API key in the Authorization ' +
      'header, using Bearer auth.';
  throw new StripeError(401, 'invalid_request_error', message);
}

/** Every `acct_…` exists and is connected to our platform, unless its owner has disconnected it. */
export function requireAccount(
  { store, secretKey }: Simulator,
  account: string,
  platform = PLATFORM_ACCOUNT,
): void {
  const isConnected = platform === PLATFORM_ACCOUNT && !store.accounts.get(account)?.revoked;
  if (/^acct_\w+$/.test(account) && isConnected) return;
  throw accountInvalid(secretKey, account);
}
