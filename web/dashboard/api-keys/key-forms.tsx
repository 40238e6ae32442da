import joi from 'joi';
import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import {
  createApiKey,
  MAX_DAYS,
  revokeApiKey,
  rotateApiKey,
} from '../../../api/resources/api-keys/operations.js';
import { withdrawGrant } from '../../../commands/applications/clients.js';
import type { Room } from '../../../db/entities/rooms.js';
import { DAY_MS } from '../../../domain/durations.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { Secret } from '../../ui/copy.js';
import { ACTION_NAMES, RESOURCE_NAMES } from '../../ui/scopes.js';
import { action, form } from '../forms/form.js';
import { boxes, type Input } from '../forms/inputs.js';
import { pathIn } from '../shared/paths.js';
import { TextField } from '../shared/fields.js';
import { AlreadySubmitted } from '../shared/form.js';

const DEFAULT_DAYS = 90;

const GRACE_DAYS = 7;

/** A new token, shown once. A repeated form explains that it cannot be shown again. */
const Token = ({ ctx, token }: { ctx: ApiContext; token: string | null }): ComponentChildren => (
  <div class="card shown-once">
    {token ? (
      <>
        <p>Copy the token now. It will not be shown again.</p>
        <Secret id="token">{token}</Secret>
      </>
    ) : (
      <AlreadySubmitted secret="token">replace the token</AlreadySubmitted>
    )}
    <a class="button" href={pathIn(ctx, '/keys')}>
      {token ? 'I’ve saved it' : 'Back to API keys'}
    </a>
  </div>
);

const days: Input<unknown> = {
  fields: () => ({ days: joi.number().integer().min(1).max(MAX_DAYS).required() }),
  read: (_, form) => ({ expires_at: new Date(Date.now() + Number(form.days) * DAY_MS).toISOString() }),
  Show: () => (
    <TextField
      name="days"
      label="Expires after (days)"
      type="number"
      min={1}
      max={MAX_DAYS}
      value={DEFAULT_DAYS}
      required
    />
  ),
  wide: () => true,
  called: () => ({}),
};

const labelled = <Value extends string>(values: readonly Value[], names: Record<Value, string>) =>
  values.map(
    (value) =>
      [
        value,
        `${value}: ${names[value].replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`,
      ] as const,
  );

export const newKey = form(
  createApiKey,
  {
    name: 'Name',
    days,
    'scope.resources': {
      label: 'Resources',
      options: labelled(SCOPE_RESOURCES, RESOURCE_NAMES),
      initial: ['calendar'],
      atLeastOne: 'Choose at least one resource',
    },
    'scope.actions': {
      label: 'Actions',
      options: labelled(SCOPE_ACTIONS, { ...ACTION_NAMES, invite: 'Invite new members' }),
      initial: ['read'],
      atLeastOne: 'Choose at least one action',
    },
    'scope.ip_allowlist': {
      label: 'IP ranges, one per line',
      kind: 'words',
      rows: 2,
      placeholder: '192.0.2.0/24',
    },
  },
  {
    summary: 'New key',
    button: 'Create key',
    hint: 'The key acts for you, with at most the permissions of your role.',
    proof: true,
    ownSignIn: true,
    show: ({ object: { token } }, { ctx, body: { name } }) => ({
      title: `${name} ${token ? 'has been created' : 'was already created'}`,
      children: <Token ctx={ctx} token={token} />,
    }),
  },
);

export const replaceToken = form(
  rotateApiKey,
  {},
  {
    path: '/:id/rotate',
    button: 'Replace token',
    explains: <>The new token is shown once. The current one stays valid for {GRACE_DAYS} days.</>,
    body: () => ({ grace_window_days: GRACE_DAYS }),
    proof: true,
    ownSignIn: true,
    show: ({ token }, { ctx }) => ({
      title: token ? 'Token replaced' : 'The token was already replaced',
      children: <Token ctx={ctx} token={token} />,
    }),
  },
);

export const revokeKey = form(
  revokeApiKey,
  {},
  {
    path: '/:id/revoke',
    summary: 'Revoke',
    button: 'Revoke key',
    rare: true,
    explains: 'The key stops working immediately. This cannot be undone.',
    notice: () => 'Key revoked. It no longer works.',
  },
);

/** Revokes the access that a member of the workspace granted to an application. */
export const revokeGrant = form(
  action({
    capability: 'manage_keys',
    run: ({ params: { id } }, caller, { db }) =>
      withdrawGrant(db, caller, { oauth_grant_id: id.replaceAll('\0', '') }),
  }),
  {},
  {
    path: '/grants/:id/revoke',
    summary: 'Revoke',
    button: 'Revoke access',
    rare: true,
    explains: 'The application can no longer act for this member, until they grant access again.',
    notice: () => 'Access revoked.',
  },
);

/** A publishable key for a website. The list keeps showing it, because it is not secret. */
export const newSiteKey = form(
  createApiKey,
  {
    name: 'Name',
    origins: {
      label: 'Websites, one per line',
      placeholder: 'https://www.example.com',
      kind: 'words',
      rows: 2,
      required: true,
    },
    room_ids: boxes<Room[]>('Rooms (none = all)', (rooms) => rooms.map(({ id, name }) => [id, name])),
  },
  {
    button: 'Create key',
    hint: 'Safe on a public website: visitors see rooms and free times, and book as guests.',
    body: (entered) => ({ ...entered, kind: 'publishable' }),
    proof: true,
    ownSignIn: true,
    notice: (_, { body: { name } }) => `${name} has been created. Its key is in the list.`,
    to: () => '/keys',
  },
);
