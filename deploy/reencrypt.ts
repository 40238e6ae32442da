import { loadConfigOrExit, loadEncryptionConfig } from '../config/config.js';
import { openDatabase } from '../db/data-source.js';
import { createEncryption } from '../db/encryption.js';
import { reencrypt } from '../db/reencryption.js';

const { databaseUrl, encryptionKey } = loadConfigOrExit(loadEncryptionConfig);
const db = await openDatabase({ url: databaseUrl, poolSize: 1 });
const done = await reencrypt(db, createEncryption(encryptionKey));
await db.destroy();
console.log(JSON.stringify(done));
// The other keys may only be removed if nothing remains.
process.exit(done.remaining === 0 ? 0 : 1);
