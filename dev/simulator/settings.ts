import type { Table } from './table.js';

/** Key of the settings for all accounts. The settings of one account have its id as the key. */
const EVERYTHING = 'settings';

/**
 * The setting for an account: its own if set, otherwise the one for all accounts. `scope` says which. An
 * account is what one user of the simulated service has, whatever the service calls it.
 */
export function settingsFor<S extends object>(
  table: Table<S>,
  name: keyof S,
  account: string | null,
): Partial<S> & { scope: string | null } {
  const own = account === null ? undefined : table.get(account);
  if (own?.[name] !== undefined) return { ...own, scope: account };
  return { ...(table.get(EVERYTHING) ?? ({} as Partial<S>)), scope: null };
}

/** Changes settings of an account, or with null of all accounts. `undefined` unsets a setting. */
export function changeSettings<S extends object>(
  table: Table<S>,
  account: string | null,
  changes: Partial<S>,
): void {
  const key = account ?? EVERYTHING;
  table.set(key, { ...table.get(key), ...changes } as S);
}

/** Changes settings for all accounts, and unsets those of single accounts. */
export function replaceSettings<S extends object>(table: Table<S>, changes: Partial<S>): void {
  const unset = Object.fromEntries(Object.keys(changes).map((name) => [name, undefined])) as Partial<S>;
  for (const key of table.keys()) changeSettings(table, key, unset);
  changeSettings(table, null, changes);
}
