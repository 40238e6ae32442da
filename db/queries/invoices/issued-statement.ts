import { Statement } from '../../entities/invoices.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { PayerId } from '../payments/card.js';

/** A statement with the name and address of its payer as they are now. */
export type StatementRow = Statement & {
  payer_name: string | null;
  /** Null for a company without a billing address, and for an erased person. */
  payer_email: string | null;
};

/** A statement of a workspace. */
export const findStatement = (tx: Tx, workspaceId: string, id: string): Promise<StatementRow | null> =>
  maybeOne<StatementRow>(
    tx,
    `SELECT s.*, coalesce(c.name, m.name) AS payer_name,
      CASE WHEN c.id IS NOT NULL THEN c.billing_email ELSE m.email END AS payer_email
    FROM statements s LEFT JOIN companies c ON c.id = s.company_id LEFT JOIN members m ON m.id = s.member_id
      WHERE s.workspace_id = $1 AND s.id = $2`,
    [workspaceId, id],
  );

/** A statement by its number in the workspace, as documents spell it. */
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

/** The statement that a mail sends. */
export const findStatementToMail = (tx: Tx, id: string): Promise<StatementRow | null> =>
  maybeOne<StatementRow>(
    tx,
    `SELECT s.*, coalesce(c.name, m.name) AS payer_name,
      CASE WHEN c.id IS NOT NULL THEN c.billing_email ELSE m.email END AS payer_email
    FROM statements s LEFT JOIN companies c ON c.id = s.company_id LEFT JOIN members m ON m.id = s.member_id
      WHERE s.id = $1`,
    [id],
  );

/** The statement that lists an invoice, by its number. */
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

/** The newest statements of a payer. */
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
