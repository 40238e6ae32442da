import type { Settings } from './state/records.js';
import type { Store } from './state/store.js';

/** Key of the settings for all accounts. The settings of one account have its id as the key. */
const EVERYTHING = 'settings';

/** The setting that applies to an account: its own if set, otherwise that for all accounts. `scope` says which it is. */
export function settingsFor(
  store: Store,
  name: keyof Settings,
  account: string | null,
): Settings & { scope: string | null } {
  const own = account === null ? undefined : store.settings.get(account);
  if (own?.[name] !== undefined) return { ...own, scope: account };
  return { ...store.settings.get(EVERYTHING), scope: null };
}

/** Changes settings of an account, or with null of all accounts. `undefined` unsets a setting. */
export function changeSettings(store: Store, account: string | null, changes: Settings): void {
  const key = account ?? EVERYTHING;
  store.settings.set(key, { ...store.settings.get(key), ...changes });
}

/** Changes settings for all accounts, and unsets those of single accounts. */
export function replaceSettings(store: Store, changes: Settings): void {
  const taken = Object.fromEntries(Object.keys(changes).map((name) => [name, undefined]));
  for (const key of store.settings.keys()) changeSettings(store, key, taken);
  changeSettings(store, null, changes);
}
