import joi from 'joi';
import { listApiKeys, type ApiKeyRow } from '../../db/repositories/api-keys.js';
import {
  SCOPE_ACTIONS,
  SCOPE_RESOURCES,
  type ScopeAction,
  type ScopeResource,
} from '../../domain/policies.js';
import type { ApiDependencies } from '../app.js';
import { revokeKey } from '../api-keys/change.js';
import { createKey } from '../api-keys/create.js';
import { isKeyId } from '../api-keys/schema.js';
import type { ApiContext, Handler } from '../http/context.js';
import { text } from '../http/validate.js';
import { PageError } from '../sign-in/browser.js';
import { Form } from '../sign-in/forms.js';
import { formatAt } from './layout.js';
import { showSection } from './workspace.js';

const DAY = 86_400_000;
const MAX_DAYS = 365;
const DEFAULT_DAYS = 90;
const MOST_SHOWN = 200;

const someOf = (values: readonly string[]): joi.Schema =>
  joi
    .array()
    .items(joi.string().valid(...values))
    .single()
    .unique()
    .required()
    .messages({ 'any.required': '{{#label}}: choose one at least' });

export const keyFields = {
  name: text(200).trim().min(1).required(),
  days: joi.number().integer().min(1).max(MAX_DAYS).required(),
  resources: someOf(SCOPE_RESOURCES),
  actions: someOf(SCOPE_ACTIONS),
};

const pathOf = (ctx: ApiContext): string => `/dashboard/${ctx.state.membership!.workspace_id}/keys`;

const isLive = (key: ApiKeyRow, now: Date): boolean => !key.revoked_at && key.expires_at > now;

function KeyTable({ ctx, keys }: { ctx: ApiContext; keys: ApiKeyRow[] }) {
  const { time_zone } = ctx.state.membership!;
  const now = new Date();
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Token</th>
            <th>May</th>
            <th>Last used</th>
            <th>Ends</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td>{key.name}</td>
              <td>
                <code>{key.fingerprint}</code>
              </td>
              <td>
                {key.actions.join(', ')} <span class="soft">{key.resources.join(', ')}</span>
              </td>
              <td>{key.last_used_at ? formatAt(key.last_used_at, time_zone) : 'never'}</td>
              <td>{key.revoked_at ? 'revoked' : formatAt(key.expires_at, time_zone)}</td>
              <td>
                {isLive(key, now) && (
                  <Form action={`${pathOf(ctx)}/${key.id}/revoke`} session={ctx.state.session}>
                    <button class="quiet">Revoke</button>
                  </Form>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Choices({ name, values, chosen }: { name: string; values: readonly string[]; chosen: string[] }) {
  return (
    <fieldset>
      <legend>{name}</legend>
      {values.map((value) => (
        <label class="choice" key={value}>
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} /> {value}
        </label>
      ))}
    </fieldset>
  );
}

/** The workspace's API keys, and a form for one more (spec.md, "Authentication", 3). */
export function showKeys({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const keys = await listApiKeys(db.manager, {
      workspace_id: ctx.state.membership!.workspace_id,
      limit: MOST_SHOWN,
    });
    showSection(ctx, {
      title: 'API keys',
      at: '/keys',
      children: (
        <>
          <KeyTable ctx={ctx} keys={keys} />
          <h2>New key</h2>
          <Form class="card" action={pathOf(ctx)} session={ctx.state.session}>
            <p class="soft">It acts for you, and never beyond your role.</p>
            <label for="name">Name</label>
            <input id="name" name="name" required maxLength={200} />
            <label for="days">Days until it ends</label>
            <input id="days" name="days" type="number" min={1} max={MAX_DAYS} value={DEFAULT_DAYS} />
            <Choices name="resources" values={SCOPE_RESOURCES} chosen={[]} />
            <Choices name="actions" values={SCOPE_ACTIONS} chosen={['read']} />
            <button>Make the key</button>
          </Form>
        </>
      ),
    });
  };
}

interface KeyForm {
  name: string;
  days: number;
  resources: ScopeResource[];
  actions: ScopeAction[];
}

/** Makes a key, as `POST /v1/api-keys` does, and shows its token this once. */
export function makeKey(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { name, days, resources, actions } = ctx.state.body as KeyForm;
    const { key } = await createKey(
      deps,
      ctx.state.principal,
      { name, scope: { resources, actions }, expires_at: new Date(Date.now() + days * DAY) },
      null,
    );
    showSection(ctx, {
      title: `${name} is made`,
      at: '/keys',
      children: (
        <div class="card">
          <p>This is its token. It is not shown again.</p>
          <p>
            <code id="token">{key.token}</code>
          </p>
          <a href={pathOf(ctx)}>I have kept it</a>
        </div>
      ),
    });
  };
}

/** Revokes a key, as `DELETE /v1/api-keys/{id}` does. */
export function revokeFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { id } = ctx.params;
    if (!isKeyId(id!)) throw new PageError(404, 'There is no such key', 'Look for it among the keys.');
    await revokeKey(deps, ctx.state.principal, id!);
    ctx.redirect(pathOf(ctx));
  };
}
