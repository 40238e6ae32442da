import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent, MAX_BULK } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { bulk, costOfBulk, requiresAnyOperation } from './bulk.js';
import { archive, erase, sendInvite, update } from './update.js';
import { setUpCard } from './card-setup.js';
import { create } from './create.js';
import { get, list } from './read.js';
import { removeMemberCard } from './remove-card.js';
import {
  bulkSchema,
  createSchema,
  EXAMPLE_MEMBER_ID,
  getSchema,
  listSchema,
  member,
  updateSchema,
} from './shape.js';
import type { EventsOf, Resource } from '../shared/resource.js';
import { events, operations } from './openapi.js';

/** Members (docs/rules/members.md). */
export const members: Resource<EventsOf<'member'>> = {
  tag: 'Members',
  operations,
  schemas: { Member: member },
  ids: { members: { name: 'member', example: EXAMPLE_MEMBER_ID, notFound: 'member_not_found' } },
  events,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/members';
    const signedIn = authenticated(deps);
    const signedInForBulk = authenticated(deps, costOfBulk);
    const canList = requires('members:read', 'read_others');
    const canRead = requires('members:read', 'read_own_profile');
    const canInvite = requires('members:invite', 'invite_members');
    const canWrite = requires('members:write', 'update_own_profile');
    const canErase = requires('members:delete', 'hard_delete');
    const canArchive = requires('members:delete', 'archive_members');
    const noBody = validBody(emptyBody);
    router.get(path, ...route(signedIn, canList, validQuery(listSchema, list(deps))));
    router.post(path, ...route(signedIn, canInvite, validBody(createSchema, create(deps))));
    router.post(
      `${path}.bulk`,
      ...route(
        signedInForBulk,
        requiresAnyOperation,
        validBody(bulkSchema, limitConcurrent(bulk(deps), MAX_BULK)),
      ),
    );
    router.get(`${path}/:id`, ...route(signedIn, canRead, validQuery(getSchema, get(deps))));
    router.patch(`${path}/:id`, ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    router.delete(`${path}/:id`, ...route(signedIn, canErase, erase(deps)));
    router.post(`${path}/:id/archive`, ...route(signedIn, canArchive, noBody, archive(deps)));
    router.post(`${path}/:id/resend-invite`, ...route(signedIn, canInvite, noBody, sendInvite(deps)));
    const canPay = requires('billing:write', 'pay_own_invoices');
    router.post(
      `${path}/:id/card-setup`,
      ...route(signedIn, canPay, noBody, limitConcurrent(), setUpCard(deps)),
    );
    router.delete(`${path}/:id/card`, ...route(signedIn, canPay, removeMemberCard(deps)));
    return router;
  },
};
