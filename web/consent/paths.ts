/** The addresses and the cookie of the authorization server (docs/rules/credentials.md#oauth). */
export const AUTHORIZE_PATH = '/oauth/authorize';
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
/** The consent page, followed by the id of the authorization in progress. */
export const CONSENT_PATH = '/oauth/consent';
/** The library's session, which is never read: every authorization starts from this service's sign-in. */
export const SESSION_COOKIE = 'holdfast_oauth';
