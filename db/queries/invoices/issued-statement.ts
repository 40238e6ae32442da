import { Statement } from '../../entities/invoices.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { PayerId } from '../payments/card.js';

/** A statement with its payer's current name and address. */
export type StatementRow = Statement & {
  payer_name: string | null;
  /** Null for a company without a billing address, and for an erased person. */
  payer_email: string | null;
};

/** Returns a statement of a workspace, or null. */
export const findStatement = (tx: Tx, workspaceId: string, id: string): Promise<StatementRow | null> =>
  maybeOne<StatementRow>(
    tx,
    `SELECT s.*, coalesce(c.name, m.name) AS payer_name,
      CASE WHEN c.id IS NOT NULL THEN c.billing_email ELSE m.email END AS payer_email
    FROM statements s LEFT JOIN companies c ON c.id = s.company_id LEFT JOIN members m ON m.id = s.member_id
      WHERE s.workspace_id = $1 AND s.id = $2`,
    [workspaceId, id],
  );

/** Returns a statement by its number in the workspace, in its official spelling. */
export const findStatementByNumber = (
  tx: Tx,
  workspaceId: string,
  number: string,
): Promise<StatementRow | null> =>
  maybeOne<StatementRow>(
    tx,
    `SELECT s.*, coalesce(c.name, m.name) AS payer_name,
      CASE WHEN c.id IS NOT NULL THEN c.billing_email ELSE m.email END AS payer_email
    FROM statements s LEFT JOIN companies c ON c.id = s.company_id LEFT JOIN members m ON m.id = s.member_id
      WHERE s.workspace_id = $1 AND s.number = $2`,
    [workspaceId, number],
  );

/** Returns the statement for a mail. */
export const findStatementToMail = (tx: Tx, id: string): Promise<StatementRow | null> =>
  maybeOne<StatementRow>(
    tx,
    `SELECT s.*, coalesce(c.name, m.name) AS payer_name,
      CASE WHEN c.id IS NOT NULL THEN c.billing_email ELSE m.email END AS payer_email
    FROM statements s LEFT JOIN companies c ON c.id = s.company_id LEFT JOIN members m ON m.id = s.member_id
      WHERE s.id = $1`,
    [id],
  );

/** Returns the statement with a number, if it lists the invoice. */
export const findStatementOfInvoice = (
  tx: Tx,
  invoiceId: string,
  number: string,
): Promise<StatementRow | null> =>
  maybeOne<StatementRow>(
    tx,
    `SELECT s.*, coalesce(c.name, m.name) AS payer_name,
        CASE WHEN c.id IS NOT NULL THEN c.billing_email ELSE m.email END AS payer_email
      FROM statements s LEFT JOIN companies c ON c.id = s.company_id LEFT JOIN members m ON m.id = s.member_id
        JOIN statement_invoices l ON l.statement_id = s.id WHERE l.invoice_id = $1 AND s.number = $2`,
    [invoiceId, number],
  );

/** Lists the newest statements of a payer. */
export const listStatements = (
  tx: Tx,
  workspaceId: string,
  { company_id, member_id }: PayerId,
  limit: number,
): Promise<StatementRow[]> =>
  many<StatementRow>(
    tx,
    `SELECT s.*, coalesce(c.name, m.name) AS payer_name,
        CASE WHEN c.id IS NOT NULL THEN c.billing_email ELSE m.email END AS payer_email
      FROM statements s LEFT JOIN companies c ON c.id = s.company_id LEFT JOIN members m ON m.id = s.member_id
        WHERE s.workspace_id = $1 AND (s.company_id = $2 OR s.member_id = $3)
     ORDER BY s.issued_at DESC, s.id DESC LIMIT $4`,
    [workspaceId, company_id, member_id, limit],
  );
