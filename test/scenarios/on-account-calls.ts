import { newMember, type Person } from '../support/people.js';
import { bookingBody } from '../support/bookings.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';
import type { Room } from '../support/api-bodies.js';

/**
 * A member whose company has terms of 14 days and a limit, and a room at 30.00 GBP an hour, including tax.
 */
export async function newScene(credit_limit_minor: number | null, overrides: Record<string, unknown> = {}) {
  const workspace = await newWorkspace();
  const { body: company } = await workspace.api.post('/v1/companies', {
    name: 'Acme',
    payment_terms: 14,
    credit_limit_minor,
    billing_email: uniqueEmail(),
  });
  const member = await newMember(workspace, { company_id: company.id });
  const room = await newRoom(workspace.api, overrides);
  return { workspace, company, member, room };
}

export const book = ({ api, id }: Person, room: Room, overrides: Record<string, unknown> = {}) =>
  api.post(
    '/v1/bookings',
    bookingBody(room.id, { booked_by: { member_id: id }, settle: 'on_account', ...overrides }),
  );
