import { loadConfigOrExit } from '../config.js';
import { runMigrations } from './run-migrations.js';

for (const name of await runMigrations(loadConfigOrExit().databaseUrl)) console.log(`applied ${name}`);
