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
        You can search for names of people, companies and rooms, email addresses, booking references, numbers
        of invoices, credit notes and statements, references of payments and purchase orders, VAT numbers, and
        IDs of this service and of Stripe. Parts of names and the first characters of an ID or of a booking
        reference are enough.
      </p>
      {intent && <ask.Button page={page} />}
    </>
  );
}
