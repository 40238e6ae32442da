/**
 * SQL of the most that bookings have of an extra at some time of a period
 * (docs/rules/extras.md#stock). `claims`: where the claims are, of which those of the booking `except`
 * do not count. It can only rise where a claim begins.
 */
export const takenOf = (
  { extra, during, except = `''` }: { extra: string; during: string; except?: string },
  claims = 'extra_claims',
): string => `coalesce((
    SELECT max((SELECT sum(held.most) FROM (
             SELECT max(o.quantity) AS most FROM ${claims} o
             WHERE o.extra_id = ${extra} AND o.during @> begins.at AND o.booking_id <> ${except}
             GROUP BY o.booking_id) held))
    FROM (SELECT greatest(lower(c.during), lower(${during})) AS at FROM ${claims} c
          WHERE c.extra_id = ${extra} AND c.during && ${during} AND c.booking_id <> ${except}) begins),
            0)::integer`;
