import { ApiError, refuse, type Refusal } from './errors.js';

export const ROLES = ['member', 'front_desk', 'billing_contact', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const SCOPE_RESOURCES = [
  'calendar',
  'billing',
  'members',
  'credentials',
  'webhooks',
  'workspace',
] as const;
export const SCOPE_ACTIONS = ['read', 'write', 'delete', 'invite'] as const;
export type ScopeResource = (typeof SCOPE_RESOURCES)[number];
export type ScopeAction = (typeof SCOPE_ACTIONS)[number];
/** `calendar:read`, `calendar:write`, … (docs/rules/credentials.md#scopes). */
export type Scope = `${ScopeResource}:${ScopeAction}`;

/** What a key's actions apply to. OAuth tokens have complete scopes here and no actions. */
export type KeyResource = ScopeResource | Scope;

/** The caller: a member of a workspace, by a key or at the dashboard. */
export interface Principal {
  workspace_id: string;
  member_id: string;
  profile_id: string;
  /** With a key that others issued, the least of the member's role and theirs. */
  role: Role;
  /** Other members who may know the token of the request: those who issued it. None at the dashboard. */
  issuer_ids: string[];
  /** Null at the dashboard. */
  key_id: string | null;
  /** ISO 8601. */
  key_created_at: string | null;
  resources: KeyResource[];
  actions: ScopeAction[];
  /** Address ranges the key can be used from; none allows all. */
  ip_allowlist: string[];
}

/** The roles that have each capability (docs/rules/members.md#roles). */
export const CAPABILITIES = {
  read_own_profile: ROLES,
  update_own_profile: ROLES,
  read_others: ['front_desk', 'billing_contact', 'admin', 'owner'],
  /** Terms of payment and cards of others. */
  read_payers: ['billing_contact', 'admin', 'owner'],
  update_others: ['admin', 'owner'],
  invite_members: ['admin', 'owner'],
  change_tier: ['admin', 'owner'],
  change_role: ['admin', 'owner'],
  archive_members: ['admin', 'owner'],
  hard_delete: ['owner'],
  transfer_ownership: ['owner'],
  reset_second_factor: ['owner'],
  configure_sso: ['owner'],
  own_bookings: ROLES,
  all_bookings: ['front_desk', 'admin', 'owner'],
  export_bookings: ['admin', 'owner'],
  write_blackouts: ['front_desk', 'admin', 'owner'],
  write_rooms: ['admin', 'owner'],
  write_companies: ['admin', 'owner'],
  read_own_invoices: ROLES,
  pay_own_invoices: ROLES,
  /** Invoices of bookings. */
  read_booking_invoices: ['front_desk', 'billing_contact', 'admin', 'owner'],
  read_billing: ['billing_contact', 'admin', 'owner'],
  write_billing: ['admin', 'owner'],
  read_workspace: ROLES,
  write_workspace: ['admin', 'owner'],
  read_audit_log: ['admin', 'owner'],
  manage_webhooks: ['admin', 'owner'],
  manage_keys: ['admin', 'owner'],
} as const satisfies Record<string, readonly Role[]>;
export type Capability = keyof typeof CAPABILITIES;

/** True if the role has the capability. */
export function can(role: Role, capability: Capability): boolean {
  return (CAPABILITIES[capability] as readonly Role[]).includes(role);
}

/** True if the second role permits something that the first does not. */
export const isPromotion = (from: Role, to: Role): boolean =>
  (Object.keys(CAPABILITIES) as Capability[]).some((one) => can(to, one) && !can(from, one));

/** Why a role may not do something: it lacks the capability. */
export function whyNotCan(role: Role, capability: Capability): Refusal | null {
  if (can(role, capability)) return null;
  const message = `This request requires the role ${CAPABILITIES[capability].join(' or ')}, not ${role}.`;
  return { code: 'role_insufficient', message, details: { reason: 'role' } };
}

/**
 * Why a caller may not put a member's card on file or remove it: it is not their own, and
 * they cannot write billing.
 */
export const whyNotManageCard = (
  caller: Pick<Principal, 'member_id' | 'role'>,
  memberId: string,
): Refusal | null => (caller.member_id === memberId ? null : whyNotCan(caller.role, 'write_billing'));

/** Errors: 403 `role_insufficient` if the role lacks the capability. */
export const assertCan = (role: Role, capability: Capability): void => refuse(whyNotCan(role, capability));

/**
 * True if the key has a scope: resources × actions, or a complete scope among the resources, as OAuth tokens
 * store them. `members:write` includes `members:invite`.
 */
export function hasScope(
  { resources, actions }: Pick<Principal, 'resources' | 'actions'>,
  scope: Scope,
): boolean {
  const [resource, action] = scope.split(':') as [ScopeResource, ScopeAction];
  const viaWrite = action === 'invite' && actions.includes('write');
  if (resources.includes(resource) && (actions.includes(action) || viaWrite)) return true;
  return resources.includes(scope) || (scope === 'members:invite' && resources.includes('members:write'));
}

/**
 * The capability without which a scope permits a role nothing. Scopes that are missing here permit
 * something to every role: its own bookings and profile. `delete` counts as `write` for resources
 * that have nothing to delete.
 */
const REQUIRED_BY: Partial<Record<Scope, Capability>> = {
  'calendar:delete': 'write_rooms',
  'billing:delete': 'write_billing',
  'members:delete': 'archive_members',
  'members:invite': 'invite_members',
  'credentials:read': 'manage_keys',
  'credentials:write': 'manage_keys',
  'credentials:delete': 'manage_keys',
  'webhooks:read': 'manage_webhooks',
  'webhooks:write': 'manage_webhooks',
  'webhooks:delete': 'manage_webhooks',
  'workspace:write': 'write_workspace',
  'workspace:delete': 'write_workspace',
};

/** True if the scope permits the role anything. */
export function canUse(role: Role, scope: Scope): boolean {
  const required = REQUIRED_BY[scope];
  return !required || can(role, required);
}

/**
 * Checks scope and role: the caller needs both. Errors: 403 `auth_scope_insufficient`, `role_insufficient`.
 */
export function authorize(
  principal: Pick<Principal, 'resources' | 'actions' | 'role'>,
  scope: Scope,
  capability: Capability,
): void {
  if (!hasScope(principal, scope)) {
    const message = `This request requires the scope ${scope}, which this key lacks.`;
    throw new ApiError('auth_scope_insufficient', message, { details: { required: scope } });
  }
  assertCan(principal.role, capability);
}
