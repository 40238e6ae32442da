import { can } from '../../../domain/policies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Form } from '../shared/form.js';

/**
 * What can be searched for; for a payment intent that is not known here, a button that
 * asks the processor about it.
 */
export function Unknown({ ctx, q, home }: { ctx: ApiContext; q: string; home: string }) {
  const intent = /^pi_\w+$/.test(q) && can(ctx.state.membership!.role, 'write_billing');
  return (
    <>
      <p class="soft">
        You can search for names of people, companies and rooms, email addresses, booking references, numbers
        of invoices, credit notes and statements, references of payments and purchase orders, VAT numbers, and
        IDs of this service and of Stripe. Parts of names and the first characters of an ID or of a booking
        reference are enough.
      </p>
      {intent && (
        <Form ctx={ctx} action={`${home}/search/ask`} class="actions">
          <input type="hidden" name="payment_intent_id" value={q} />
          <button>Look up this payment at Stripe</button>
        </Form>
      )}
    </>
  );
}
