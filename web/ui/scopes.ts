import { SCOPES } from '../../domain/api-keys/key-scope.js';
import type { Scope } from '../../domain/policies.js';

export const RESOURCE_NAMES = {
  calendar: 'bookings, rooms and the calendar',
  billing: 'invoices and payments',
  members: 'members and companies',
  credentials: 'API keys and OAuth applications',
  webhooks: 'the webhook endpoint and events',
  workspace: 'the workspace’s settings, audit log and reconciliation',
};
export const ACTION_NAMES = {
  read: 'View',
  write: 'Create and change',
  delete: 'Delete and revoke',
  invite: 'Invite',
};

export function describeScope(scope: Scope): string {
  const [resource, action] = scope.split(':') as [keyof typeof RESOURCE_NAMES, keyof typeof ACTION_NAMES];
  return `${ACTION_NAMES[action]} ${action === 'invite' ? 'new members' : RESOURCE_NAMES[resource]}`;
}

/** The scopes of a request; null if there is none or an unknown one. */
export function readScopes(requested: unknown): Scope[] | null {
  const names = new Set(String(requested ?? '').split(' '));
  const scopes = SCOPES.filter((scope) => names.has(scope));
  return scopes.length > 0 && scopes.length === names.size ? scopes : null;
}
