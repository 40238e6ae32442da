/**
 * A statement that each connection parses and plans once, by name. For the busiest paths, where planning
 * takes Postgres longer than running.
 */
export interface PreparedStatement {
  name: string;
  text: string;
}

/** SQL with parameters `$1`, `$2`, …, either planned each time or prepared. */
export type Sql = string | PreparedStatement;

/** How often a table got another column after statements had been prepared. It is part of their names. */
let generation = 0;

/** Returns a statement with its name on the connections. */
export function named(sql: Sql): { text: string; name?: string } {
  if (typeof sql === 'string') return { text: sql };
  return generation === 0 ? sql : { ...sql, name: `${sql.name}_${generation}` };
}

/** True for the error of a statement that was prepared before its table got another column. */
export const isOutdatedPlan = ({ code, message }: { code?: string; message?: string }): boolean =>
  code === '0A000' && message === 'cached plan must not change result type';

/** Has all statements prepared again, unless that already happened since the one with this name failed. */
export function prepareAgain(name: string | undefined): void {
  if (generation === 0 || name?.endsWith(`_${generation}`)) generation++;
}
