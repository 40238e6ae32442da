import { ENGLISH } from '../../domain/words/words.js';

/**
 * What payers read in English: a message of the catalog, like `words.say` in the service
 * (docs/rules/languages.md).
 */
export const message = ENGLISH.say.bind(ENGLISH);
