import joi from 'joi';
import * as s from '../shared/shapes.js';

const actor = joi.alternatives(
  s.shape({
    member_id: s.idOf('mem').description('The member who acted.'),
    key_id: s.idOf('key').allow(null).description('The key that the member used. Null for the dashboard.'),
  }),
  s
    .shape({ guest: s.idOf('bk').description('The booking.') })
    .description('A person who used the manage link of this booking.'),
  s.shape({ system: joi.string().description('The part of the service that acted automatically.') }),
);

/** An entry as `presentAuditEntry` returns it. */
export const auditEntry = s.shape({
  id: joi.string().description('The id of the entry, an increasing number.'),
  at: s.instant.description('The time of the action.'),
  action: joi.string().description('What was done, such as `workspace.updated`.'),
  actor: actor.description('Who did it.'),
  object: joi.string().description('The id of the affected object.'),
  details: s.anyObject.description('Details of the action, such as the values before and after.'),
});
