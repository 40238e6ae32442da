import type { Role } from '../policies.js';

/** The words of an invitation to each role, and what the role can do. Owners are never invited. */
const ROLE_WORDS: Record<Role, readonly [invited: string, does: string | null]> = {
  member: ['to become a member', null],
  front_desk: [
    'to work at its front desk',
    'You can see all bookings and guests, book and make changes for others, and take payments at the ' +
      'desk.',
  ],
  billing_contact: ['to become a billing contact', 'You can see all invoices, payments and companies.'],
  admin: [
    'to become an admin',
    'You can change everything except ownership. When you first sign in, you set up two-step verification.',
  ],
  owner: ['to become its owner', null],
};

/** `to work at its front desk`, after `Harbour House has invited you`. */
export const invitedTo = (role: Role): string => ROLE_WORDS[role][0];

/** What somebody invited to a role can do, as sentences; none for members. */
export const describeRole = (role: Role): string[] => {
  const does = ROLE_WORDS[role][1];
  return does === null ? [] : [does];
};
