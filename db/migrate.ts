import { loadConfig } from '../config.js';
import { openDatabase } from './data-source.js';
import { runMigrations } from './run-migrations.js';

const { databaseUrl } = loadConfig();
const db = await openDatabase({ url: databaseUrl, poolSize: 1 });
for (const name of await runMigrations(db)) console.log(`applied ${name}`);
await db.destroy();
