import type { LinkedBooking } from '../../db/manage-links.js';
import type { LinkedInvoice } from '../../db/signed-links.js';
import type { ApiDependencies } from '../../api/dependencies.js';

/**
 * The manage link of a booking, for callers with the secret of the address to which its payer returns after
 * paying. Null without the secret, and once the link was replaced (docs/rules/bookings.md#checkout).
 */
export function manageUrlFor(
  { returnSecrets, manageLinks }: Pick<ApiDependencies, 'returnSecrets' | 'manageLinks'>,
  booking: LinkedBooking,
  secret: string,
): string | null {
  const { id, manage_link_version: version } = booking;
  return returnSecrets.isValid(secret, { id, version }) ? manageLinks.linkTo(booking) : null;
}

/** As `manageUrlFor`, for the payment link of an invoice. */
export function payUrlFor(
  { returnSecrets, payLinks }: Pick<ApiDependencies, 'returnSecrets' | 'payLinks'>,
  invoice: LinkedInvoice,
  secret: string,
): string | null {
  const { id, pay_link_version: version } = invoice;
  return returnSecrets.isValid(secret, { id, version }) ? payLinks.linkTo(invoice) : null;
}
