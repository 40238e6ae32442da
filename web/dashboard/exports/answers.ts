import type { Answer } from '../../../domain/bookings/origin.js';
import type { Cell } from '../shared/csv.js';

/** A question as a column shows it. */
type Asked = Pick<Answer, 'id' | 'label'>;

/**
 * The columns of a file for the answers of guests, one for each question: those of the booking page in its
 * order, under their present labels, then those that it does not ask any more. A label that the file has
 * already is told apart by the id of the question.
 */
export function answerColumns(beside: string[], onPage: readonly Asked[], answered: readonly Asked[]) {
  const asked = [...onPage, ...answered.filter(({ id }) => !onPage.some((question) => question.id === id))];
  const columns = [...beside];
  for (const { id, label } of asked) columns.push(columns.includes(label) ? `${label} (${id})` : label);
  return {
    /** Those of the file, then those of the answers. */
    columns,
    cells(answers: Answer[] | null): Cell[] {
      const given = new Map((answers ?? []).map(({ id, value }) => [id, value === true ? 'Yes' : value]));
      return asked.map(({ id }) => given.get(id));
    },
  };
}
