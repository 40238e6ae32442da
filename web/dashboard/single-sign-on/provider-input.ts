import { ApiError, invalidField } from '../../../domain/errors.js';
import {
  isMultiTenant,
  type OidcProvider,
  type SamlProvider,
} from '../../../domain/single-sign-on/providers.js';
import { readReceiverUrl } from '../../../domain/events/receiver-address.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { SsoRefusal } from '../../sign-in/single-sign-on/identity.js';
import { readProviderMetadata, signingCertificate } from '../../sign-in/single-sign-on/saml.js';
import { GOOGLE_ISSUER, microsoftIssuer, type OidcKind } from './kinds.js';

type Deps = Pick<ApiDependencies, 'providerFetch' | 'allowPrivateWebhooks'>;

/** The form for OpenID Connect. The kind decides which field determines the issuer. */
export interface OidcForm {
  kind: OidcKind;
  issuer?: string;
  tenant?: string;
  client_id: string;
}

/** The form for SAML: the metadata, its URL, or single fields. */
export interface SamlForm {
  metadata_url?: string;
  metadata?: string;
  entity_id?: string;
  sso_url?: string;
  binding: SamlProvider['binding'];
  certificates?: string;
  sign_requests: 'metadata' | 'yes' | 'no';
}

const refused = (param: string, message: string): ApiError =>
  new ApiError('validation_failed', message, { param });

/** Fetches a text from a provider. Errors: 422 on `param`, with the reason why it could not be read. */
async function fetchText({ providerFetch }: Deps, url: string, param: string): Promise<string> {
  let response: Response;
  try {
    response = await providerFetch(url);
  } catch (error) {
    // The address is not allowed, or becomes so by a redirect or DNS resolution.
    if (error instanceof ApiError) throw invalidField(param, error.context.rule!.says);
    throw refused(param, `${url} could not be read: ${describeFetchError(error)}`);
  }
  if (!response.ok) throw refused(param, `${url} responded with ${response.status}. Check the URL.`);
  return response.text();
}

function describeFetchError(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return 'it did not respond within 5 seconds.';
  if (code === 'ENOTFOUND') return 'the host does not exist.';
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return 'it does not accept connections.';
  if (/certificate|self.signed/i.test(message)) return `its TLS certificate is not valid (${message}).`;
  if (code?.startsWith('E')) return `it cannot be reached (${code}).`;
  return message.endsWith('.') ? message : `${message}.`;
}

/** Checks an address that an owner enters. Errors: 422 on `param`. */
function parseProviderUrl({ allowPrivateWebhooks }: Deps, text: string, param: string): URL {
  try {
    return readReceiverUrl(text, allowPrivateWebhooks);
  } catch (error) {
    throw invalidField(param, (error as ApiError).context.rule!.says);
  }
}

const CONFIGURATION = '/.well-known/openid-configuration';

/** The entered issuer without suffixes that people copy along. Errors: 422. */
function issuerEntered(deps: Deps, { kind, issuer = '', tenant = '' }: OidcForm): string {
  if (kind === 'google') return GOOGLE_ISSUER;
  if (kind === 'microsoft') {
    const multiple = isMultiTenant(
      new URL(`https://login.microsoftonline.com/${encodeURIComponent(tenant)}`),
    );
    if (multiple) throw multiTenant('tenant');
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tenant))
      throw refused(
        'tenant',
        'Enter the Directory (tenant) ID from the overview of your app registration. It looks like ' +
          '8d3e5f7a-0b1c-4d2e-9f3a-4b5c6d7e8f90.',
      );
    return microsoftIssuer(tenant);
  }
  const entered = issuer.replace(CONFIGURATION, '');
  if (isMultiTenant(parseProviderUrl(deps, entered, 'issuer'))) throw multiTenant('issuer');
  return entered;
}

