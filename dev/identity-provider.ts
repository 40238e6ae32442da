import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/**
 * `npm run identity-provider`: an OpenID Connect provider next to `npm start`, for the seeded workspace
 * (docs/guides/single-sign-on.md#try-it-on-your-machine). It signs in anyone who enters an email address,
 * with any password, and reports the address as verified. The optional argument is its port, by default 9400.
 */
const PORT = Number(process.argv[2] ?? 9400);
const CLIENT = { client_id: 'holdfast', client_secret: 'a-secret-for-development' };

const { baseUrl, workspaceId } = JSON.parse(readFileSync('.holdfast/dev.json', 'utf8')) as {
  baseUrl: string;
  workspaceId: string;
};
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'development' };
const issuer = `http://localhost:${PORT}`;

const provider = new Provider(issuer, {
  clients: [
    { ...CLIENT, application_type: 'native', redirect_uris: [`${baseUrl}/sso/${workspaceId}/callback`] },
  ],
  jwks: { keys: [jwk as never] },
  cookies: { keys: ['development'] },
  claims: { email: ['email', 'email_verified'], profile: ['name'], openid: ['sub'] },
  conformIdTokenClaims: false,
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: sub, email_verified: true, name: sub.split('@')[0]! }),
  }),
});

createServer(provider.callback()).listen(PORT, 'localhost', () => {
  process.stdout.write(
    [
      'Enter these under Settings, Sign-in, Other (OpenID Connect):',
      `  Issuer         ${issuer}`,
      `  Client ID      ${CLIENT.client_id}`,
      `  Client secret  ${CLIENT.client_secret}`,
      'In its sign-in form, enter the email address of a member and any password. Press Ctrl-C to stop it.\n',
    ].join('\n'),
  );
});
