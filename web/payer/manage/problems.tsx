import { ApiError } from '../../../domain/errors.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import { Contact } from '../../ui/parts.js';
import type { Managed } from './access.js';

/** What a refused cancellation or move means to a payer. Others are explained by their own message. */
const SENTENCES: Partial<Record<ApiError['code'], string>> = {
  change_pending:
    'An earlier change is still being processed or awaiting payment. Pay for it or withdraw it, or try again in a few minutes.',
  not_found: 'The change is no longer awaiting payment.',
  processor_error:
    'Your payment has not been confirmed yet. Once it is, the booking changes and we email you. Please do not try again.',
  service_unavailable: 'Something went wrong, and nothing has changed. Try again in a few minutes.',
  slot_unavailable: 'This time is no longer available. Nothing has changed; choose another time.',
};

const NO_PAYMENT = 'Your card was declined. Nothing has changed.';

/** A sentence for a payer, and the response's status. Throws what no payer has caused. */
export function explain(error: unknown): { status: number; message: string } {
  if (!(error instanceof ApiError)) throw error;
  const { code, status } = error;
  if (code === 'payment_failed') return { status, message: NO_PAYMENT };
  return { status, message: SENTENCES[code] ?? error.message };
}

/** Shows why a cancellation or move was not made. */
export function showProblem(ctx: ApiContext, error: unknown, managed: Managed, back: string): void {
  const { status, message } = explain(error);
  showPage(ctx, status, {
    title: 'Your booking has not been changed',
    mark: 'bad',
    children: (
      <>
        <p role="alert">{message}</p>
        <Contact of={managed.workspace} />
        <a class="button" href={back}>
          Back
        </a>
      </>
    ),
  });
}
