import { LANGUAGE_NAMES, LANGUAGES } from '../../../domain/words/languages.js';

/** The languages of payers, as options. */
export const LANGUAGE_OPTIONS = LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language]] as const);

/** The same for a payer who need not have one. */
export const OWN_LANGUAGE_OPTIONS = [['', 'Workspace default'] as const, ...LANGUAGE_OPTIONS];
