import { LANGUAGES } from '../../../domain/words/languages.js';
import { oneOf } from '../../http/typed.js';

/** The language of a guest's pages, emails and documents. */
export const locale = oneOf(LANGUAGES).description(
  'The language of the guest’s pages, emails and documents: `en`, `de`, `fr` or `es`. Defaults to ' +
    'the language of the workspace.',
);
