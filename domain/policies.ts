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

/** What the actions of a key apply to. OAuth tokens store complete scopes here and have no actions. */
export type KeyResource = ScopeResource | Scope;

/** The caller: a member of a workspace, with a key or in the dashboard. */
export interface Principal {
  workspace_id: string;
  member_id: string;
  profile_id: string;
  /** The member's role. With a key that other members issued, the lowest of their roles and the member's. */
  role: Role;
  /** Other members who may know the token because they issued it. Empty in the dashboard. */
  issuer_ids: string[];
  /** Null in the dashboard. */
  key_id: string | null;
  /** ISO 8601. */
  key_created_at: string | null;
  resources: KeyResource[];
  actions: ScopeAction[];
  /** Address ranges from which the key can be used. If empty, it can be used from anywhere. */
  ip_allowlist: string[];
}

/** The roles that have each capability (docs/rules/members.md#roles). */
export const CAPABILITIES = {
  read_own_profile: ROLES,
  update_own_profile: ROLES,
  read_others: ['front_desk', 'billing_contact', 'admin', 'owner'],
  /** Terms of payment and cards of other members. */
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

/** Returns a refusal if the role lacks the capability, otherwise null. */
export function whyNotCan(role: Role, capability: Capability): Refusal | null {
  if (can(role, capability)) return null;
  const message = `This request requires the role ${CAPABILITIES[capability].join(' or ')}, not ${role}.`;
  return { code: 'role_insufficient', message, details: { reason: 'role' } };
}

/**
 * Returns a refusal if a caller may neither put a member's card on file nor remove it: it is not their own
 * card, and they cannot write billing.
 */
export const whyNotManageCard = (
  caller: Pick<Principal, 'member_id' | 'role'>,
  memberId: string,
): Refusal | null => (caller.member_id === memberId ? null : whyNotCan(caller.role, 'write_billing'));

/** Errors: 403 `role_insufficient` if the role lacks the capability. */
export const assertCan = (role: Role, capability: Capability): void => refuse(whyNotCan(role, capability));

/**
 * True if the key has a scope. Its scopes are all combinations of its resources and actions; OAuth tokens
 * have complete scopes as resources. `members:write` includes `members:invite`.
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
 * The capability that a role needs to use a scope at all. Scopes that are missing here are of some use to
 * every role, for its own bookings and profile. For resources that cannot be deleted, `delete` counts as
 * `write`.
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

/** True if the role can do anything with the scope. */
export function canUse(role: Role, scope: Scope): boolean {
  const required = REQUIRED_BY[scope];
  return !required || can(role, required);
}

/**
 * Checks that the caller has both the scope and a role that can use it. Errors: 403
 * `auth_scope_insufficient`, `role_insufficient`.
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
