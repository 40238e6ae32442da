/** Fields that say who somebody is, or hold what people have written; room and company names are none of these. */
const PERSONAL = new Set(['email', 'guest', 'notes', 'reason', 'tier_change_reason']);
/** Objects whose `name` is not a person's. */
const THINGS = new Set(['room', 'company']);

/**
 * An event's data or an audit entry's details about a member or a booking, without the person: personal fields are
 * null, all else is as it was. A guest stays one, without name and address.
 */
export function withoutPerson(value: unknown, of = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, of));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      if (field === 'guest' && inner) return [field, { email: null, name: null }];
      if (PERSONAL.has(field) || (field === 'name' && !THINGS.has(of))) return [field, null];
      return [field, withoutPerson(inner, field)];
    }),
  );
}
