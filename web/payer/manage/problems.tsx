import { ApiError } from '../../../domain/errors.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import { Contact } from '../../ui/parts.js';
import { sentenceOf } from '../../ui/sentences.js';
import type { Managed } from './access.js';

/** Shows why a cancellation or move was not made. Throws what no payer has caused. */
export function showProblem(ctx: ApiContext, error: unknown, managed: Managed, back: string): void {
  if (!(error instanceof ApiError)) throw error;
  showPage(ctx, error.status, {
    title: 'Your booking has not been changed',
    mark: 'bad',
    children: (
      <>
        <p role="alert">{sentenceOf(error, 'payer') ?? error.message}</p>
        <Contact of={managed.booking.workspace} />
        <a class="button" href={back}>
          Back
        </a>
      </>
    ),
  });
}
