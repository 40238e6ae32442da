import joi from 'joi';
import {
  SCOPE_ACTIONS,
  SCOPE_RESOURCES,
  type ScopeAction,
  type ScopeResource,
} from '../../domain/policies.js';
import { revokeKey, rotateKey } from '../api-keys/change.js';
import { createKey } from '../api-keys/create.js';
import { createSchema, isKeyId, type CreateBody } from '../api-keys/schema.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, Handler } from '../http/context.js';
import { text, validate } from '../http/validate.js';
import { PageError } from '../sign-in/browser.js';
import { AlreadyDone, onceFields, onceOf } from './form.js';
import { showSection } from './workspace.js';

const DAY = 86_400_000;
export const MAX_DAYS = 365;
/** For how long a token goes on that was replaced. */
export const GRACE_DAYS = 7;

const someOf = (values: readonly string[], what: string): joi.Schema =>
  joi
    .array()
    .items(joi.string().valid(...values))
    .single()
    .unique()
    .required()
    .messages({ 'any.required': `Choose at least one ${what}` });

export const keyFields = {
  ...onceFields,
  name: text(200).trim().min(1).required(),
  days: joi.number().integer().min(1).max(MAX_DAYS).required(),
  resources: someOf(SCOPE_RESOURCES, 'resource'),
  actions: someOf(SCOPE_ACTIONS, 'action'),
  ip_allowlist: text(10_000).allow('').default(''),
};

interface KeyForm {
  name: string;
  days: number;
  resources: ScopeResource[];
  actions: ScopeAction[];
  /** Ranges with white space between. */
  ip_allowlist: string;
}

/** The page of the workspace's keys. */
export const pathOf = (ctx: ApiContext): string => `/dashboard/${ctx.state.membership!.workspace_id}/keys`;

/** Shows a new token this once; a repeat is told that it was shown. */
function showToken(ctx: ApiContext, title: string, token: string | null): void {
  showSection(ctx, {
    title,
    at: '/keys',
    children: (
      <div class="card">
        {token ? (
          <>
            <p>This is its token. It is not shown again.</p>
            <p>
              <code id="token">{token}</code>
            </p>
          </>
        ) : (
          <AlreadyDone secret="token">rotate the key</AlreadyDone>
        )}
        <a href={pathOf(ctx)}>{token ? 'I have kept it' : 'To the keys'}</a>
      </div>
    ),
  });
}

/** Makes a key, as `POST /v1/api-keys` does, and shows its token this once. */
export function makeKey(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const form = ctx.state.body as KeyForm;
    const { name, scope } = validate<CreateBody>(
      createSchema,
      {
        name: form.name,
        scope: {
          resources: form.resources,
          actions: form.actions,
          ip_allowlist: form.ip_allowlist.split(/\s+/).filter(Boolean),
        },
      },
      false,
    );
    const expires_at = new Date(Date.now() + form.days * DAY);
    const asked = { name, scope, expires_at };
    const { key } = await createKey(deps, ctx.state.principal, asked, onceOf(ctx));
    showToken(ctx, key.token ? `${name} is made` : `${name} was made already`, key.token);
  };
}

const keyIdOf = ({ params }: ApiContext): string => {
  if (isKeyId(params.id!)) return params.id!;
  throw new PageError(404, 'There is no such key', 'Look for it among the keys.');
};

/** Gives a key a new token, as `POST /v1/api-keys/{id}/rotate` does, and shows it this once. */
export function rotateFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { token } = await rotateKey(deps, ctx.state.principal, keyIdOf(ctx), GRACE_DAYS, onceOf(ctx));
    showToken(ctx, token ? 'The key has a new token' : 'The key was rotated already', token);
  };
}

/** Revokes a key, as `DELETE /v1/api-keys/{id}` does. */
export function revokeFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await revokeKey(deps, ctx.state.principal, keyIdOf(ctx));
    ctx.redirect(pathOf(ctx));
  };
}
