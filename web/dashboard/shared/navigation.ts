import type { Membership } from '../../../db/queries/members/membership.js';
import { can, type Capability } from '../../../domain/policies.js';

/** A page of the dashboard's navigation. `at` is its path after the workspace's. */
export interface NavigationEntry {
  at: string;
  name: string;
}

/** Pages that belong together. The group leads to its first one. */
export interface NavigationGroup {
  name: string;
  entries: NavigationEntry[];
}

const GROUPS: { name: string; entries: (NavigationEntry & { capability?: Capability })[] }[] = [
  {
    name: 'Bookings',
    entries: [
      { at: '', name: 'Overview' },
      { at: '/calendar', name: 'Calendar', capability: 'all_bookings' },
      { at: '/bookings', name: 'Bookings' },
    ],
  },
  {
    name: 'Money',
    entries: [
      { at: '/invoices', name: 'Invoices', capability: 'read_billing' },
      { at: '/payments', name: 'Payments', capability: 'read_billing' },
      { at: '/subscriptions', name: 'Subscriptions', capability: 'read_billing' },
      { at: '/reconciliation', name: 'Reconciliation', capability: 'read_billing' },
    ],
  },
  {
    name: 'People',
    entries: [
      { at: '/members', name: 'Members', capability: 'read_others' },
      { at: '/companies', name: 'Companies', capability: 'read_others' },
      { at: '/guests', name: 'Guests', capability: 'all_bookings' },
    ],
  },
  { name: 'Rooms', entries: [{ at: '/rooms', name: 'Rooms', capability: 'write_rooms' }] },
  {
    name: 'Settings',
    entries: [
      { at: '/settings', name: 'Workspace', capability: 'write_workspace' },
      { at: '/prices', name: 'Prices and taxes', capability: 'write_workspace' },
      { at: '/processor', name: 'Card payments', capability: 'write_workspace' },
      { at: '/accounting', name: 'Accounting', capability: 'write_workspace' },
      { at: '/keys', name: 'API keys', capability: 'manage_keys' },
      { at: '/applications', name: 'Applications', capability: 'manage_keys' },
      { at: '/webhooks', name: 'Webhooks', capability: 'manage_webhooks' },
      { at: '/events', name: 'Events', capability: 'manage_webhooks' },
      { at: '/audit-log', name: 'Audit log', capability: 'read_audit_log' },
      { at: '/ownership', name: 'Ownership', capability: 'transfer_ownership' },
    ],
  },
];

/** What a member's role can use. */
export function navigationFor({ role }: Membership): NavigationGroup[] {
  const usable = GROUPS.map(({ name, entries }) => ({
    name,
    entries: entries.filter(({ capability }) => !capability || can(role, capability)),
  }));
  return usable.filter(({ entries }) => entries.length > 0);
}
