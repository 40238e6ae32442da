import type { Role } from '../policies.js';

/** For each role, what somebody is invited to do, and the description of it. Owners are never invited. */
const ROLE_WORDS: Record<Role, readonly [invited: string, does: string | null]> = {
  member: ['to become a member', null],
  front_desk: [
    'to work at its front desk',
    'You see all bookings and guests, book and change for others, and take payments at the desk.',
  ],
  billing_contact: ['to be a billing contact', 'You see all invoices, payments and companies.'],
  admin: [
    'to be an admin',
    'You can change everything except ownership. When you first sign in, you set up two-step verification.',
  ],
  owner: ['to be its owner', null],
};

/**
 * Returns the end of a sentence that begins with the workspace and the invited person: `to work at its front
 * desk`.
 */
export const invitedTo = (role: Role): string => ROLE_WORDS[role][0];

/** Describes what somebody who is invited with a role will do; empty for members. */
export const describeRole = (role: Role): string[] => {
  const does = ROLE_WORDS[role][1];
  return does === null ? [] : [does];
};
