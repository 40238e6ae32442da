import { addResources } from '../../api/app.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { newRouter } from '../../api/http/router.js';
import { describeApi, publicRoutes } from '../../api/openapi/document.js';
import { EVENTS, RESOURCES } from '../../api/resources/index.js';
import { createEncryption } from '../../db/encryption.js';

const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
const deps = { db: {}, encryption, publicUrl: 'https://api.example.com' } as unknown as ApiDependencies;
/** The routes of the API, without a running service. */
export const router = newRouter();
addResources(router, deps);
/** The API document, without a running service. */
export const document = describeApi(
  { resources: RESOURCES, events: EVENTS },
  publicRoutes(router),
  deps.publicUrl,
);
