import type { Answer } from '../../../domain/bookings/origin.js';
import type { Cell } from '../shared/csv.js';

/** A question as a column shows it. */
type Asked = Pick<Answer, 'id' | 'label'>;

/**
 * One column per question: those of the booking page in order, with their current labels, then those that it
 * no longer asks. A label that is already used gets the question's id.
 */
export function answerColumns(beside: string[], onPage: readonly Asked[], answered: readonly Asked[]) {
  const asked = [...onPage, ...answered.filter(({ id }) => !onPage.some((question) => question.id === id))];
  const columns = [...beside];
  for (const { id, label } of asked) columns.push(columns.includes(label) ? `${label} (${id})` : label);
  return {
    /** Columns of the file, then of the answers. */
    columns,
    cells(answers: Answer[] | null): Cell[] {
      const given = new Map((answers ?? []).map(({ id, value }) => [id, value === true ? 'Yes' : value]));
      return asked.map(({ id }) => given.get(id));
    },
  };
}
