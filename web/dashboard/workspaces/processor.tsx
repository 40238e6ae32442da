import type { ProcessorStatus } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { onboard } from '../../../api/resources/workspaces/onboarding.js';
import { presentedWorkspace } from '../../../api/resources/workspaces/read.js';
import { Facts } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { accountProblem } from '../shared/causes.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { formatsOf } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';

/**
 * What each status of the account at the processor is called and means, and the next step
 * (docs/rules/workspace.md#processor-account).
 */
const STATES: Record<ProcessorStatus, { name: string; meaning: string; button: string | null }> = {
  unconfigured: {
    name: 'Not set up',
    meaning: 'No account is connected yet. Bookings and invoices cannot be paid by card.',
    button: 'Set up card payments',
  },
  pending: {
    name: 'Being checked',
    meaning: 'Stripe needs more information before the account can take payments.',
    button: 'Continue setup',
  },
  active: {
    name: 'Ready',
    meaning: 'The account can take payments. Money is paid out to your bank account.',
    button: null,
  },
  revoked: {
    name: 'Disconnected',
    meaning: 'The account was disconnected. Cards cannot be charged until you reconnect one.',
    button: 'Set up card payments again',
  },
};

/** `GET /dashboard/:workspace/processor`: the state of the account at the payment processor. */
export function showProcessor({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { processor } = await presentedWorkspace(db.manager, ctx.state.membership!.workspace_id);
    const { name, meaning, button } = STATES[processor.status];
    const { problem, due_by } = processor;
    const { day } = formatsOf(ctx);
    const next = button ?? (problem || due_by ? 'Submit information' : null);
    showSection(ctx, {
      title: 'Card payments',
      at: '/processor',
      children: (
        <>
          <Facts
            of={[
              ['Status', <Status value={processor.status} name={name} />],
              ['Details', meaning],
              problem && ['Problem', <span class="alert">{accountProblem(problem)}</span>],
              due_by && ['Deadline', <span class="alert">{day(new Date(due_by))}</span>],
              processor.account_id && ['Account', <Id of={processor.account_id} />],
            ]}
          />
          {next && (
            <Form ctx={ctx} action={pathIn(ctx, '/processor/onboarding')} class="actions">
              <button>{next}</button>
            </Form>
          )}
        </>
      ),
    });
  };
}

/** Starts the hosted onboarding like `POST /v1/workspace/processor/onboarding`, and shows the link to it. */
export function onboardFromPage(deps: ApiDependencies): Handler {
  const start = onboard(deps);
  return async (ctx) => {
    await start(ctx, async () => {});
    const { url } = ctx.body as { url: string };
    showSection(ctx, {
      title: 'Set up card payments',
      at: '/processor',
      children: (
        <div class="card">
          <p>
            Stripe collects your business and bank details on its own pages, then sends you back here. The
            link can be used once and expires after a few minutes.
          </p>
          <p>
            <a class="button" id="onboarding" href={url}>
              Continue to Stripe
            </a>
          </p>
        </div>
      ),
    });
  };
}
