import pg from 'pg';

type Query = (this: unknown, statement: string | { text?: unknown }, ...rest: unknown[]) => unknown;

/** Rewrites the statements of this process. */
function rewriteStatements(rewrite: (text: string) => string): void {
  const client = pg.Client.prototype as { query: Query };
  const { query } = client;
  client.query = function (statement, ...rest) {
    if (typeof statement === 'string') return query.call(this, rewrite(statement), ...rest);
    if (typeof statement?.text === 'string') statement.text = rewrite(statement.text);
    return query.call(this, statement, ...rest);
  };
}

/** Preloaded into the processes of the service: removes the locks from their statements. */
export function withoutLocks(): void {
  rewriteStatements((text) =>
    text.replaceAll(/\bFOR (NO KEY )?UPDATE\b( OF \w+(, \w+)*)?( SKIP LOCKED)?/g, ''),
  );
}

/** Preloaded into the processes of the service: an invoice never has an attempt that can still be paid. */
export function withoutAttempts(): void {
  const unfinished =
    /(FROM checkouts WHERE invoice_id = ANY \(\$1\) AND) state IN \('opening', 'open', 'processing'\)/;
  rewriteStatements((text) => text.replace(unfinished, '$1 false'));
}
