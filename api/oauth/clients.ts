import joi from 'joi';
import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { revokeApiKeys } from '../../db/repositories/access/api-keys.js';
import { bindKey, type IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import {
  deleteOauthClient,
  findOauthClient,
  insertOauthClient,
  type OauthClient,
} from '../../db/repositories/access/oauth-clients.js';
import { audit } from '../../db/repositories/workspaces/audit.js';
import { transaction } from '../../db/transaction.js';
import type { Principal } from '../../domain/policies.js';
import { standsForNothing } from '../http/idempotency.js';
import { text } from '../http/validate.js';
import { hashSecret, newSecret } from '../sign-in/secrets.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** `com.example.app:`, as RFC 8252 wants the schemes of applications; so none that a browser knows is among them. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/** Where a browser may be sent with a code: https, http on the person's own machine, or an application's own scheme. */
export const redirectUri = text(2_000).custom((value: string, helpers) => {
  const { protocol, hostname, username, password } = URL.canParse(value) ? new URL(value) : ({} as URL);
  const isWeb = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  if ((isWeb || PRIVATE_SCHEME.test(protocol ?? '')) && !username && !password && !/[#\s]/.test(value))
    return value;
  return helpers.message({
    custom:
      "{{#label}} must be an https address, an http one of the person's own machine, or an application's own scheme, without a fragment",
  });
});

export const MAX_REDIRECT_URIS = 20;
const name = text(100).trim().min(1);

/** Body of `POST /v1/oauth-clients`. */
export const createSchema = joi
  .object({
    name: name.required(),
    redirect_uris: joi.array().items(redirectUri).min(1).max(MAX_REDIRECT_URIS).unique().required(),
    public: joi.boolean().default(false),
  })
  .required();

export interface NewClient {
  name: string;
  redirect_uris: string[];
  public: boolean;
}

export const presentClient = (client: OauthClient) => ({
  client_id: client.id,
  name: client.name,
  redirect_uris: client.redirect_uris,
  public: client.secret_hash === null,
  created_at: client.created_at.toISOString(),
});

/**
 * Registers a client; `client_secret` is shown this once, and null for a public one and to a repeat. Errors: 404 where
 * what a repeat asks for has been deleted.
 */
export async function createClient(
  db: DataSource,
  principal: Principal,
  asked: NewClient,
  idempotency: IdempotencyKey | null,
) {
  const { workspace_id } = principal;
  const { name, redirect_uris } = asked;
  const secret = asked.public ? null : newSecret();
  const secret_hash = secret === null ? null : hashSecret(secret);
  return transaction(db, async (tx) => {
    const id = newId('client');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    const created = bound === id;
    const client = created
      ? await insertOauthClient(tx, { id, workspace_id, name, redirect_uris, secret_hash })
      : await findOauthClient(tx, bound);
    if (!client) throw standsForNothing();
    const after = presentClient(client);
    if (created)
      await audit(tx, principal, { action: 'oauth_client.created', object: id, details: { after } });
    return { created, client: { ...after, client_secret: created ? secret : null } };
  });
}

/** Removes a client, and all that people granted it; false where there is none. */
export async function removeClient(db: DataSource, principal: Principal, id: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    await revokeApiKeys(tx, principal, { oauth_client_id: id });
    const client = await deleteOauthClient(tx, principal.workspace_id, id);
    if (!client) return false;
    const before = presentClient(client);
    await audit(tx, principal, { action: 'oauth_client.deleted', object: id, details: { before } });
    return true;
  });
}
