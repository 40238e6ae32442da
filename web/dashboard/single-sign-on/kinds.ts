import type { SsoProvider } from '../../../domain/single-sign-on/providers.js';

/** The choices of an owner: a provider or a protocol. */
export const KINDS = ['google', 'microsoft', 'okta', 'oidc', 'saml'] as const;
export type Kind = (typeof KINDS)[number];
export type OidcKind = Exclude<Kind, 'saml'>;

export const KIND_NAMES: Record<Kind, string> = {
  google: 'Google',
  microsoft: 'Microsoft Entra ID',
  okta: 'Okta',
  oidc: 'Other (OpenID Connect)',
  saml: 'Other (SAML 2.0)',
};

export const BUTTON_NAMES: Record<Kind, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  okta: 'Okta',
  oidc: '',
  saml: '',
};

export const GOOGLE_ISSUER = 'https://accounts.google.com';
const MICROSOFT = /^https:\/\/login\.microsoftonline\.com\/([0-9a-f-]{36})\/v2\.0$/;

export const microsoftIssuer = (tenant: string): string =>
  `https://login.microsoftonline.com/${tenant.toLowerCase()}/v2.0`;

/** The tenant in a Microsoft issuer; null for other issuers. */
export const parseTenant = (issuer: string): string | null => MICROSOFT.exec(issuer)?.[1] ?? null;

/** The kind that a saved provider belongs to. */
export function providerKind(provider: SsoProvider): Kind {
  if (provider.protocol === 'saml') return 'saml';
  const { issuer } = provider;
  if (issuer === GOOGLE_ISSUER) return 'google';
  if (parseTenant(issuer)) return 'microsoft';
  return /^https:\/\/[^/]+\.(okta|oktapreview|okta-emea)\.com(\/|$)/.test(issuer) ? 'okta' : 'oidc';
}

/** Where to find the settings of each provider, for first-time users. */
export const STEPS: Record<Kind, string> = {
  google:
    'In the Google Cloud console, open Google Auth Platform. Set the audience to Internal, so that only ' +
    'accounts of your organisation can sign in. Then create a Web application client.',
  microsoft:
    'In the Microsoft Entra admin center, open App registrations, New registration. Choose ' +
    'accounts in this organisational directory only and the Web platform. Then create a client ' +
    'secret under ' +
    'Certificates & secrets.',
  okta:
    'In the Okta admin console, open Applications, Create App Integration. Choose OIDC and Web ' +
    'Application, and assign the people who should sign in.',
  oidc:
    'At your provider, create a confidential client (web application) for the authorization code flow ' +
    'with PKCE, with the scopes openid, email and profile.',
  saml:
    'At your provider, create a SAML 2.0 application. If it can import metadata, give it the ' +
    'metadata URL below, which contains all other values. Have it sign the assertion, and send ' +
    'the email address ' +
    'as an attribute or as the NameID.',
};
