import { createOnboardingLink } from '../../../api/resources/workspaces/operations.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import type { ProcessorStatus } from '../../../domain/states.js';
import { createFormats } from '../../ui/formats.js';
import { form } from '../forms/form.js';
import { page, type PageProps } from '../forms/page.js';
import { Details, FactCard } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { accountProblem } from '../shared/causes.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/status.js';

type Processor = Awaited<ReturnType<typeof presentedWorkspace>>['processor'];

/**
 * What each status of the account at the processor is called and means, and the next step
 * (docs/rules/workspace.md#processor-account).
 */
const STATES: Record<ProcessorStatus, { name: string; meaning: string; button: string | null }> = {
  unconfigured: {
    name: 'Not set up',
    meaning: 'Bookings and invoices cannot be paid by card yet.',
    button: 'Set up card payments',
  },
  pending: {
    name: 'Being checked',
    meaning: 'Stripe needs more information before the account can take payments.',
    button: 'Continue setup',
  },
  active: {
    name: 'Ready',
    meaning: 'Money is paid out to your bank account.',
    button: null,
  },
  revoked: {
    name: 'Disconnected',
    meaning: 'The account was disconnected. Cards cannot be charged until you connect an account again.',
    button: 'Set up card payments again',
  },
};

const onboarding = form(
  createOnboardingLink,
  {},
  {
    path: '/onboarding',
    button: 'Set up card payments',
    proof: true,
    ownSignIn: true,
    show: ({ url }) => ({
      title: 'Set up card payments',
      children: (
        <div class="card">
          <p>
            Stripe asks for your business and bank details. The link can be used once, within a few minutes.
          </p>
          <p>
            <a class="button" id="onboarding" href={url}>
              Continue to Stripe
            </a>
          </p>
        </div>
      ),
    }),
  },
);

function Account({ ctx, at, data: processor }: PageProps<Processor>) {
  const { name, meaning, button } = STATES[processor.status];
  const { problem, due_by } = processor;
  const next = button ?? (problem || due_by ? 'Submit information' : null);
  return (
    <div class="narrow">
      <FactCard
        of={[
          [
            'Status',
            <>
              <Status value={processor.status} name={name} /> <small>{meaning}</small>
            </>,
          ],
          problem && ['Problem', <span class="alert">{accountProblem(problem)}</span>],
          due_by && ['Deadline', <span class="alert">{createFormats(ctx).day(new Date(due_by))}</span>],
        ]}
      />
      {next && (
        <Form ctx={ctx} action={pathIn(ctx, `${at}/onboarding`)} class="actions">
          <button>{next}</button>
        </Form>
      )}
      {processor.account_id && <Details of={[['Account in Stripe', <Id of={processor.account_id} />]]} />}
    </div>
  );
}

export const processorPage = page({
  path: '/processor',
  capability: 'write_workspace',
  title: 'Card payments',
  load: async ({ caller }, { db }): Promise<Processor> =>
    (await presentedWorkspace(db.manager, caller.workspace_id)).processor,
  view: Account,
  forms: [onboarding],
});
