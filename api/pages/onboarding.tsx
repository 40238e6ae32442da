import type { Handler } from '../http/context.js';
import { showPage } from './layout.js';

/** `GET /onboarding/done`: where the processor's hosted onboarding returns to. */
export const showOnboarded: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'Onboarding is complete',
    mark: 'good',
    children: (
      <p>
        You can close this page. You can take payments as soon as the payment processor has approved the
        account.
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
