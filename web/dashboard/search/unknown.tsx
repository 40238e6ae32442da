import { can } from '../../../domain/policies.js';
import type { PageProps } from '../forms/page.js';
import { ask } from './ask-about-payment.js';

/** Explains what can be searched. For an unknown payment intent, offers a lookup at the processor. */
export function Unknown({ page }: { page: PageProps<{ q: string }> }) {
  const { ctx, data } = page;
  const intent = /^pi_\w+$/.test(data.q) && can(ctx.state.membership!.role, 'write_billing');
  return (
    <>
      <p class="soft">
        Search finds people, companies and rooms by parts of their names, and by email address or VAT number;
        bookings, documents, payments and purchase orders by number or reference; and IDs, also of Stripe, by
        their first characters.
      </p>
      {intent && <ask.Button page={page} />}
    </>
  );
}
