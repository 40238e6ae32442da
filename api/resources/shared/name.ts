import { isName } from '../../../domain/names.js';
import { text } from '../../http/fields.js';
import { ADDRESS_IN_NAME, NAME } from '../../http/patterns.js';

/** The name of a person, company, room, workspace or application (docs/rules/api.md#names). */
export const name = text(200)
  .trim()
  .min(1)
  .meta({ json: { pattern: NAME, not: { pattern: ADDRESS_IN_NAME } } })
  .custom((value: string, helpers) =>
    isName(value)
      ? value
      : helpers.message({
          custom: '{{#label}} must be one line of visible text without a web or email address',
        }),
  );
