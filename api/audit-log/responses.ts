import joi from 'joi';
import * as s from '../resource/shapes.js';

const actor = joi.alternatives(
  s.shape({ member_id: s.idOf('mem'), key_id: s.idOf('key').allow(null) }),
  s.shape({ guest: s.idOf('bk') }).description('Whoever holds the manage link of this booking.'),
  s.shape({ system: joi.string() }),
);

/** An entry as `presentAuditEntry` returns it. */
export const auditEntry = s.shape({
  id: joi.string(),
  at: s.instant,
  action: joi.string(),
  actor,
  object: joi.string(),
  details: s.anyObject,
});
