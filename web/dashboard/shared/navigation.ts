import type { Membership } from '../../../db/queries/members/membership.js';
import { can, type Capability, type Role } from '../../../domain/policies.js';
import type { IconName } from '../../ui/icons.js';

/** A page of the dashboard's navigation. `at` is its path after the workspace's. */
export interface NavigationEntry {
  at: string;
  name: string;
  icon: IconName;
}

/** Pages that belong together. Those that are rarely needed are closed at first. */
export interface NavigationGroup {
  name: string;
  isRare?: boolean;
  entries: NavigationEntry[];
}

/** Whether the role manages more than its own bookings. */
export const seesOverview = (role: Role): boolean => can(role, 'all_bookings') || can(role, 'read_billing');

type Entry = NavigationEntry & { capability?: Capability; shows?: (role: Role) => boolean };

const GROUPS: (Omit<NavigationGroup, 'entries'> & { entries: Entry[] })[] = [
  {
    name: 'You',
    // Other roles have it next to their account.
    entries: [
      {
        at: '/membership',
        name: 'Your membership',
        icon: 'membership',
        shows: (role) => !seesOverview(role),
      },
    ],
  },
  {
    name: 'Bookings',
    entries: [
      { at: '', name: 'Overview', icon: 'overview', shows: seesOverview },
      { at: '/calendar', name: 'Calendar', icon: 'calendar', capability: 'all_bookings' },
      { at: '/bookings', name: 'Bookings', icon: 'booking' },
      { at: '/day', name: 'Day list', icon: 'preparations', capability: 'all_bookings' },
    ],
  },
  {
    name: 'Money',
    entries: [
      { at: '/invoices', name: 'Invoices', icon: 'invoice', capability: 'read_own_invoices' },
      { at: '/payments', name: 'Payments', icon: 'payment', capability: 'read_billing' },
      { at: '/subscriptions', name: 'Plan invoices', icon: 'plan', capability: 'read_billing' },
      { at: '/reports', name: 'Reports', icon: 'reports', capability: 'read_billing' },
      { at: '/reconciliation', name: 'Reconciliation', icon: 'reconciliation', capability: 'read_billing' },
    ],
  },
  {
    name: 'People',
    entries: [
      { at: '/members', name: 'Members', icon: 'member', capability: 'read_others' },
      { at: '/companies', name: 'Companies', icon: 'company', capability: 'read_payers' },
      { at: '/guests', name: 'Guests', icon: 'guest', capability: 'all_bookings' },
    ],
  },
  {
    name: 'Rooms',
    entries: [
      { at: '/rooms', name: 'Rooms', icon: 'room', capability: 'write_blackouts' },
      { at: '/extras', name: 'Extras', icon: 'extra', capability: 'write_rooms' },
      { at: '/discounts', name: 'Discount codes', icon: 'discount', capability: 'write_rooms' },
    ],
  },
  {
    name: 'Settings',
    isRare: true,
    entries: [
      { at: '/settings', name: 'Workspace', icon: 'settings', capability: 'write_workspace' },
      { at: '/booking-page', name: 'Booking page', icon: 'page', capability: 'write_workspace' },
      { at: '/prices', name: 'Prices and taxes', icon: 'price', capability: 'write_workspace' },
      { at: '/processor', name: 'Card payments', icon: 'card', capability: 'write_workspace' },
      { at: '/accounting', name: 'Accounting', icon: 'accounting', capability: 'write_workspace' },
      { at: '/sign-in', name: 'Sign-in', icon: 'signIn', capability: 'configure_sso' },
      { at: '/keys', name: 'API keys', icon: 'key', capability: 'manage_keys' },
      { at: '/applications', name: 'Applications', icon: 'application', capability: 'manage_keys' },
      { at: '/webhooks', name: 'Webhooks', icon: 'webhook', capability: 'manage_webhooks' },
      { at: '/events', name: 'Events', icon: 'events', capability: 'manage_webhooks' },
      { at: '/audit-log', name: 'Audit log', icon: 'audit', capability: 'read_audit_log' },
      { at: '/ownership', name: 'Ownership', icon: 'owner', capability: 'transfer_ownership' },
    ],
  },
];

export const navigationFor = ({ role }: Membership): NavigationGroup[] =>
  GROUPS.map((group) => ({
    ...group,
    entries: group.entries.filter(
      ({ capability, shows }) => (!capability || can(role, capability)) && (!shows || shows(role)),
    ),
  })).filter(({ entries }) => entries.length > 0);
