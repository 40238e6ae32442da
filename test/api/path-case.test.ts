import test from 'ava';
import { createRouter } from '../../api/app.js';
import { PAGES } from '../../web/routes.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { createEncryption } from '../../db/encryption.js';
import { db, dev } from '../support/stack.js';
import { newWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';

test('no route has a second spelling in another case', (t) => {
  const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
  const router = createRouter({ db, encryption, publicUrl: dev.baseUrl } as ApiDependencies, PAGES);
  const isRouted = (method: string, path: string): boolean => router.match(path, method).route;
  for (const { methods, path } of router.stack) {
    if (path === '/') continue;
    const exact = String(path).replace(/:\w+/g, 'x');
    for (const method of methods) {
      t.true(isRouted(method, exact), `${method} ${exact}`);
      for (const other of [exact.toUpperCase(), exact.replace(/[a-z]/, (letter) => letter.toUpperCase())])
        t.false(isRouted(method, other), `${method} ${other}`);
    }
  }
});

test('a path in another case is not found, and does not bypass the calendar bucket', async (t) => {
  const { api } = await newWorkspace();
  for (const path of ['/V1/Bookings', '/v1/BOOKINGS', '/V1/rooms', '/v1/Availability'])
    isError(t, await api.get(path), 404, 'not_found');
});
