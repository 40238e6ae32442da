import { randomBytes, randomUUID } from 'node:crypto';
import type { Simulator } from '../simulator.js';
import type { Organisation } from '../state/records.js';

const CODE_LIFETIME_MS = 5 * 60_000;
/**
 * Apps created since March 2026 have granular scopes only; the broad `accounting.transactions` is refused.
 */
const KNOWN_SCOPES =
  /^(openid|profile|email|offline_access|accounting\.(invoices|payments|banktransactions|manualjournals|contacts|settings|attachments)(\.read)?)$/;

/** An authorization request: the query of the authorize page. */
export interface ConsentRequest {
  redirectUri: string;
  scope: string;
  state: string | null;
  nonce: string | null;
  codeChallenge: string | null;
  /** The organisation in `acr_values=tenantId:…`. */
  tenantId: string | null;
}

/** An invalid request. It must not redirect to the client, which may not have sent it. */
export class ConsentProblem extends Error {}

/** Validates the query of the authorize page. */
export function readConsentRequest(sim: Simulator, query: URLSearchParams): ConsentRequest {
  const need = (name: string) => {
    const value = query.get(name);
    if (!value) throw new ConsentProblem(`invalid_request: ${name} is missing`);
    return value;
  };
  if (need('client_id') !== sim.clientId) throw new ConsentProblem('unauthorized_client: unknown client_id');
  if (need('response_type') !== 'code') throw new ConsentProblem('unsupported_response_type');
  const redirectUri = need('redirect_uri');
  if (!/^https?:\/\/[^#]+$/.test(redirectUri) || !URL.canParse(redirectUri))
    throw new ConsentProblem('invalid_request: redirect_uri is not an address');
  const scope = need('scope');
  const unknown = scope.split(' ').find((each) => !KNOWN_SCOPES.test(each));
  if (unknown !== undefined) throw new ConsentProblem(`invalid_scope: ${unknown}`);
  const codeChallenge = query.get('code_challenge');
  if (codeChallenge && query.get('code_challenge_method') !== 'S256')
    throw new ConsentProblem('invalid_request: code_challenge_method must be S256');
  return {
    redirectUri,
    scope,
    state: query.get('state'),
    nonce: query.get('nonce'),
    codeChallenge,
    tenantId: /(?:^| )tenantId:(\S+)/.exec(query.get('acr_values') ?? '')?.[1] ?? null,
  };
}

/** Grants access: connects the organisation, and returns the redirect URL with the code. */
export function allow({ store }: Simulator, request: ConsentRequest, organisation: Organisation): string {
  const { tenant_id, user } = organisation;
  const auth_event_id = randomUUID();
  const code = randomBytes(32).toString('base64url');
  store.transaction(() => {
    const before = [...store.connections.values()].find((each) => each.tenant_id === tenant_id);
    const { id = randomUUID(), created_at = Date.now() } = before ?? {};
    store.connections.set(id, { id, tenant_id, user, auth_event_id, created_at, updated_at: Date.now() });
    store.codes.set(code, {
      grant: { user, scope: request.scope, auth_event_id, nonce: request.nonce },
      redirect_uri: request.redirectUri,
      code_challenge: request.codeChallenge,
      expires_at: Date.now() + CODE_LIFETIME_MS,
    });
  });
  return backToApp(request, { code, scope: request.scope });
}

/** Denies access. Returns the redirect URL with the error. */
export function refuse(request: ConsentRequest): string {
  return backToApp(request, { error: 'access_denied' });
}

function backToApp({ redirectUri, state }: ConsentRequest, response: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...response, ...(state && { state }) }))
    url.searchParams.set(name, value);
  return url.href;
}
