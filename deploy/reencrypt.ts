import { loadConfigOrExit } from '../config/config.js';
import { openDatabase } from '../db/data-source.js';
import { createEncryption } from '../db/encryption.js';
import { reencrypt } from '../db/reencryption.js';

const { databaseUrl, encryptionKey } = loadConfigOrExit();
const db = await openDatabase({ url: databaseUrl, poolSize: 1 });
const done = await reencrypt(db, createEncryption(encryptionKey));
await db.destroy();
console.log(JSON.stringify(done));
// The other keys may be removed only when 0 values remain.
process.exit(done.remaining === 0 ? 0 : 1);
