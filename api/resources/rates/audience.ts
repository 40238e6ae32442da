import { TIERS } from '../../../domain/rates/price.js';
import { AUDIENCES } from '../../../domain/rates/rates.js';
import { uuid } from '../../http/fields.js';
import { array, nullable, object, oneOf, withDefault, type Typed } from '../../http/typed.js';

const optionally = <T>(schema: Typed<T>) => withDefault<T | null>(nullable(schema), null);

/** The bookers that a rate or a discount code applies to. */
export const audienceSent = object({
  kind: withDefault(oneOf(AUDIENCES), 'everyone').description('The kind of booker.'),
  tiers: optionally(array(oneOf(TIERS)).unique().min(1)).description(
    'The tiers of members that are included. Null for all tiers.',
  ),
  company_ids: optionally(array(uuid).unique().min(1).max(100)).description(
    'The companies whose members are included. Null for all companies.',
  ),
}).meta({ component: 'Audience' });
