import pg from 'pg';

/** Preloaded into the processes of the service: removes the locks from their statements. */
export function withoutLocks(): void {
  const { query } = pg.Client.prototype as any;
  const unlock = (text: string): string => text.replaceAll(/\bFOR (NO KEY )?UPDATE\b( OF \w+)?/g, '');
  (pg.Client.prototype as any).query = function (statement: any, ...rest: unknown[]) {
    if (typeof statement === 'string') return query.call(this, unlock(statement), ...rest);
    if (typeof statement?.text === 'string') statement.text = unlock(statement.text);
    return query.call(this, statement, ...rest);
  };
}
