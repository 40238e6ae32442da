import type { Handler } from '../../api/http/context.js';
import { showPage } from '../ui/layout.js';

const Dashboard = () => (
  <a class="button" href="/dashboard">
    Go to dashboard
  </a>
);

/**
 * `GET /onboarding/done`: where the processor's hosted onboarding returns to, whether it was completed or left. Only what
 * the processor reports about the account says which.
 */
export const showOnboarded: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'Thanks, we’re checking your account',
    mark: 'waiting',
    children: (
      <>
        <p>
          You can take payments once Stripe has approved your account. The dashboard shows its status under
          Card payments, as does <code>processor.status</code> in the API. If you left early, continue the
          setup there.
        </p>
        <Dashboard />
      </>
    ),
  });

/** `GET /onboarding/again`: where the processor sends operators whose link has expired. */
export const showLinkExpired: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'This setup link has expired',
    mark: 'waiting',
    children: (
      <>
        <p>
          Create a new link in the dashboard under Card payments, or with{' '}
          <code>POST /v1/workspace/processor/onboarding</code>.
        </p>
        <Dashboard />
      </>
    ),
  });
