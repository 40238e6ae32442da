import type { Handler } from '../http/context.js';
import { showPage } from './layout.js';

/** `GET /onboarding/done`: where the processor's hosted onboarding returns to. */
export const showOnboarded: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'Onboarding is complete',
    mark: 'good',
    children: (
      <p>The payment processor will notify us when it has approved the account. You can close this page.</p>
    ),
  });

/** `GET /onboarding/again`: where the processor sends operators whose link has expired. */
export const showLinkExpired: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'This onboarding link has expired',
    mark: 'waiting',
    children: <p>Request a new one: POST /v1/workspace/processor/onboarding.</p>,
  });
