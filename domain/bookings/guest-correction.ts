import type { Refusal } from '../errors.js';
import type { Language } from '../words/languages.js';

/** The corrected address and name of a guest; absent fields stay. */
export interface GuestCorrection {
  email?: string;
  name?: string;
  locale?: Language;
}

/**
 * Returns why the guest of a booking cannot be corrected, or null: a member booked it, or the guest was
 * erased.
 */
export function whyNotCorrectGuest(booking: {
  member_id: string | null;
  guest_email: string | null;
}): Refusal<{ reason: 'member' | 'erased' }> | null {
  const code = 'booking_not_editable';
  if (booking.member_id)
    return {
      code,
      message: 'This booking was made by a member. Change the email address or name of the member instead.',
      details: { reason: 'member' },
    };
  if (booking.guest_email) return null;
  return {
    code,
    message: 'The guest of this booking has been erased, so their details cannot be corrected.',
    details: { reason: 'erased' },
  };
}
