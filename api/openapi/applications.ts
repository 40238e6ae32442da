/** How an application gets a token (decisions.md, "Credentials"); Markdown. */
export const APPLICATIONS = `An application works for a person by OAuth 2, authorization code with PKCE. Register it in the dashboard or by \`POST /v1/oauth-clients\`, with every address it redirects to; one that can keep no secret is \`public\`. \`GET /.well-known/oauth-authorization-server\` has the addresses below.

Authorize: make a random \`code_verifier\` of 43 characters or more, and send the person’s browser to \`/oauth/authorize\` with \`client_id\`, \`redirect_uri\`, \`scope\`, \`state\` and \`code_challenge\`, the base64url SHA-256 of the verifier (S256, the only method). Who allows it comes back to \`redirect_uri\` with your \`state\` and a \`code\`, good once and for 60 seconds.

Token: \`POST /oauth/token\`, a form of \`grant_type=authorization_code\`, \`code\`, \`code_verifier\`, \`client_id\` and the same \`redirect_uri\`; who has a secret sends \`client_secret\` too, or both by HTTP Basic. It answers \`access_token\`, \`expires_in\` (30 days), \`refresh_token\` (90 days) and \`scope\`. The access token is sent as an API key is.

Refresh: \`POST /oauth/token\` with \`grant_type=refresh_token\`, \`refresh_token\` and \`client_id\`. Each refresh token works once and brings the next one: keep that. For a minute the same one answers again, in case an answer was lost; used later, it ends the grant and all its tokens.

Revoke: \`POST /oauth/revoke\` with \`token\`, of either kind, and \`client_id\` ends the grant at once, as deleting the client does.

Scopes: \`calendar\`, \`billing\`, \`members\`, \`credentials\`, \`webhooks\`, \`workspace\`, each with \`:read\`, \`:write\` or \`:delete\`, and \`members:invite\`; a space between them. A token never does more than the role of its person allows now.`;
