import type { Role } from './policies.js';
import type { Tier } from './price.js';

/** An OpenID Connect provider, by discovery. */
export interface OidcProvider {
  protocol: 'oidc';
  issuer: string;
  client_id: string;
}

/** A SAML 2.0 provider. */
export interface SamlProvider {
  protocol: 'saml';
  entity_id: string;
  sso_url: string;
  /** How requests go there. */
  binding: 'redirect' | 'post';
  /** Of its signatures, in PEM. Two during a change. */
  certificates: string[];
  sign_requests: boolean;
}

export type SsoProvider = OidcProvider | SamlProvider;
export type SsoProtocol = SsoProvider['protocol'];

/** Who a provider is: subjects of another one identify other people. */
export const providerIdentity = (provider: SsoProvider): string =>
  provider.protocol === 'oidc'
    ? `oidc ${provider.issuer} ${provider.client_id}`
    : `saml ${provider.entity_id}`;

/** Who enters a workspace through its provider only. */
export const REQUIRED_OF = ['none', 'staff', 'everyone'] as const;
export type RequiredOf = (typeof REQUIRED_OF)[number];

/** Whether a role must sign in through the provider (docs/rules/single-sign-on.md#who-must). The owner never has to. */
export const mustUseProvider = (required: RequiredOf, role: Role): boolean =>
  role !== 'owner' && (required === 'everyone' || (required === 'staff' && role !== 'member'));

/** Unknown addresses of these domains become members with this plan. */
export interface Provision {
  tier: Tier;
  /** In lower case, as IDNA A-labels. */
  domains: string[];
}

/** Whether an address (in its canonical form) is of one of the domains: exactly, after its last `@`. */
export const provisions = (provision: Provision | null, address: string): provision is Provision =>
  provision?.domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase()) ?? false;

/** The names of sign-in pages, without those of the service's own pages below `/sign-in/`. */
export const SIGN_IN_NAME = /^[a-z0-9](?:[a-z0-9-]{1,38})[a-z0-9]$/;
export const RESERVED_SIGN_IN_NAMES = [
  'authenticator',
  'code',
  'go-on',
  'link',
  'passkey',
  'sso',
  'workspace',
];

/** How long nobody else can take a name that a workspace has left. */
export const NAME_KEPT_DAYS = 90;

/** How long a login may take from its beginning to its end. */
export const LOGIN_MINUTES = 10;

/** How long a session through a provider lasts at most. */
export const SSO_SESSION_HOURS = 12;
