import { missingOfSeller, SELLER_FIELDS } from '../../../domain/invoices/parties.js';
import { hasForeignTaxes } from '../../../domain/rates/price.js';
import { Icon } from '../../ui/icons.js';
import { Optional } from '../shared/fields.js';
import { listed } from '../../ui/formats.js';
import type { FirstSteps as Steps } from '../../../db/queries/workspaces/dashboard.js';

interface Step {
  done: boolean;
  todo: string;
  at: string;
  /** Why the step matters, or what is missing. */
  hint?: string;
  isOptional?: boolean;
}

function listFirstSteps(steps: Steps): Step[] {
  const missing = missingOfSeller(steps);
  const taxes: Step = {
    done: !hasForeignTaxes(steps),
    todo: 'Set your tax rates',
    at: '/prices#taxes',
    hint: 'They are those of the UK now.',
  };
  return [
    { done: steps.room, todo: 'Add a room', at: '/rooms', hint: 'Name, price and opening hours.' },
    {
      done: missing.length === 0,
      todo: 'Complete your invoice details',
      at: '/settings/invoices',
      hint:
        missing.length > 0 ? `Missing: ${listed(missing.map((field) => SELLER_FIELDS[field]))}.` : undefined,
    },
    {
      done: steps.contact,
      todo: 'Enter a contact email',
      at: '/settings/payers',
      hint: 'Guests reply to it.',
    },
    ...(steps.currency === 'GBP' ? [] : [taxes]),
    {
      done: steps.processor,
      todo: 'Connect Stripe',
      at: '/processor',
      hint: 'Payments go to your own account.',
    },
    { done: steps.booking, todo: 'Make a test booking', at: '/calendar', hint: 'You can cancel it again.' },
    {
      done: steps.page,
      todo: 'Open the booking page',
      at: '/booking-page',
      hint: 'Guests book and pay there.',
      isOptional: true,
    },
    { done: steps.accounting, todo: 'Connect Xero', at: '/accounting', isOptional: true },
  ];
}

/** The first steps of a new workspace and how many are done. Hidden once it takes bookings and payments. */
export function FirstSteps({ steps, home }: { steps: Steps; home: string }) {
  if (steps.booking && steps.processor && steps.room) return null;
  const all = listFirstSteps(steps);
  const needed = all.filter(({ isOptional }) => !isOptional);
  const done = needed.filter((step) => step.done).length;
  const next = all.find((step) => !step.done);
  return (
    <section class="card checklist">
      <h2 id="first-steps">First steps</h2>
      <p>
        <progress value={done} max={needed.length} aria-labelledby="first-steps" /> {done} of {needed.length}{' '}
        done
      </p>
      <ol>
        {all.map((step) => (
          <li key={step.at} class={step.done ? 'done' : undefined}>
            <span class="tick">{step.done && <Icon name="check" />}</span>
            <div>
              {step.done ? step.todo : <a href={home + step.at}>{step.todo}</a>}
              {step.done && <span class="hidden">: done</span>}
              {step.isOptional && <Optional />}
              {!step.done && step.hint && <small>{step.hint}</small>}
            </div>
            {step === next && (
              <a class="button" href={home + step.at} tabindex={-1} aria-hidden="true">
                Start
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
