import pg from 'pg';

type Query = (this: unknown, statement: string | { text?: unknown }, ...rest: unknown[]) => unknown;

/** Preloaded into the processes of the service: removes the locks from their statements. */
export function withoutLocks(): void {
  const client = pg.Client.prototype as { query: Query };
  const { query } = client;
  const unlock = (text: string): string => text.replaceAll(/\bFOR (NO KEY )?UPDATE\b( OF \w+)?/g, '');
  client.query = function (statement, ...rest) {
    if (typeof statement === 'string') return query.call(this, unlock(statement), ...rest);
    if (typeof statement?.text === 'string') statement.text = unlock(statement.text);
    return query.call(this, statement, ...rest);
  };
}
