import type { Settings } from './state/records.js';
import type { Store } from './state/store.js';

/** Settings for everything are kept under this name; an account's under its id. */
const EVERYTHING = 'settings';

/** Where a setting is kept that applies to an account, and what it is. An account's own stands in front of the common one. */
export function settingsFor(
  store: Store,
  name: keyof Settings,
  account: string | null,
): Settings & { scope: string | null } {
  const own = account === null ? undefined : store.settings.get(account);
  if (own?.[name] !== undefined) return { ...own, scope: account };
  return { ...store.settings.get(EVERYTHING), scope: null };
}

/** Changes settings of an account, or of everything; `undefined` takes a setting back. */
export function changeSettings(store: Store, account: string | null, changes: Settings): void {
  const key = account ?? EVERYTHING;
  store.settings.set(key, { ...store.settings.get(key), ...changes });
}

/** Changes a setting of everything, and takes back what accounts had in its place. */
export function replaceSettings(store: Store, changes: Settings): void {
  const taken = Object.fromEntries(Object.keys(changes).map((name) => [name, undefined]));
  for (const key of store.settings.keys()) changeSettings(store, key, taken);
  changeSettings(store, null, changes);
}
