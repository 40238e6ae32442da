import { ApiError } from '../../../domain/errors.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import { problemsIn } from '../../dashboard/shared/rejection.js';
import { Contact } from '../../ui/parts.js';
import { sentenceOf } from '../../ui/sentences.js';
import type { Managed } from './access.js';

/** What is wrong, in the words of the form where it is about a field. */
const messageOf = (error: ApiError): string =>
  sentenceOf(error, 'payer') ??
  (error.code === 'validation_failed'
    ? problemsIn(error)
        .map(({ message }) => message)
        .join(' ')
    : error.message);

/** Shows why a cancellation or move was not made. Throws what no payer has caused. */
export function showProblem(ctx: ApiContext, error: unknown, managed: Managed, back: string): void {
  if (!(error instanceof ApiError)) throw error;
  showPage(ctx, error.status, {
    title: 'Your booking has not been changed',
    mark: 'bad',
    children: (
      <>
        <p role="alert">{messageOf(error)}</p>
        <Contact of={managed.booking.workspace} />
        <a class="button" href={back}>
          Back
        </a>
      </>
    ),
  });
}
