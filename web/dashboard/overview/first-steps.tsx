import { missingOfSeller, SELLER_FIELDS } from '../../../domain/invoices/parties.js';
import { hasForeignTaxes } from '../../../domain/rates/price.js';
import { listed } from '../../ui/formats.js';
import type { FirstSteps as Steps } from '../../../db/queries/workspaces/dashboard.js';

type Step = [done: boolean, todo: string, at: string];

function listFirstSteps(steps: Steps): Step[] {
  const rates = 'Replace the UK tax rates with your own';
  const taxes: Step[] = steps.currency === 'GBP' ? [] : [[!hasForeignTaxes(steps), rates, '/prices#taxes']];
  const missing = missingOfSeller(steps);
  const ofSeller = missing.length > 0 ? missing : (Object.keys(SELLER_FIELDS) as typeof missing);
  const fields = listed(ofSeller.map((field) => SELLER_FIELDS[field]));
  return [
    [steps.processor, 'Connect Stripe to take payments', '/processor'],
    [steps.contact, 'Enter your contact email', '/settings/payers'],
    [missing.length === 0, `Enter your ${fields} for invoices`, '/settings/invoices'],
    ...taxes,
    [steps.room, 'Create your first room', '/rooms'],
    [steps.page, 'Set up the booking page (optional)', '/booking-page'],
    [steps.accounting, 'Connect the accounting system (optional)', '/accounting'],
    [steps.key, 'Create an API key for your website (optional)', '/keys'],
    [steps.booking, 'Book a room from the calendar', '/calendar'],
  ];
}

/** Setup steps of a new workspace. Hidden once it has a booking. */
export function FirstSteps({ steps, home }: { steps: Steps; home: string }) {
  if (steps.booking && steps.processor && steps.room) return null;
  return (
    <>
      <h2>First steps</h2>
      <ol class="steps card">
        {listFirstSteps(steps).map(([done, todo, at]) => (
          <li key={todo} class={done ? 'done' : undefined}>
            {done ? (
              <>
                {todo}
                <span class="hidden">: done</span>
              </>
            ) : (
              <a href={home + at}>{todo}</a>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
