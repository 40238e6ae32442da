import { isName } from '../../../domain/names.js';
import { text } from '../../http/fields.js';

/** The name of a person, company, room, workspace or application (docs/rules/api.md#names). */
export const name = text(200)
  .trim()
  .min(1)
  .custom((value: string, helpers) =>
    isName(value)
      ? value
      : helpers.message({
          custom: '{{#label}} must be one line of visible text without a web or email address',
        }),
  );
