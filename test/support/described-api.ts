import { createRouter, describeRoutes } from '../../api/app.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { createEncryption } from '../../db/encryption.js';

const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
const deps = { db: {}, encryption, publicUrl: 'https://api.example.com' } as unknown as ApiDependencies;
/** The routes of the API, without a running service. */
export const router = createRouter(deps);
/** The API document, without a running service. */
export const document = describeRoutes(router, deps.publicUrl);
