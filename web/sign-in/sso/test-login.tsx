import type { SsoLogin } from '../../../db/entities/sso.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { SsoRefusal, Identity } from './identity.js';
import type { LoginSettings } from './finish.js';
import type { SsoDeps } from './login.js';

export async function testedSettings(_deps: SsoDeps, _login: SsoLogin): Promise<LoginSettings> {
  throw new Error('not yet');
}

export async function finishTest(
  _ctx: ApiContext,
  _deps: SsoDeps,
  _login: SsoLogin,
  _result: Identity | SsoRefusal,
): Promise<void> {
  throw new Error('not yet');
}
