import { DAY_MS } from '../durations.js';
import type { Role } from '../policies.js';
import type { Tier } from '../rates/price.js';

/** An OpenID Connect provider, configured by discovery. */
export interface OidcProvider {
  protocol: 'oidc';
  issuer: string;
  client_id: string;
}

export interface SamlProvider {
  protocol: 'saml';
  entity_id: string;
  sso_url: string;
  /** How requests are sent to the provider. */
  binding: 'redirect' | 'post';
  /** The certificates of its signatures, in PEM. There are two while they are being replaced. */
  certificates: string[];
  sign_requests: boolean;
}

export type SsoProvider = OidcProvider | SamlProvider;

/** Returns the identity of a provider. The same subject at another provider is another person. */
export const providerIdentity = (provider: SsoProvider): string =>
  provider.protocol === 'oidc'
    ? `oidc ${provider.issuer} ${provider.client_id}`
    : `saml ${provider.entity_id}`;

/** Who can enter a workspace only through its provider. */
export const SSO_REQUIREMENTS = ['none', 'staff', 'everyone'] as const;
export type SsoRequirement = (typeof SSO_REQUIREMENTS)[number];

/**
 * True if a role must sign in through the provider (docs/rules/single-sign-on.md#who-must). The owner never
 * has to.
 */
export const mustUseProvider = (required: SsoRequirement, role: Role): boolean =>
  role !== 'owner' && (required === 'everyone' || (required === 'staff' && role !== 'member'));

/** Unknown addresses in these domains become members with this plan. */
export interface Provision {
  tier: Tier;
  /** In lower case, as IDNA A-labels. */
  domains: string[];
}

/** True if an address (in its canonical form) belongs to one of the domains: exactly, after its last `@`. */
export const provisions = (provision: Provision | null, address: string): provision is Provision =>
  provision?.domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase()) ?? false;

/**
 * Domains at which anyone can get an address. Anyone could then become a member, so these domains are refused
 * in `provision` (docs/rules/single-sign-on.md#settings).
 */
const PUBLIC_MAIL_DOMAINS = new Set(
  `126.com 163.com aol.com arcor.de bluewin.ch btinternet.com comcast.net fastmail.com
   free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com
   hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr icloud.com
   laposte.net live.co.uk live.com live.de live.fr mac.com mail.com mail.ru mailbox.org
   me.com msn.com naver.com onmicrosoft.com orange.fr outlook.com outlook.de outlook.es
   outlook.fr pm.me posteo.de proton.me protonmail.com qq.com sfr.fr sky.com t-online.de
   tutanota.com verizon.net wanadoo.fr web.de yahoo.co.uk yahoo.com yahoo.de yahoo.es
   yahoo.fr yandex.com yandex.ru ymail.com zoho.com`.split(/\s+/),
);

export const isPublicMailDomain = (domain: string): boolean => PUBLIC_MAIL_DOMAINS.has(domain);

/** The maximum number of domains in `provision`. */
export const MAX_PROVISION_DOMAINS = 20;

/**
 * Microsoft's hosts. Each tenant has its own issuer there; some issuers are for all tenants or for private
 * accounts.
 */
const MICROSOFT_HOSTS =
  /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)$/;
const MULTI_TENANT = ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad'];

/** True if an issuer signs in people of any organisation, who can choose their addresses there. */
export function isMultiTenant(issuer: URL): boolean {
  const tenant = issuer.pathname.split('/')[1]!.toLowerCase();
  return MICROSOFT_HOSTS.test(issuer.hostname) && (tenant === '' || MULTI_TENANT.includes(tenant));
}

/** How many days before a certificate of the provider expires the owner is mailed. */
export const CERTIFICATE_NOTICE_DAYS = [30, 7] as const;

/** Returns which of these notices is due at a time; null if the certificate is valid for longer. */
export function certificateNotice(notAfter: Date, now: Date): number | null {
  const days = (notAfter.getTime() - now.getTime()) / DAY_MS;
  return CERTIFICATE_NOTICE_DAYS.findLast((notice) => days <= notice) ?? null;
}

/**
 * The allowed names of sign-in pages. `whyNotSignInName` also excludes the service's own pages below
 * `/sign-in/`.
 */
const SIGN_IN_NAME = /^[a-z0-9](?:[a-z0-9-]{1,38})[a-z0-9]$/;
export const RESERVED_SIGN_IN_NAMES = [
  'account',
  'admin',
  'authenticator',
  'code',
  'go-on',
  'help',
  'holdfast',
  'link',
  'login',
  'passkey',
  'security',
  'sso',
  'support',
  'workspace',
];

/**
 * Returns why a text cannot be the name of a sign-in page, as the part of the message after the field's name;
 * null if it can.
 */
export function whyNotSignInName(name: string): string | null {
  if (!SIGN_IN_NAME.test(name))
    return (
      'must have 3 to 40 letters from a to z, digits or hyphens, and begin and end with a letter or ' +
      'digit'
    );
  return RESERVED_SIGN_IN_NAMES.includes(name)
    ? 'is reserved for a page of this service. Choose another'
    : null;
}

/** How long a name is reserved after its workspace stopped using it. */
export const NAME_KEPT_DAYS = 90;

/** The maximum duration of a sign-in, from beginning to end. */
export const LOGIN_MINUTES = 10;

/** The maximum duration of a session that began through a provider. */
export const SSO_SESSION_HOURS = 12;
