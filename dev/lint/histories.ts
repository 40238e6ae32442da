import { WORKFLOWS } from '../../contract/names.js';
import { differences, edited, unless, type Rule, type Tree } from './rule.js';

/** States of a booking, and special cases of its run. */
const BOOKINGS = [
  'pending',
  'confirmed',
  'changed',
  'charge-pending',
  'cancelled',
  'cancelled-unpaid',
  'expired',
  'completed',
  'refused',
  'free',
  'revived',
  'paid-at-desk',
  'changed-at-desk',
  'continued',
];
const CONTINUED = ['booking-continued', 'refund-continued', 'mail-delivery-continued'];
const FAILED = ['webhook-delivery-retried', 'mail-delivery-retried', 'refund-failed'];
const historyPath = (name: string): string => `test/histories/${name}.json`;
const readEvents = (tree: Tree, path: string) => JSON.parse(tree.read(path)).events;

/** Saved histories cover every workflow and state, without personal data or machine names. */
export const histories: Rule = {
  name: 'saved histories',
  *check(tree) {
    for (const name of [...BOOKINGS.map((state) => `booking-${state}`), ...CONTINUED, ...FAILED])
      yield* unless(tree.has(historyPath(name)), `${historyPath(name)} is missing`);
    for (const path of CONTINUED.map(historyPath).filter(tree.has))
      yield* differences(
        path,
        readEvents(tree, path).at(-1).eventType,
        'EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW',
      );
    const types = new Set<string>();
    const paths = tree.paths(/^test\/histories\/.*\.json$/);
    for (const path of paths) {
      types.add(readEvents(tree, path)[0].workflowExecutionStartedEventAttributes.workflowType.name);
      const text = tree
        .read(path)
        .replace(/"data":"([A-Za-z0-9+/=]*)"/g, (_, data: string) => Buffer.from(data, 'base64').toString());
      const [found] = /.{0,40}(\w@[a-z]|Guest|file:|node_modules).{0,20}/i.exec(text) ?? [];
      if (found) yield `${path}:1: personal data, or the name of a machine: ${found}`;
    }
    if (!tree.given) yield* differences('test/histories', [...types], Object.values(WORKFLOWS));
  },
  refused: [
    edited(
      historyPath('refund'),
      /"data":"[^"]*"/,
      `"data":"${Buffer.from('"ada@example.com"').toString('base64')}"`,
    ),
  ],
};
