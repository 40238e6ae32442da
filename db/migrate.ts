import { loadConfig } from '../config.js';
import { runMigrations } from './run-migrations.js';

for (const name of await runMigrations(loadConfig().databaseUrl)) console.log(`applied ${name}`);
