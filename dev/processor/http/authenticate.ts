import type { Context } from 'koa';
import type { Simulator } from '../simulator.js';
import { accountInvalid, StripeError } from './errors.js';

/** Checks the platform's key, sent as a bearer token or as the user name of basic authentication. */
export function authenticate(ctx: Context, secretKey: string): void {
  const [scheme = '', value = ''] = ctx.get('authorization').split(' ');
  const key =
    scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  if (key === secretKey) return;
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
    : 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.';
  throw new StripeError(401, 'invalid_request_error', message);
}

/** Every `acct_…` exists unless its owner has disconnected the platform. */
export function requireAccount({ store, secretKey }: Simulator, account: string): void {
  if (/^acct_\w+$/.test(account) && !store.accounts.get(account)?.revoked) return;
  throw accountInvalid(secretKey, account);
}
