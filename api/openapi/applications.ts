/** How an application obtains and uses tokens (docs/rules/credentials.md#oauth); Markdown. */
export const APPLICATIONS = [
  'Applications act on behalf of a user with OAuth 2.0, using the authorization code flow with PKCE. ' +
    'Register an application in the dashboard or with `POST /v1/oauth-clients`, with all of its redirect ' +
    'URIs. Register an application that cannot keep a secret, such as a browser or mobile app, as ' +
    '`public`. `GET /.well-known/oauth-authorization-server` returns the URLs below.',
  'Authorize: generate a random `code_verifier` of at least 43 characters. Open `/oauth/authorize` in ' +
    'the user’s browser with `client_id`, `redirect_uri`, `scope`, `state` and `code_challenge`, the ' +
    'base64url-encoded SHA-256 of the verifier (S256 is the only method). If the user allows access, ' +
    'the browser is redirected to `redirect_uri` with your `state` and a `code`. The code can be used ' +
    'once, within 60 seconds.',
  'Token: send `grant_type=authorization_code`, `code`, `code_verifier`, `client_id` and the same ' +
    '`redirect_uri` to `POST /oauth/token` as a form. Confidential clients also send `client_secret`, or ' +
    'authenticate with HTTP Basic. The response has an `access_token`, `expires_in` (30 days), a ' +
    '`refresh_token` (90 days) and `scope`. Send the access token like an API key.',
  'Refresh: send `grant_type=refresh_token`, `refresh_token` and `client_id` to `POST /oauth/token`. A ' +
    'refresh token can be used once; the response contains the next one, which you must store. If the ' +
    'response is lost, repeat the request within one minute to get the same refresh token. Using the old ' +
    'refresh token after that revokes the grant and all of its tokens.',
  'Revoke: `POST /oauth/revoke` with `client_id` and an access or refresh token as `token` revokes the ' +
    'grant and all of its tokens immediately. Deleting the client revokes all of its grants.',
  'In a browser: a page can call the API with an access token of a public application (CORS, without ' +
    'cookies) if the application has a redirect URI on the origin of the page. A redirect URI on the ' +
    'loopback interface matches any port.',
  'Scopes: `calendar`, `billing`, `members`, `credentials`, `webhooks` and `workspace`, each with ' +
    '`:read`, `:write` or `:delete`, and `members:invite`, separated by spaces. An access token never ' +
    'permits more than the user’s current role.',
].join('\n\n');
