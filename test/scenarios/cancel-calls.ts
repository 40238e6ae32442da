import { db } from '../support/stack.js';

export const STEPS = {
  refund_steps: [
    { hours_before: 10_000, percent: 100 },
    { hours_before: 24, percent: 33.33 },
    { hours_before: 0, percent: 0 },
  ],
};

export const invoiceStatus = async (id: string): Promise<string> =>
  (await db.query(`SELECT status FROM invoices WHERE id = $1`, [id]))[0].status;
