import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfigOrExit, loadDatabaseConfig } from '../config/config.js';
import { openDatabase } from '../db/data-source.js';
import { verifyAuditLog } from '../db/queries/audit-log/chain.js';
import { findWorkspace } from '../db/queries/workspaces/workspace.js';

/** The database of the environment. Without one, the database of the `npm start` that runs in this folder. */
function databaseUrl(): string {
  const { DATABASE_URL, DATABASE_URL_FILE, HOLDFAST_HOME = '.holdfast' } = process.env;
  try {
    if (!DATABASE_URL && !DATABASE_URL_FILE)
      return JSON.parse(readFileSync(join(HOLDFAST_HOME, 'dev.json'), 'utf8')).databaseUrl;
  } catch {
    // No stack runs in this folder.
  }
  return loadDatabaseConfig().databaseUrl;
}

/** Prints a sentence and ends the process. */
function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const { values } = parseArgs({ options: { workspace: { type: 'string' }, head: { type: 'string' } } });
const { workspace } = values;
if (!workspace) fail('Pass the workspace: npm run audit:verify -- --workspace=ws_…');
const [, position, hash] = /^(\d+):([0-9a-f]{64})$/.exec(values.head ?? '') ?? [];
if (values.head !== undefined && hash === undefined)
  fail('Pass as --head the head that an earlier verification printed: <position>:<hash>.');

const db = await openDatabase({ url: loadConfigOrExit(databaseUrl), poolSize: 1 });
if (!(await findWorkspace(db.manager, workspace))) fail(`There is no workspace ${workspace}.`);
const expected = hash === undefined ? undefined : { position: Number(position), hash };
const { fault, verified, head } = await db.transaction('REPEATABLE READ', (tx) =>
  verifyAuditLog(tx, workspace, expected),
);
await db.destroy();
console.log(JSON.stringify({ workspace, verified, head, fault }));
if (fault) {
  const named = fault.entry === null ? `position ${fault.position} of the chain` : `entry ${fault.entry}`;
  console.error(`The audit log was changed: ${named} is ${fault.kind}.`);
}
process.exit(fault ? 1 : 0);
