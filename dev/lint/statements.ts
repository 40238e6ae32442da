import * as states from '../../domain/states.js';
import { BOOKING_DETAILS } from '../../domain/bookings/details.js';
import { EVENT_TYPES } from '../../domain/events/types.js';
import { OWNER_MAILS, STAFF_MAILS, URGENT_MAILS } from '../../domain/mail/kinds.js';
import { STAFF_NOTICE_EVENTS } from '../../domain/workspaces/staff-notices.js';
import { RETRY_DELAYS_SECONDS } from '../../domain/events/webhook-schedule.js';
import { ABANDONED_AFTER_SECONDS } from '../../db/queries/bookings/abandoned.js';
import { differences, formatLocation, textsIn, unless, type Rule, type Tree } from './rule.js';
import { templatesIn } from './templates.js';

const SOURCES = /^(commands|db|ops|worker)\/.*\.ts$/;

/** Tokens that exist in SQL and not in English. */
const SQL =
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN|WHERE|AND|OR|NOT|IN|IS|AS|LIKE|BETWEEN|EXISTS|SET|LIMIT|ORDER BY|RETURNING|VALUES|CASE|NULL|GRANT|REVOKE|DROP)\b|make_interval|::/;

/**
 * What works on all tables, functions or roles that are declared elsewhere
 * (docs/internals/architecture.md#statements).
 */
const COMPUTED = new Set([
  'commands/members/erase-rows.ts',
  'commands/retention/delete-expired.ts',
  'db/database-time.ts',
  'db/functions.ts',
  'db/grants.ts',
  'db/insert.ts',
  'db/migrations/1764000000000-initial-schema.ts',
  'db/reencryption.ts',
]);

/** A statement is complete: its whole SQL is in one literal, with its placeholders written out. */
const whole: Rule = {
  name: 'statements',
  *check(tree) {
    for (const path of tree.paths(SOURCES)) {
      if (COMPUTED.has(path)) continue;
      const source = tree.read(path);
      for (const { index, text, isWhole } of templatesIn(source))
        if (!isWhole && (SQL.test(text) || text.includes('$…')))
          yield `${formatLocation(path, source, index)}: SQL is one literal, with $1, $2 … written out`;
    }
  },
  refused: textsIn('commands/x.ts', [
    'const a = `SELECT * FROM rooms WHERE ${condition}`;',
    'const a = `id = $${n}`;',
    'const a = `${b} AND c`;',
    "const a = x.replace(/[/`']/g, '') + `${list(`DELETE FROM ${table}`)}`;",
  ]),
  accepted: textsIn('commands/x.ts', [
    'const a = `SELECT $1`; // `SELECT ${a}`',
    'const a = `At most ${n} in a room.`;',
  ]),
};

/** All texts in a value. */
const collectTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(collectTexts)
      : [];

/** States without a table of transitions: of collections, and of documents in the books. */
const WITHOUT_TRANSITIONS = ['scheduled', 'charging', 'refused', 'reminding', 'ended', 'voided'];
const STATES = new Set([...collectTexts(states), 'deleted', ...WITHOUT_TRANSITIONS]);
const TARGETS = new Set(
  Object.values(states)
    .flatMap((transitions) => (typeof transitions === 'object' ? Object.values(transitions) : []))
    .flatMap((transition) => (transition as { to?: string }).to ?? []),
);

const COMPARED = /\b(?:status|state)\b (?:=|<>|IS DISTINCT FROM|(?:NOT )?IN)(?: \(?((?:'\w+'(?:, )?)+)\)?)/g;
const ASSIGNED = /\bSET (?:[^;`]*?, )?(?:status|state) = '(\w+)'/g;

/**
 * States in SQL are those of domain/states.ts, and commands only set states that are targets of a transition.
 */
const statesInSql: Rule = {
  name: 'states in SQL',
  *check(tree) {
    for (const path of tree.paths(/^(commands|db|ops|worker)\/(?!migrations).*\.(ts|sql)$/)) {
      const source = tree.read(path);
      for (const { 1: list, index } of source.matchAll(COMPARED))
        for (const [, state] of list!.matchAll(/'(\w+)'/g))
          if (!STATES.has(state!))
            yield `${formatLocation(path, source, index)}: nothing has the state ${state}`;
      for (const { 1: state, index } of source.matchAll(ASSIGNED))
        if (!TARGETS.has(state!))
          yield `${formatLocation(path, source, index)}: no transition leads to ${state}`;
    }
  },
  refused: textsIn('commands/x.ts', [
    "`SELECT FROM mails WHERE status = 'vanished'`",
    "`SELECT FROM bookings WHERE status NOT IN ('confirmed', 'gone')`",
    "`UPDATE checkouts SET state = 'requested' WHERE id = $1`",
  ]),
  accepted: textsIn('commands/x.ts', ["`UPDATE mails SET status = 'sent' WHERE status = 'pending'`"]),
};

const namesIn = (tree: Tree, name: string): string[] =>
  [...tree.read(`db/functions/${name}.sql`).matchAll(/'([a-z_]+(?:\.[a-z_]+)?)'/g)].map(([, each]) => each!);

/** Lists and numbers of the domain that SQL repeats have the same values there. */
const listsInSql: Rule = {
  name: 'lists in SQL',
  *check(tree) {
    yield* differences('db/functions/is_subscribed.sql:1', namesIn(tree, 'is_subscribed'), [...EVENT_TYPES]);
    yield* differences('db/functions/is_owner_mail.sql:1', namesIn(tree, 'is_owner_mail'), OWNER_MAILS);
    yield* differences('db/functions/is_own_mail.sql:1', namesIn(tree, 'is_own_mail'), STAFF_MAILS);
    yield* differences('db/functions/is_urgent_mail.sql:1', namesIn(tree, 'is_urgent_mail'), [
      ...URGENT_MAILS,
    ]);
    yield* unless(
      tree.read('db/functions/delivery_ended.sql').includes(`count(*) > ${RETRY_DELAYS_SECONDS.length},`),
      'db/functions/delivery_ended.sql:1: it has another number of retries',
    );
    yield* unless(
      tree.read('db/functions/is_abandoned.sql').includes(`'${ABANDONED_AFTER_SECONDS} seconds'`),
      'db/functions/is_abandoned.sql:1: it has another time',
    );
    for (const name of BOOKING_DETAILS)
      yield* unless(
        tree.read('commands/bookings/reserve-slot.ts').includes(`b.${name},`),
        `commands/bookings/reserve-slot.ts:1: a new booking is stored without ${name}`,
      );
    for (const [notice, event] of Object.entries(STAFF_NOTICE_EVENTS))
      yield* unless(
        tree.read('db/functions/staff_notice.sql').includes(`WHEN '${event}' THEN '${notice}'`),
        `db/functions/staff_notice.sql:1: it lacks ${notice}`,
      );
  },
  refused: [{ 'db/functions/is_urgent_mail.sql': "SELECT kind IN ('sign_in_link')" }],
};

export const statements: Rule[] = [whole, statesInSql, listsInSql];
