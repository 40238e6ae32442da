import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import samlify from 'samlify';
import type { SamlProvider } from '../../domain/single-sign-on/providers.js';
import { newServiceKey, readProviderMetadata } from '../../web/sign-in/single-sign-on/saml.js';
import { dev } from './stack.js';

samlify.setSchemaValidator({ validate: async () => 'not validated' });

/** A SAML provider, using samlify, at which somebody is always signed in. */
export interface TestSamlProvider {
  provider: SamlProvider;
  /** Who signs in next. */
  account: { id: string; email: string };
  /** The content of the latest form, so that a test can send it again. */
  sent: { url: string; fields: Record<string, string> } | null;
}

const ENCRYPTION = {
  dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
};
const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';

async function readBody(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
}

/**
 * Starts a provider on another site than the service's `127.0.0.1`. It reads our metadata from the service,
 * and answers with encrypted assertions.
 */
export async function startSamlProvider(
  t: { teardown(close: () => unknown): void },
  workspaceId: string,
  account: TestSamlProvider['account'],
  binding: SamlProvider['binding'] = 'redirect',
): Promise<TestSamlProvider> {
  const server = createServer();
  await once(server.listen(0, 'localhost'), 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { key, certificate } = await newServiceKey('house');
  const idp = samlify.IdentityProvider({
    entityID: `${origin}/saml`,
    privateKey: key,
    signingCert: certificate,
    wantAuthnRequestsSigned: true,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    isAssertionEncrypted: true,
    ...ENCRYPTION,
    singleSignOnService: [
      {
        Binding: `${BINDINGS}:HTTP-${binding === 'redirect' ? 'Redirect' : 'POST'}`,
        Location: `${origin}/sso`,
      },
    ],
  });
  const read = readProviderMetadata(idp.getMetadata());
  const provider: TestSamlProvider = { provider: { protocol: 'saml', ...read }, account, sent: null };
  server.on('request', async (request, response) => {
    const url = new URL(request.url!, origin);
    if (url.pathname !== '/sso') return response.writeHead(404).end();
    const fields = request.method === 'POST' ? await readBody(request) : Object.fromEntries(url.searchParams);
    const metadata = await (await fetch(`${dev.baseUrl}/sso/${workspaceId}/metadata`)).text();
    const sp = samlify.ServiceProvider({ metadata });
    // It refuses a request that we have not signed.
    const asked = await idp.parseLoginRequest(
      sp,
      request.method === 'POST' ? 'post' : 'redirect',
      request.method === 'POST'
        ? { body: fields }
        : { query: fields, octetString: url.search.slice(1).replace(/&Signature=.*/, '') },
    );
    const answered = await idp.createLoginResponse(
      sp,
      { extract: {} },
      'post',
      {},
      {
        encryptThenSign: false,
        customTagReplacement: (template: string) => ({
          id: `_${randomBytes(8).toString('hex')}`,
          context: filled(template, String(asked.extract.request!.id), sp, provider),
        }),
      },
    );
    provider.sent = {
      url: `${dev.baseUrl}/sso/${workspaceId}/acs`,
      fields: { SAMLResponse: answered.context, RelayState: fields.RelayState! },
    };
    const inputs = Object.entries(provider.sent.fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    response.setHeader('content-type', 'text/html');
    response.end(
      '<h1>The house</h1><form method="post" ' +
        `action="${provider.sent.url}">${inputs.join('')}<button>Go on</button></form>`,
    );
  });
  return provider;
}

const attribute = (name: string, value: string): string =>
  `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`;

/** A response to a request, valid from now on for five minutes. */
function filled(
  template: string,
  requestId: string,
  sp: samlify.ServiceProviderInstance,
  provider: TestSamlProvider,
): string {
  const now = new Date();
  const later = new Date(now.getTime() + 300_000).toISOString();
  const [audience, acs] = [
    sp.entityMeta.getEntityID(),
    String(sp.entityMeta.getAssertionConsumerService('post')),
  ];
  const statement =
    `<saml:AuthnStatement AuthnInstant="${now.toISOString()}" SessionIndex="_s1"><saml:AuthnContext>` +
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>' +
    '</saml:AuthnContext></saml:AuthnStatement>';
  return samlify.SamlLib.replaceTagsByValue(
    template
      .replace('{AuthnStatement}', statement)
      .replace(
        '{AttributeStatement}',
        `<saml:AttributeStatement>${attribute('email', provider.account.email)}</saml:AttributeStatement>`,
      ),
    {
      ID: `_${randomBytes(8).toString('hex')}`,
      AssertionID: `_${randomBytes(8).toString('hex')}`,
      Issuer: provider.provider.entity_id,
      IssueInstant: now.toISOString(),
      Destination: acs,
      SubjectRecipient: acs,
      InResponseTo: requestId,
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      NameID: provider.account.id,
      Audience: audience,
      ConditionsNotBefore: now.toISOString(),
      ConditionsNotOnOrAfter: later,
      SubjectConfirmationDataNotOnOrAfter: later,
    },
  );
}
