import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody } from '../../http/validate.js';
import type { Resource } from '../shared/resource.js';
import { get, put } from './handlers.js';
import { operations } from './openapi.js';
import { ratesSchema, roomRates } from './shape.js';

/** Rates of a room (docs/rules/rates.md). */
export const rates: Resource = {
  tag: 'Rooms',
  operations,
  schemas: { RoomRates: roomRates },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/rooms/:id/rates';
    const signedIn = authenticated(deps);
    router.get(path, ...route(signedIn, requires('calendar:read', 'own_bookings'), get(deps)));
    const canWrite = requires('calendar:write', 'write_rooms');
    router.put(path, ...route(signedIn, canWrite, validBody(ratesSchema, put(deps))));
    return router;
  },
};
