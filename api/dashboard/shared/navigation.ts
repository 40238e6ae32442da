import type { Membership } from '../../../db/repositories/members/membership-queries.js';
import { can, type Capability } from '../../../domain/policies.js';

/** An entry of the dashboard's navigation. `at` is its path after the workspace's. */
export interface NavigationEntry {
  at: string;
  name: string;
}

const ENTRIES: (NavigationEntry & { capability?: Capability })[] = [
  { at: '', name: 'Overview' },
  { at: '/bookings', name: 'Bookings' },
  { at: '/keys', name: 'API keys', capability: 'manage_keys' },
  { at: '/applications', name: 'Applications', capability: 'manage_keys' },
  { at: '/webhooks', name: 'Webhooks', capability: 'manage_webhooks' },
  { at: '/accounting', name: 'Accounting', capability: 'write_workspace' },
  { at: '/ownership', name: 'Ownership', capability: 'transfer_ownership' },
];

/** What a member's role can use. */
export const navigationFor = ({ role }: Membership): NavigationEntry[] =>
  ENTRIES.filter(({ capability }) => !capability || can(role, capability));
