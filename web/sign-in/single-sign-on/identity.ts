/**
 * What an identity provider asserts about a person who signed in (docs/rules/single-sign-on.md#the-login).
 */
export interface Identity {
  /** The `sub` of OpenID Connect, or the NameID of SAML with its format. Compared exactly. */
  subject: string;
  /** Null if the provider sent no trusted address. */
  email: string | null;
  name: string | null;
  /** When the person last proved who they are at the provider; null if it does not report it. */
  authenticated_at: Date | null;
  /** When the provider wants the session to end; null if it does not report it. */
  ends_at: Date | null;
  /** All received values by name, for the page that shows a test. Each has at most 500 characters. */
  claims: Record<string, string>;
}

/** A rejected response of a provider. */
export class SsoRefusal extends Error {
  /** `detail`: what was received instead of what was expected, for the person who sets up the provider. */
  constructor(
    readonly reason: SsoRefusalReason,
    readonly detail: string | null = null,
  ) {
    super(detail ? `${reason}: ${detail}` : reason);
  }
}

/** Why a response is rejected, in both protocols. In the audit log as `sso.refused`. */
export const SSO_REFUSAL_REASONS = [
  'provider_unavailable',
  'provider_error',
  'malformed',
  'unsolicited',
  'replayed',
  'expired',
  'not_yet_valid',
  'unsigned',
  'signature_invalid',
  'algorithm_refused',
  'wrong_issuer',
  'wrong_audience',
  'wrong_recipient',
  'no_subject',
  'no_email',
  'email_not_verified',
  'no_fresh_login',
  'login_expired',
  'other_browser',
  'unknown_member',
  'archived',
  'other_subject',
] as const;
export type SsoRefusalReason = (typeof SSO_REFUSAL_REASONS)[number];
