import type { FirstSteps as Steps } from '../../../db/queries/workspaces/dashboard.js';

const STEPS: [step: keyof Steps, todo: string, at: string][] = [
  ['processor', 'Connect Stripe to take payments', '/processor'],
  [
    'contact',
    'Enter your contact email, and your address and tax number for invoices (optional)',
    '/settings',
  ],
  ['room', 'Create your first room', '/rooms'],
  ['accounting', 'Connect the accounting system (optional)', '/accounting'],
  ['key', 'Create an API key for your website (optional)', '/keys'],
  ['booking', 'Book a room from the calendar', '/calendar'],
];

/** What a new workspace still has to set up; nothing once it has a booking. */
export function FirstSteps({ steps, home }: { steps: Steps; home: string }) {
  if (steps.booking && steps.processor && steps.room) return null;
  return (
    <>
      <h2>First steps</h2>
      <ol class="steps card">
        {STEPS.map(([step, todo, at]) => (
          <li key={step} class={steps[step] ? 'done' : undefined}>
            {steps[step] ? (
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
