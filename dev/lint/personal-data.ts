import { entityColumns, ENTITIES } from '../../db/entities.js';
import { columnErasures, tableRule } from '../../db/personal-data/declarations.js';
import { differences, unless, type Rule } from './rule.js';

/** Every column of a table about people declares what an erasure does with it (db/README.md#add-a-column). */
export const personalData: Rule = {
  name: 'personal data',
  *check() {
    for (const [table, entity] of Object.entries(ENTITIES)) {
      const declared = columnErasures(entity);
      if (tableRule(entity) !== null) {
        yield* differences(`db/entities: ${table} is not about people`, Object.keys(declared), []);
        continue;
      }
      for (const [name, { primary, insert }] of Object.entries(entityColumns(entity)))
        yield* unless(
          name in declared || primary === true || insert === false,
          `db/entities: ${table}.${name} does not say what an erasure does with it`,
        );
      const keys = Object.values(declared).filter((each) => typeof each === 'object' && 'by' in each);
      yield* unless(keys.length === 1, `db/entities: ${table} has ${keys.length} erasure keys`);
    }
  },
};
