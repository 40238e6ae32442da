import type { Handler } from '../http/context.js';
import { showPage } from './layout.js';

/**
 * `GET /onboarding/done`: where the processor's hosted onboarding returns to, whether it was completed or left. Only what
 * the processor reports about the account says which.
 */
export const showOnboarded: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'You are back from the payment processor',
    mark: 'waiting',
    children: (
      <p>
        You can take payments once the payment processor reports that the account is ready:{' '}
        <code>processor.status</code> of your workspace is then <code>active</code>. If you left before the
        end, request a new link and continue where you stopped.
      </p>
    ),
  });

/** `GET /onboarding/again`: where the processor sends operators whose link has expired. */
export const showLinkExpired: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'This onboarding link has expired',
    mark: 'waiting',
    children: <p>Request a new link with POST /v1/workspace/processor/onboarding.</p>,
  });
