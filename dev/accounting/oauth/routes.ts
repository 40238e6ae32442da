import type Router from '@koa/router';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { withFaults } from '../../simulator/faults.js';
import { asError, respond, type ApiResponse } from '../http/response.js';
import { authenticate } from '../http/authenticate.js';
import { notFound, XeroError } from '../http/errors.js';
import type { Simulator } from '../simulator.js';
import type { Connection } from '../state/records.js';
import { publicKeys } from './jwt.js';
import { exchange, GrantError, revoke } from './tokens.js';

/** Xero's identity service, with the simulator's address as the issuer, and the connections of a user. */
export function addOAuth(router: Router, sim: Simulator): void {
  const { baseUrl, store } = sim;
  router.get('/.well-known/openid-configuration', (ctx) => {
    ctx.body = {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/identity/connect/authorize`,
      token_endpoint: `${baseUrl}/connect/token`,
      revocation_endpoint: `${baseUrl}/connect/revocation`,
      jwks_uri: `${baseUrl}/.well-known/openid-configuration/jwks`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    };
  });
  router.get('/.well-known/openid-configuration/jwks', (ctx) => {
    ctx.body = publicKeys(store);
  });

  router.post('/connect/token', (ctx) =>
    respond(sim, ctx, async () => {
      const form = await readForm(sim, ctx);
      return withFaults(
        store.settings,
        null,
        ctx,
        () => store.transaction(() => tokens(() => exchange(sim, form))),
        asError,
      );
    }),
  );
  router.post('/connect/revocation', (ctx) =>
    respond(sim, ctx, async () => {
      const form = await readForm(sim, ctx);
      store.transaction(() => revoke(sim, form.get('token') ?? ''));
      return { status: 200, body: '' };
    }),
  );

  router.get('/connections', (ctx) =>
    respond(sim, ctx, async () => {
      const { user } = authenticate(sim, ctx);
      const event = ctx.query['authEventId'];
      const own = [...store.connections.values()].filter(
        (each) => each.user === user && (event === undefined || each.auth_event_id === event),
      );
      return { status: 200, body: own.map((connection) => presentConnection(sim, connection)) };
    }),
  );
  router.delete('/connections/:id', (ctx) =>
    respond(sim, ctx, async () => {
      const { user } = authenticate(sim, ctx);
      const { id } = ctx['params'] as { id: string };
      if (store.connections.get(id)?.user !== user) throw notFound();
      store.connections.delete(id);
      return { status: 204, body: null };
    }),
  );
}

/** Reads the form of a client's request. The client authenticates in a header or in the form. */
async function readForm(sim: Simulator, ctx: Context): Promise<URLSearchParams> {
  const form = new URLSearchParams(await getRawBody(ctx.req, { encoding: 'utf8', limit: '64kb' }));
  const [scheme = '', value = ''] = ctx.get('authorization').split(' ');
  const given =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(value, 'base64').toString().split(':').map(decodeURIComponent)
      : [form.get('client_id'), form.get('client_secret')];
  if (given[0] === sim.clientId && given[1] === sim.clientSecret) return form;
  throw new XeroError(400, { error: 'invalid_client' });
}

function tokens(work: () => object): ApiResponse {
  try {
    return { status: 200, body: work(), headers: { 'Cache-Control': 'no-store' } };
  } catch (error) {
    if (error instanceof GrantError) return { status: 400, body: { error: error.code } };
    throw error;
  }
}

function presentConnection({ store }: Simulator, connection: Connection): object {
  const { id, tenant_id, auth_event_id, created_at, updated_at } = connection;
  const moment = (ms: number) => new Date(ms).toISOString().replace('Z', '0000');
  return {
    id,
    authEventId: auth_event_id,
    tenantId: tenant_id,
    tenantType: 'ORGANISATION',
    tenantName: store.organisations.get(tenant_id)?.name,
    createdDateUtc: moment(created_at),
    updatedDateUtc: moment(updated_at),
  };
}