const multiTenant = (param: string): ApiError =>
  refused(
    param,
    'With this ID, anyone could sign in: people of every organisation, and accounts with any address. ' +
      'Enter the ID of your own tenant.',
  );

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];

/**
 * The OpenID Connect provider of a form, whose discovery document is read. Errors: 422 with what is wrong
 * with it, and what to enter instead (docs/rules/single-sign-on.md#settings).
 */
export async function readOidcForm(deps: Deps, form: OidcForm): Promise<OidcProvider> {
  const param = form.kind === 'microsoft' ? 'tenant' : form.kind === 'google' ? 'client_id' : 'issuer';
  const entered = issuerEntered(deps, form);
  const text = await fetchText(deps, `${entered.replace(/\/$/, '')}${CONFIGURATION}`, param);
  const document = parseJsonObject(text);
  const issuer = document?.issuer;
  if (!document || typeof issuer !== 'string')
    throw refused(param, `${entered}${CONFIGURATION} did not return a discovery document.`);
  if (issuer.includes('{')) throw multiTenant(param);
  if (issuer.replace(/\/$/, '') !== entered.replace(/\/$/, ''))
    throw refused(param, `The issuer of this provider is ${issuer.slice(0, 300)}. Enter that.`);
  const missing = ENDPOINTS.find((name) => typeof document[name] !== 'string');
  if (missing) throw refused(param, `The discovery document of ${issuer} has no ${missing}.`);
  return { protocol: 'oidc', issuer, client_id: form.client_id };
}

function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/**
 * The SAML provider of a form: of its metadata, else of the fields by hand. Errors: 422 with what is wrong.
 */
export async function readSamlForm(deps: Deps, form: SamlForm): Promise<SamlProvider> {
  const { metadata_url, metadata, sign_requests } = form;
  const read = metadata_url
    ? readMetadata(
        await fetchText(deps, parseProviderUrl(deps, metadata_url, 'metadata_url').href, 'metadata_url'),
        'metadata_url',
      )
    : metadata
      ? readMetadata(metadata, 'metadata')
      : byHand(form);
  // Only browsers open this URL, so it may be inside a company's network.
  const { protocol } = URL.canParse(read.sso_url) ? new URL(read.sso_url) : { protocol: '' };
  if (protocol !== 'https:' && !(deps.allowPrivateWebhooks && protocol === 'http:'))
    throw refused(
      metadata_url ? 'metadata_url' : metadata ? 'metadata' : 'sso_url',
      `The sign-on URL must be an https URL, not ${read.sso_url.slice(0, 200)}.`,
    );
  return {
    protocol: 'saml',
    ...read,
    sign_requests: sign_requests === 'metadata' ? read.sign_requests : sign_requests === 'yes',
  };
}

type Read = Omit<SamlProvider, 'protocol'>;

function readMetadata(xml: string, param: string): Read {
  try {
    return readProviderMetadata(xml);
  } catch (error) {
    throw asInvalid(error, param);
  }
}

const asInvalid = (error: unknown, param: string): unknown =>
  error instanceof SsoRefusal ? refused(param, error.detail ?? 'The metadata could not be read.') : error;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_CERTIFICATES = 4;

function byHand({ entity_id, sso_url, binding, certificates = '' }: SamlForm): Read {
  if (!entity_id)
    throw refused('metadata', 'Choose a metadata file, enter a metadata URL, or enter the fields manually.');
  if (!sso_url) throw invalidField('sso_url', 'is missing');
  const given = certificates.match(PEM) ?? (certificates.trim() ? [certificates] : []);
  if (given.length === 0) throw invalidField('certificates', 'is missing');
  if (given.length > MAX_CERTIFICATES)
    throw refused('certificates', `Enter at most ${MAX_CERTIFICATES} certificates.`);
  try {
    const pem = [...new Set(given.map(signingCertificate))];
    return { entity_id, sso_url, binding, certificates: pem, sign_requests: false };
  } catch (error) {
    throw asInvalid(error, 'certificates');
  }
}
