import type { Membership } from '../../../db/queries/members/membership.js';
import { can, type Capability, type Role } from '../../../domain/policies.js';

/** A page of the dashboard's navigation. `at` is its path after the workspace's. */
export interface NavigationEntry {
  at: string;
  name: string;
}

/** Pages that belong together. The group's link opens the first one. */
export interface NavigationGroup {
  name: string;
  entries: NavigationEntry[];
}

/** Whether the role manages more than its own bookings. */
export const seesOverview = (role: Role): boolean => can(role, 'all_bookings') || can(role, 'read_billing');

type Entry = NavigationEntry & { capability?: Capability; shows?: (role: Role) => boolean };

const GROUPS: { name: string; entries: Entry[] }[] = [
  {
    name: 'You',
    // Other roles have it next to their account.
    entries: [{ at: '/membership', name: 'Your membership', shows: (role) => !seesOverview(role) }],
  },
  {
    name: 'Bookings',
    entries: [
      { at: '', name: 'Overview', shows: seesOverview },
      { at: '/calendar', name: 'Calendar', capability: 'all_bookings' },
      { at: '/bookings', name: 'Bookings' },
      { at: '/day', name: 'Day list', capability: 'all_bookings' },
    ],
  },
  {
    name: 'Money',
    entries: [
      { at: '/invoices', name: 'Invoices', capability: 'read_own_invoices' },
      { at: '/payments', name: 'Payments', capability: 'read_billing' },
      { at: '/subscriptions', name: 'Plan invoices', capability: 'read_billing' },
      { at: '/reconciliation', name: 'Reconciliation', capability: 'read_billing' },
    ],
  },
  {
    name: 'People',
    entries: [
      { at: '/members', name: 'Members', capability: 'read_others' },
      { at: '/companies', name: 'Companies', capability: 'read_payers' },
      { at: '/guests', name: 'Guests', capability: 'all_bookings' },
    ],
  },
  {
    name: 'Rooms',
    entries: [
      { at: '/rooms', name: 'Rooms', capability: 'write_blackouts' },
      { at: '/extras', name: 'Extras', capability: 'write_rooms' },
      { at: '/discounts', name: 'Discount codes', capability: 'write_rooms' },
    ],
  },
  {
    name: 'Settings',
    entries: [
      { at: '/settings', name: 'Workspace', capability: 'write_workspace' },
      { at: '/booking-page', name: 'Booking page', capability: 'write_workspace' },
      { at: '/prices', name: 'Prices and taxes', capability: 'write_workspace' },
      { at: '/processor', name: 'Card payments', capability: 'write_workspace' },
      { at: '/accounting', name: 'Accounting', capability: 'write_workspace' },
      { at: '/sign-in', name: 'Sign-in', capability: 'configure_sso' },
      { at: '/keys', name: 'API keys', capability: 'manage_keys' },
      { at: '/applications', name: 'Applications', capability: 'manage_keys' },
      { at: '/webhooks', name: 'Webhooks', capability: 'manage_webhooks' },
      { at: '/events', name: 'Events', capability: 'manage_webhooks' },
      { at: '/audit-log', name: 'Audit log', capability: 'read_audit_log' },
      { at: '/ownership', name: 'Ownership', capability: 'transfer_ownership' },
    ],
  },
];

export function navigationFor({ role }: Membership): NavigationGroup[] {
  const usable = GROUPS.map(({ name, entries }) => ({
    name,
    entries: entries.filter(
      ({ capability, shows }) => (!capability || can(role, capability)) && (!shows || shows(role)),
    ),
  }));
  // A group of one page has its name.
  return usable.flatMap(({ name, entries: [first, ...others] }) =>
    first ? [{ name: others.length > 0 ? name : first.name, entries: [first, ...others] }] : [],
  );
}
