import { Secret } from '../../ui/copy.js';
import joi from 'joi';
import { DAY_MS } from '../../../domain/durations.js';
import {
  SCOPE_ACTIONS,
  SCOPE_RESOURCES,
  type ScopeAction,
  type ScopeResource,
} from '../../../domain/policies.js';
import { createKey } from '../../../api/resources/api-keys/create.js';
import { keyIdOf } from '../../../api/resources/api-keys/read.js';
import { revokeKey } from '../../../api/resources/api-keys/revoke.js';
import { rotateKey } from '../../../api/resources/api-keys/rotate.js';
import { createSchema, MAX_DAYS, type CreateBody } from '../../../api/resources/api-keys/shape.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { validate } from '../../../api/http/validate.js';
import { AlreadySubmitted, formIdempotencyKey, formIdFields } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { showSection } from '../shared/workspace.js';
import { textFields } from '../shared/declared-fields.js';

/** How long the previous token stays valid after a rotation. */
export const GRACE_DAYS = 7;

const atLeastOne = (values: readonly string[], what: string): joi.Schema =>
  joi
    .array()
    .items(joi.string().valid(...values))
    .single()
    .unique()
    .required()
    .messages({ 'any.required': `Choose at least one ${what}` });

export const keyFields = {
  ...formIdFields,
  ...textFields(createSchema, 'name'),
  days: joi.number().integer().min(1).max(MAX_DAYS).required(),
  resources: atLeastOne(SCOPE_RESOURCES, 'resource'),
  actions: atLeastOne(SCOPE_ACTIONS, 'action'),
  ip_allowlist: text(10_000).allow('').default(''),
};

interface KeyForm {
  name: string;
  days: number;
  resources: ScopeResource[];
  actions: ScopeAction[];
  /** Address ranges, separated by white space. */
  ip_allowlist: string;
}

/** The path of the page of API keys. */
export const pathOf = (ctx: ApiContext): string => `/dashboard/${ctx.state.membership!.workspace_id}/keys`;

/** Shows a new token once; for a repeat, explains that it cannot be shown again. */
function showToken(ctx: ApiContext, title: string, token: string | null): void {
  showSection(ctx, {
    title,
    at: '/keys',
    children: (
      <div class="card">
        {token ? (
          <>
            <p>Copy the token now. It will not be shown again.</p>
            <Secret id="token">{token}</Secret>
          </>
        ) : (
          <AlreadySubmitted secret="token">rotate the key</AlreadySubmitted>
        )}
        <a href={pathOf(ctx)}>{token ? 'I’ve saved it' : 'Back to API keys'}</a>
      </div>
    ),
  });
}

/** Creates a key like `POST /v1/api-keys` and shows its token once. */
export function createFromPage(deps: ApiDependencies): Handler {
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
    const expires_at = new Date(Date.now() + form.days * DAY_MS);
    const request = { name, scope, expires_at };
    const { key } = await createKey(deps, ctx.state.principal, request, formIdempotencyKey(ctx));
    showToken(ctx, key.token ? `${name} has been created` : `${name} was already created`, key.token);
  };
}

/** Rotates a key like `POST /v1/api-keys/{id}/rotate` and shows the new token once. */
export function rotateFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { token } = await rotateKey(deps, principal, keyIdOf(ctx), GRACE_DAYS, formIdempotencyKey(ctx));
    showToken(ctx, token ? 'The key has a new token' : 'The token was already replaced', token);
  };
}

/** Revokes a key like `DELETE /v1/api-keys/{id}`. */
export function revokeFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await revokeKey(deps, ctx.state.principal, keyIdOf(ctx));
    redirectWithNotice(ctx, pathOf(ctx), 'Key revoked. It no longer works.');
  };
}
