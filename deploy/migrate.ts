import { loadConfigOrExit, loadDatabaseConfig } from '../config/config.js';
import { runMigrations } from '../db/run-migrations.js';

const { databaseUrl, databaseOwnerUrl } = loadConfigOrExit(loadDatabaseConfig);
const applied = databaseOwnerUrl
  ? await runMigrations(databaseOwnerUrl, decodeURIComponent(new URL(databaseUrl).username))
  : await runMigrations(databaseUrl);
for (const name of applied) console.log(`applied ${name}`);
