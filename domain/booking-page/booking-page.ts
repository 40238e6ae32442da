import type { Answer } from '../bookings/origin.js';
import { invalidField } from '../errors.js';

/** What kinds of answers the questions of a booking page take. */
export const QUESTION_KINDS = ['text', 'choice', 'check'] as const;

/** A question that the operator asks everybody who books on the page. */
export interface Question {
  /** Stays the same when the label changes. */
  id: string;
  label: string;
  kind: (typeof QUESTION_KINDS)[number];
  required: boolean;
  /** What to choose from; empty for the other kinds. */
  choices: string[];
}

/** What people accept before they book. A new text has another version. */
export interface PageTerms {
  url: string;
  version: string;
}

/** How the page looks; null for the look of the workspace. */
export interface PageTheme {
  accent: string | null;
  logo_url: string | null;
}

/** How long a public guest's hold lasts, in seconds, unless the operator says otherwise. */
export const GUEST_HOLD_SECONDS = 900;

/** The longest answer to a question, in characters. */
export const MAX_ANSWER = 1_000;

/** How many addresses a page may have had: each stays its workspace's. */
export const MAX_PAGE_ADDRESSES = 20;

/** The name of the field with the answer to a question. */
export const answerField = (id: string): string => `answer_${id}`;

/**
 * The answers that people gave, by the ids of their questions; empty ones are left out. Errors:
 * 422 `validation_failed` on `answer_<id>` without a required answer, or for one that the
 * question does not offer.
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
