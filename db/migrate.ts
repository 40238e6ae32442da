import { loadConfigOrExit } from '../config.js';
import { openDatabase } from './data-source.js';

const { databaseUrl } = loadConfigOrExit();
const db = await openDatabase({ url: databaseUrl, poolSize: 1 });
const applied = await db.runMigrations({ transaction: 'all' });
for (const migration of applied) console.log(`applied ${migration.name}`);
await db.destroy();
