import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { UPLOADING } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { uploadPicture } from './pictures.js';
import { create, get, list, update } from './handlers.js';
import { createSchema, listSchema, room, updateSchema } from './shape.js';
import type { Resource } from '../shared/resource.js';
import { EXAMPLE_ROOM_ID, operations } from './openapi.js';

/** Rooms (docs/rules/rooms.md#rooms). */
export const rooms: Resource = {
  tag: 'Rooms',
  operations,
  schemas: { Room: room },
  ids: { rooms: { name: 'room', example: EXAMPLE_ROOM_ID, notFound: 'room_not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const signedIn = authenticated(deps);
    const canRead = requires('calendar:read', 'own_bookings');
    const canWrite = requires('calendar:write', 'write_rooms');
    router.get('/v1/rooms', ...route(signedIn, canRead, validQuery(listSchema, list(deps))));
    router.post('/v1/rooms', ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.get('/v1/rooms/:id', ...route(signedIn, canRead, get(deps)));
    router.patch('/v1/rooms/:id', ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    router.post('/v1/rooms/:id/pictures', ...route(signedIn, canWrite, ...UPLOADING, uploadPicture(deps)));
    return router;
  },
};
