import { ApiError } from '../../../domain/errors.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Words } from '../../../domain/words/words.js';
import { wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import { Contact } from '../../ui/parts.js';
import { payerProblems } from '../../ui/payer-problems.js';
import { payerSentence } from '../../ui/sentences.js';
import type { Managed } from './access.js';

/** The problem, with the form's label if it is about a field. */
const describeProblem = (words: Words, error: ApiError): string =>
  error.code === 'validation_failed'
    ? payerProblems(words, error)
        .map(({ message }) => message)
        .join(' ')
    : payerSentence(words, error, error.message);

/** Shows why a cancellation or move failed. Rethrows errors that the payer did not cause. */
export function showProblem(ctx: ApiContext, error: unknown, managed: Managed, back: string): void {
  if (!(error instanceof ApiError)) throw error;
  const words = wordsIn(ctx);
  showPage(ctx, error.status, {
    title: words.say('payer.not_changed'),
    mark: 'bad',
    children: (
      <>
        <p role="alert">{describeProblem(words, error)}</p>
        <Contact of={managed.booking.workspace} />
        <a class="button" href={back}>
          {words.say('payer.back')}
        </a>
      </>
    ),
  });
}
