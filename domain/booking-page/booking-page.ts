import type { Answer } from '../bookings/origin.js';
import { invalidField } from '../errors.js';

/** The kinds of answers to questions on a booking page. */
export const QUESTION_KINDS = ['text', 'choice', 'check'] as const;

/** A question that the operator asks everyone who books on the page. */
export interface Question {
  /** Stays the same when the label changes. */
  id: string;
  label: string;
  kind: (typeof QUESTION_KINDS)[number];
  required: boolean;
  /** The possible answers; empty for other kinds of questions. */
  choices: string[];
}

/**
 * The terms that people accept before they book: a page on another site, or a text or PDF of this service,
 * which is stored under its version. A new text gets a new version.
 */
export type PageTerms = { version: string } & ({ kind?: undefined; url: string } | { kind: 'text' | 'file' });

/** How the API calls the kinds of terms. */
export const TERMS_KINDS = ['url', 'text', 'file'] as const;

/** The longest text of terms, in characters. */
export const MAX_TERMS_TEXT = 50_000;

/** The maximum size of a PDF with terms. */
export const MAX_TERMS_BYTES = 5 * 1024 * 1024;

/** How many versions of terms a workspace can store. None is removed, because bookings accepted it. */
export const MAX_TERMS_VERSIONS = 100;

/** Returns the path of stored terms below the booking page's. */
export const termsPath = (version: string): string => `/terms/${encodeURIComponent(version)}`;

/** The look of the page; null for the workspace's look. */
export interface PageTheme {
  accent: string | null;
  logo_url: string | null;
}

/** The default length of a public guest's hold, in seconds. */
export const GUEST_HOLD_SECONDS = 900;

/** The longest answer to a question, in characters. */
export const MAX_ANSWER = 1_000;

/**
 * How many addresses a page can have had in total. An address that was used once stays reserved for its
 * workspace.
 */
export const MAX_PAGE_ADDRESSES = 20;

/** The name of the field with the answer to a question. */
export const answerField = (id: string): string => `answer_${id}`;

/**
 * Returns the answers by the ids of their questions, without empty ones. Errors: 422 `validation_failed` on
 * `answer_<id>` if a required answer is missing, or if the question does not offer the answer.
 */
export function answersTo(questions: Question[], given: ReadonlyMap<string, string>): Answer[] {
  return questions.flatMap(({ id, label, kind, required, choices }): Answer[] => {
    const sent = given.get(id) ?? '';
    const value = sent.trim();
    const field = answerField(id);
    if (sent.length > MAX_ANSWER) throw invalidField(field, `must have at most ${MAX_ANSWER} characters`);
    if (value === '') {
      if (required) throw invalidField(field, 'is required');
      return [];
    }
    if (kind === 'check') return [{ id, label, value: true }];
    if (kind === 'choice' && !choices.includes(value))
      throw invalidField(field, 'must be one of the choices');
    return [{ id, label, value }];
  });
}
