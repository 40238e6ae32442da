import { openOffice } from '../../support/dashboard.js';
import { startOidcProvider, type Account, type TestOidcProvider } from '../../support/oidc-provider.js';
import { dev } from '../../support/stack.js';
import { Visitor } from '../../support/visitor.js';
import type { WebSession } from '../../support/web-session.js';
import { uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';

export interface Office {
  workspace: TestWorkspace;
  session: WebSession;
  /** The path of the settings. */
  at: string;
  provider: TestOidcProvider;
  /** The provider's form, as the owner fills it in. */
  form: Record<string, string>;
}

/**
 * The owner's session, and a provider that is not entered yet. `client`: how this service is registered at
 * the provider.
 */
export async function newOffice(
  t: { teardown(close: () => unknown): void },
  account: Partial<Account> = {},
  client: Record<string, unknown> = {
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: 'a secret',
  },
): Promise<Office> {
  const { workspace, session, home } = await openOffice();
  const someone = { sub: 'Ada-1', email: uniqueEmail(), name: 'Ada', ...account };
  const provider = await startOidcProvider(t, workspace.id, someone, client);
  const form = {
    kind: 'oidc',
    provider_name: 'House ID',
    issuer: provider.issuer,
    client_id: 'holdfast',
    client_secret: 'a secret',
  };
  return { workspace, session, at: `${home}/sign-in`, provider, form };
}

/** Submits a form of the settings. */
export function save({ session, at }: Office, form: string, fields: Record<string, string> = {}) {
  // The provider's kind is a hidden field of the page that a link leads to.
  const { kind, ...entered } = fields;
  const query = form === '/saml' ? '?provider=saml' : kind ? `?provider=${kind}` : '';
  return session.submit(at + query, at + form + query, entered);
}

/** The address at the provider that a page leads to. */
const parseRedirectUrl = (html: string): string => {
  const [, url] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(html) ?? [];
  if (!url) throw new Error(`leads nowhere: ${html}`);
  return url.replaceAll('&amp;', '&');
};

/** Starts a test, and signs in at the provider. Returns our address at which it ends. */
export async function signInAtProvider(office: Office): Promise<string> {
  const begun = await save(office, '/test');
  const { url } = await new Visitor().follow(parseRedirectUrl(await begun.text()), (next) =>
    next.startsWith(dev.baseUrl),
  );
  return url.slice(dev.baseUrl.length);
}

/** Runs a test to its end. */
export async function runTest(office: Office): Promise<{ status: number; html: string }> {
  const response = await office.session.get(await signInAtProvider(office));
  return { status: response.status, html: await response.text() };
}

export const RULES = { name: 'House ID', required: 'none', tier: 'basic', domains: '' };

/** A name of a sign-in page that no other test has. */
export const uniqueName = (): string => `house-${uniqueEmail().slice(6, 18)}`;

/** Connects and switches on a provider. Returns the name of the sign-in page. */
export async function connected(office: Office, rules: Record<string, string> = {}): Promise<string> {
  const sign_in_name = uniqueName();
  await save(office, '/name', { sign_in_name });
  await save(office, '/oidc', office.form);
  const { status, html } = await runTest(office);
  if (status !== 200) throw new Error(html);
  const { status: saved } = await save(office, '/rules', { ...RULES, enabled: 'on', ...rules });
  if (saved !== 302) throw new Error(`the rules returned ${saved}`);
  return sign_in_name;
}

/** Signs somebody in through the provider. Returns their browser, and the next page. */
export async function enter(name: string, visitor = new Visitor()) {
  const page = await visitor.follow(`${dev.baseUrl}/sign-in/${name}`);
  return { visitor, ...(await visitor.submit(page, `/sign-in/${name}`)) };
}
